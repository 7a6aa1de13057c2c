import { LocalCounters } from '../limits/local-counters.ts'
import {
  decisionOf,
  type RateCount,
  type RateCounter,
  type RateCounters,
  type RateDecision,
} from '../limits/rate-limits.ts'
import { Macs } from '../secrets/macs.ts'
import { Script } from './script.ts'
import type { Valkey } from './valkey.ts'

/**
 * Checks all counters, then counts if none is used up. Windows end by Valkey's clock, which all processes share, so
 * the result contains durations.
 */
const TAKE = new Script(`
  local counts = redis.call('MGET', unpack(KEYS))
  local allowed = 1
  for i = 1, #KEYS do
    counts[i] = tonumber(counts[i] or 0)
    if counts[i] >= tonumber(ARGV[2 * i - 1]) then allowed = 0 end
  end
  local answer = { allowed }
  for i, key in ipairs(KEYS) do
    if allowed == 1 then
      counts[i] = counts[i] + 1
      if counts[i] == 1 then redis.call('SET', key, 1, 'PX', ARGV[2 * i]) else redis.call('INCR', key) end
    end
    answer[2 * i] = counts[i]
    answer[2 * i + 1] = redis.call('PTTL', key)
  end
  return answer
`)

const CHARGE = new Script(`
  if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('INCRBY', KEYS[1], ARGV[1])
  else redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
`)

/** Subtracts a request from its counter. If the window has just ended, no new counter is created. */
const GIVE_BACK = new Script(`
  if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('DECR', KEYS[1]) end
`)

/** Counters shared by all processes, in Valkey. While it is unavailable, each process counts for itself. */
export class SharedCounters implements RateCounters {
  readonly #valkey: Valkey
  readonly #local = new LocalCounters()
  readonly #macs: Macs

  constructor(valkey: Valkey, secretKey: string) {
    this.#valkey = valkey
    this.#macs = new Macs(secretKey, 'foyer counters')
  }

  async take(counters: readonly RateCounter[], now: number): Promise<RateDecision | undefined> {
    try {
      return await this.#takeShared(counters, now)
    } catch {
      return this.#local.take(counters, now)
    }
  }

  async charge(counter: RateCounter, cost: number, now: number): Promise<void> {
    await this.#valkey
      .ask((commands) => CHARGE.run(commands, [this.#keyOf(counter)], [cost, counter.windowMs]))
      .catch(() => this.#local.charge(counter, cost, now))
  }

  async giveBack(counter: RateCounter, now: number): Promise<void> {
    await this.#giveBack([counter]).catch(() => this.#local.giveBack(counter, now))
  }

  async count(counter: RateCounter, now: number): Promise<number> {
    try {
      return Number(await this.#valkey.ask((commands) => commands.get(this.#keyOf(counter))))
    } catch {
      return this.#local.count(counter, now)
    }
  }

  async clear(counter: RateCounter): Promise<void> {
    await this.#local.clear(counter)
    await this.#valkey.ask((commands) => commands.del(this.#keyOf(counter))).catch(() => undefined)
  }

  async #takeShared(counters: readonly RateCounter[], now: number): Promise<RateDecision | undefined> {
    const taken: RateCounter[] = []
    const counts: RateCount[] = []
    for (const group of this.#groupsOf(counters)) {
      const [isTaken, ...figures] = await this.#takeTogether(group)
      const current = group.map((counter, index) => countOf(counter, figures.slice(2 * index), now))
      if (isTaken !== 1) {
        await this.#giveBack(taken)
        return decisionOf(current, false)
      }
      taken.push(...group)
      counts.push(...current)
    }
    return decisionOf(counts, true)
  }

  /**
   * Groups counters by server. There is one group, except in a cluster, where the counters of an account and of an address
   * may be on different servers.
   */
  #groupsOf(counters: readonly RateCounter[]): Iterable<readonly RateCounter[]> {
    if (this.#valkey.cluster === undefined) return [counters]
    return Map.groupBy(counters, (counter) => this.#tagOf(counter)).values()
  }

  async #takeTogether(counters: readonly RateCounter[]): Promise<readonly number[]> {
    const keys = counters.map((counter) => this.#keyOf(counter))
    const args = counters.flatMap(({ limit, windowMs }) => [limit, windowMs])
    return parseNumbers(await this.#valkey.ask((commands) => TAKE.run(commands, keys, args)))
  }

  /** Undoes counts, for example on one server after another server refused. */
  async #giveBack(counters: readonly RateCounter[]): Promise<void> {
    await Promise.all(
      counters.map((counter) =>
        this.#valkey.ask((commands) => GIVE_BACK.run(commands, [this.#keyOf(counter)], [])),
      ),
    )
  }

  /**
   * Returns the key of a counter. A MAC hides addresses and emails from anyone who can read Valkey. A plain hash would not:
   * all possible addresses could be hashed and compared.
   */
  #keyOf(counter: RateCounter): string {
    const name = counter.isPersonal ? this.#macs.of(counter.name) : counter.name
    return this.#valkey.name(`count:{${this.#tagOf(counter)}}:${name}`)
  }

  #tagOf({ subject, isPersonal }: RateCounter): string {
    return isPersonal ? this.#macs.of(subject) : subject
  }
}

/** @param figures the count, and the milliseconds until its window ends, which are negative without a window */
function countOf({ limit, windowMs }: RateCounter, figures: readonly number[], now: number): RateCount {
  const [count = 0, leftMs = 0] = figures
  return { limit, count, resetAt: now + (leftMs < 0 ? windowMs : leftMs) }
}

function parseNumbers(reply: unknown): number[] {
  if (!Array.isArray(reply)) throw new Error('Valkey returned an unexpected answer to a script')
  return reply.map(Number)
}
