import type { PuzzleMode, RegistrationMode, RegistrationSettings } from '@foyer/protocol/registration'
import { Cache } from '#src/kernel/cache.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { SETTINGS_CHANGE } from '#src/kernel/database/server-settings.ts'
import type { Bus, Event } from '#src/kernel/journal/bus.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** The settings of the environment, which apply until operators change them. */
export interface StartSettings {
  registration: RegistrationMode
  registrationDomains: readonly string[]
  signupPuzzle: PuzzleMode
}

const KEY = 'settings'

/** The rules for new accounts, cached until an event reports their change. */
export class Registration {
  /** True if the first account of the server is its operator. */
  readonly firstBecomesOperator: boolean
  readonly #start: RegistrationSettings
  readonly #cache: Cache<RegistrationSettings>

  constructor(
    { database, bus }: { database: Database; bus: Bus },
    start: StartSettings & { firstBecomesOperator: boolean },
  ) {
    this.firstBecomesOperator = start.firstBecomesOperator
    this.#start = {
      mode: start.registration,
      question: null,
      domains: [...start.registrationDomains],
      puzzle: start.signupPuzzle,
    }
    this.#cache = new Cache(1, bus.freshness, () => this.read(database))
  }

  receive(events: readonly Event[]): void {
    if (events.some(({ name }) => name === SETTINGS_CHANGE)) this.#cache.drop(KEY)
  }

  current(): Promise<RegistrationSettings> {
    return this.#cache.get(KEY)
  }

  /** Reads the registration settings, bypassing the cache. */
  async read(database: Queryable): Promise<RegistrationSettings> {
    const [saved] = await database.query<RegistrationSettings>(sql`
      select coalesce(registration_mode, ${this.#start.mode}) as mode, registration_question as question,
        coalesce(registration_domains, ${this.#start.domains}::text[]) as domains,
        coalesce(signup_puzzle, ${this.#start.puzzle}) as puzzle
      from server_settings`)
    return saved ?? this.#start
  }
}

/** Returns the rules that operators have chosen; null for rules that the environment still decides. */
export async function findSavedRules(database: Queryable): Promise<SavedRules> {
  const [saved] = await database.query<SavedRules>(sql`
    select registration_mode as mode, registration_domains as domains, signup_puzzle as puzzle from server_settings`)
  return saved ?? { mode: null, domains: null, puzzle: null }
}

/** Rules that operators have chosen. */
export interface SavedRules {
  mode: RegistrationMode | null
  domains: string[] | null
  puzzle: PuzzleMode | null
}

/** Saves the given settings. Omitted settings keep their saved value, or the value of the environment. */
export async function saveSettings(
  transaction: Queryable,
  { mode, question, domains, puzzle }: Partial<RegistrationSettings>,
): Promise<void> {
  await transaction.query(sql`
    insert into server_settings as saved
      (registration_mode, registration_question, registration_domains, signup_puzzle)
    values (${mode ?? null}, ${question ?? null}, ${domains ?? null}, ${puzzle ?? null})
    on conflict (is_only) do update set
      registration_mode = coalesce(excluded.registration_mode, saved.registration_mode),
      registration_question = case when ${question !== undefined} then excluded.registration_question
        else saved.registration_question end,
      registration_domains = coalesce(excluded.registration_domains, saved.registration_domains),
      signup_puzzle = coalesce(excluded.signup_puzzle, saved.signup_puzzle), updated_at = now()`)
}
