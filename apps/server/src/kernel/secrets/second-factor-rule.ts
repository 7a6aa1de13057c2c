import type { SecondFactorRule } from '@foyer/protocol/second-factors'
import { Cache } from '../cache.ts'
import type { Database } from '../database/database.ts'
import { SETTINGS_CHANGE } from '../database/server-settings.ts'
import type { Bus, Event } from '../journal/bus.ts'
import { type Queryable, sql } from '../sql/sql.ts'
import type { Caller } from './credentials.ts'

const KEY = 'rule'

/** The rule for which users need a second factor, cached until an event reports its change. */
export class SecondFactorRules {
  readonly #cache: Cache<SecondFactorRule>

  constructor({ database, bus }: { database: Database; bus: Bus }) {
    this.#cache = new Cache(1, bus.freshness, () => readSecondFactorRule(database))
  }

  receive(events: readonly Event[]): void {
    if (events.some(({ name }) => name === SETTINGS_CHANGE)) this.#cache.drop(KEY)
  }

  current(): Promise<SecondFactorRule> {
    return this.#cache.get(KEY)
  }

  /** Returns whether the caller may only set up or confirm a second factor. */
  async bars(caller: Caller): Promise<boolean> {
    return lacksSecondFactor(caller) && (await this.current()) === 'everybody'
  }
}

/** Returns whether a person's session lacks a second factor. Bots need none. */
export function lacksSecondFactor(caller: Caller): boolean {
  return caller.kind === 'human' && !caller.hasSecondFactor
}

export async function readSecondFactorRule(database: Queryable): Promise<SecondFactorRule> {
  const [saved] = await database.query<{ rule: SecondFactorRule }>(sql`
    select coalesce(second_factor_for, 'nobody') as rule from server_settings`)
  return saved?.rule ?? 'nobody'
}

export async function saveSecondFactorRule(transaction: Queryable, rule: SecondFactorRule): Promise<void> {
  await transaction.query(sql`
    insert into server_settings (second_factor_for) values (${rule})
    on conflict (is_only) do update set second_factor_for = excluded.second_factor_for, updated_at = now()`)
}
