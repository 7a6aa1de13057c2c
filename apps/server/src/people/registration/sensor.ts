import type { Logger } from 'pino'
import { firstIdAt } from '#src/kernel/ids.ts'
import type { RateCounter, RateCounters } from '#src/kernel/limits/rate-limits.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

interface SensorDeps {
  database: Queryable
  log: Pick<Logger, 'warn'>
  /** Counters shared by all processes. */
  counters: RateCounters
}

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
const WINDOW_MS = 5 * MINUTE_MS
/** Sign-ups in five minutes that are never an attack. A minute at the border of two windows may have twice as many. */
const MIN_SIGNUPS = 20
/** Multiple of the usual number of sign-ups that counts as an attack. */
const UNUSUAL = 3
const HISTORY_DAYS = 7
/** Time after which the usual number is counted again. */
const USUAL_MS = 10 * MINUTE_MS
/** Duration of an attack, from its beginning. */
export const ATTACK_MS = 15 * MINUTE_MS

/** Sign-ups that made an account or an application. */
const made = { subject: 'signups', name: 'signupsMade', windowMs: WINDOW_MS } as const
const attack: RateCounter = { subject: 'signups', name: 'signupAttack', limit: 1, windowMs: ATTACK_MS }

/**
 * Lets the usual number of sign-ups of this server through, over all processes. Above it, the server counts as under
 * attack for a quarter of an hour.
 */
export class SignupSensor {
  readonly #deps: SensorDeps
  #usual: Promise<number> | undefined
  #countedAt = Number.NEGATIVE_INFINITY

  constructor(deps: SensorDeps) {
    this.#deps = deps
  }

  /**
   * Counts a sign-up in advance, so that parallel sign-ups cannot exceed the limit together. Above the limit, an attack
   * begins if as many sign-ups have succeeded: failed attempts never cause one.
   * @returns false if too many sign-ups are running, or the server is under attack
   */
  async take(): Promise<boolean> {
    const { counters, log } = this.#deps
    if (await this.#isFlagged()) return false
    const now = Date.now()
    const window = await this.#window()
    if ((await counters.take([window], now))?.allowed) return true
    const isAttack = (await counters.count({ ...made, limit: window.limit }, now)) >= window.limit
    const first = isAttack ? await counters.take([attack], now) : undefined
    if (first?.allowed) log.warn('unusually many people sign up: they need a solved puzzle now')
    return false
  }

  /** Counts a sign-up that created an account or an application. */
  async confirm(): Promise<void> {
    await this.#deps.counters.charge({ ...made, limit: MIN_SIGNUPS }, 1, Date.now())
  }

  /** Undoes the count of `take`, for a sign-up that created neither an account nor an application. */
  async giveBack(): Promise<void> {
    await this.#deps.counters.giveBack(await this.#window(), Date.now())
  }

  async isAttack(): Promise<boolean> {
    if (await this.#isFlagged()) return true
    const window = await this.#window()
    return (await this.#deps.counters.count(window, Date.now())) >= window.limit
  }

  async #isFlagged(): Promise<boolean> {
    return (await this.#deps.counters.count(attack, Date.now())) > 0
  }

  async #window(): Promise<RateCounter> {
    const limit = Math.max(MIN_SIGNUPS, UNUSUAL * (await this.#usually()))
    return { subject: 'signups', name: 'signups', limit, windowMs: WINDOW_MS }
  }

  #usually(): Promise<number> {
    const now = Date.now()
    if (this.#usual !== undefined && now - this.#countedAt < USUAL_MS) return this.#usual
    this.#countedAt = now
    const counted = countUsual(this.#deps.database, now)
    this.#usual = counted
    counted.catch(() => {
      if (this.#usual === counted) this.#usual = undefined
    })
    return counted
  }
}

/**
 * Counts the new accounts in the busiest five minutes of a usual day. It is the median of the last seven days, so that
 * yesterday's attack does not count as usual.
 */
async function countUsual(database: Queryable, now: number): Promise<number> {
  const windows = await database.query<{ ago: number; signups: number }>(sql`
    select ((${now} - time) / ${WINDOW_MS})::integer as ago, count(*)::integer as signups
    from users, lateral (
      -- The milliseconds since 1970 are the first 48 bits of an id.
      select ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint as time) as dated
    where not is_bot and id >= ${firstIdAt(now - HISTORY_DAYS * DAY_MS)} and id < ${firstIdAt(now - WINDOW_MS)}
    group by ago`)
  const busiest = new Array<number>(HISTORY_DAYS).fill(0)
  for (const { ago, signups } of windows) {
    const day = Math.min(HISTORY_DAYS - 1, Math.floor((ago * WINDOW_MS) / DAY_MS))
    busiest[day] = Math.max(busiest[day] ?? 0, signups)
  }
  return busiest.sort((one, other) => one - other)[Math.floor(HISTORY_DAYS / 2)] ?? 0
}
