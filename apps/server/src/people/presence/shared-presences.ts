import { newId } from '#src/kernel/ids.ts'
import { Script } from '#src/kernel/valkey/script.ts'
import type { Valkey } from '#src/kernel/valkey/valkey.ts'
import { type Choice, combine, type HeldChoice, type VersionedChoice } from './choices.ts'

/** The result of a write: a user's presence before and after it. */
export interface Transition extends VersionedChoice {
  readonly before: Choice | undefined
}

/**
 * Time for which a process's presences are kept after its last heartbeat. By then, its users have reconnected to
 * another process, or have left.
 */
const LIFE_MS = 10_000
const SWEPT_AT_ONCE = 200
/** Expiry after the last write, in case no process is left to sweep. */
const KEPT_SECONDS = 24 * 60 * 60

/**
 * Sets or removes the choice one process holds for a user. Returns the version, and all choices before and after. Versions
 * always grow, also past those counted while Valkey was down.
 */
const WRITE = new Script(`
  local before = redis.call('hgetall', KEYS[1])
  local time = redis.call('time')
  local latest = math.max(tonumber(redis.call('hget', KEYS[1], 'version') or '0'), tonumber(ARGV[3]))
  local version = math.max(latest + 1, time[1] * 1000 + math.floor(time[2] / 1000))
  if ARGV[2] == '' then redis.call('hdel', KEYS[1], ARGV[1]) else redis.call('hset', KEYS[1], ARGV[1], ARGV[2]) end
  redis.call('hset', KEYS[1], 'version', string.format('%.0f', version))
  if redis.call('hlen', KEYS[1]) == 1 then redis.call('del', KEYS[1]) else redis.call('expire', KEYS[1], ARGV[4]) end
  return {string.format('%.0f', version), before, redis.call('hgetall', KEYS[1])}`)

/**
 * The presences of all processes of the installation, in Valkey: for each user one choice per process. A process
 * without heartbeats is swept by others. A process that was swept, or finds Valkey empty, registers again under a new
 * name, so that its new choices are not swept.
 */
export class SharedPresences {
  readonly #valkey: Valkey
  #name = ''
  #begun: Promise<void> | undefined

  constructor(valkey: Valkey) {
    this.#valkey = valkey
  }

  get isUp(): boolean {
    return this.#valkey.isUp
  }

  /** @returns false when the choices of this process may be lost and must be written again */
  async beat(): Promise<boolean> {
    const { commands } = this.#valkey
    const isKept =
      this.#begun !== undefined && (await commands.pexpire(this.#lifeOf(this.#name), LIFE_MS)) === 1
    if (!isKept) this.#begun = undefined
    await this.#begin()
    return isKept
  }

  /**
   * @param choice undefined when the user has no connection to this process
   * @param floor the new version is greater than this
   */
  async write(userId: string, choice: HeldChoice | undefined, floor: number): Promise<Transition> {
    return this.#valkey.ask(async (commands) => {
      await this.#begin()
      const users = this.#usersOf(this.#name)
      const [transition] = await Promise.all([
        this.#write(this.#name, userId, { choice, floor }),
        choice === undefined ? commands.srem(users, userId) : commands.sadd(users, userId),
      ])
      return transition
    })
  }

  async read(userIds: readonly string[]): Promise<VersionedChoice[]> {
    const [[seconds, micros], ...hashes] = await this.#valkey.ask((commands) =>
      Promise.all([commands.time(), ...userIds.map((id) => commands.hgetall(this.#keyOf(id)))]),
    )
    // Version of a user without choices: newer than any earlier write, and older than any later one.
    const absent = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000) - 1
    return hashes.map(({ version, ...held }) => ({
      version: Number(version ?? absent),
      choice: combine(Object.values(held).map(decodeChoice)),
    }))
  }

  /** Returns true if the user has an open connection to any process. */
  async isConnected(userId: string): Promise<boolean> {
    const key = this.#keyOf(userId)
    const { version: _, ...held } = await this.#valkey.ask((commands) => commands.hgetall(key))
    return Object.values(held).some((text) => !decodeChoice(text).isAway)
  }

  /** Removes choices of ended processes. Several processes may sweep simultaneously. */
  async sweep(onSwept: (userId: string, transition: Transition) => void): Promise<void> {
    const names = await this.#valkey.commands.smembers(this.#processes)
    for (const name of names) {
      const isAlive = name === this.#name || (await this.#valkey.commands.exists(this.#lifeOf(name))) === 1
      if (!isAlive) await this.#sweepProcess(name, onSwept)
    }
  }

  /** Registers first, so that other processes can sweep every choice this one writes. */
  #begin(): Promise<void> {
    this.#begun ??= this.#register().catch((error) => {
      this.#begun = undefined
      throw error
    })
    return this.#begun
  }

  async #register(): Promise<void> {
    const name = newId()
    await this.#valkey.commands.set(this.#lifeOf(name), '1', 'PX', LIFE_MS)
    await this.#valkey.commands.sadd(this.#processes, name)
    this.#name = name
  }

  async #sweepProcess(
    name: string,
    onSwept: (userId: string, transition: Transition) => void,
  ): Promise<void> {
    const { commands } = this.#valkey
    // The swept process is unlisted last: if this process ends during the sweep, another one continues.
    let userIds = await commands.srandmember(this.#usersOf(name), SWEPT_AT_ONCE)
    while (userIds.length > 0) {
      const sweepUser = async (userId: string) =>
        onSwept(userId, await this.#write(name, userId, { choice: undefined, floor: 0 }))
      await Promise.all(userIds.map(sweepUser))
      await commands.srem(this.#usersOf(name), ...userIds)
      userIds = await commands.srandmember(this.#usersOf(name), SWEPT_AT_ONCE)
    }
    await commands.srem(this.#processes, name)
  }

  async #write(
    name: string,
    userId: string,
    { choice, floor }: { choice: HeldChoice | undefined; floor: number },
  ): Promise<Transition> {
    const text = choice === undefined ? '' : JSON.stringify(choice)
    const given = [name, text, floor, KEPT_SECONDS]
    return decodeTransition(await WRITE.run(this.#valkey.commands, [this.#keyOf(userId)], given))
  }

  get #processes(): string {
    return this.#valkey.name('presence-processes')
  }

  #lifeOf(name: string): string {
    return this.#valkey.name(`presence-life:${name}`)
  }

  #usersOf(name: string): string {
    return this.#valkey.name(`presence-users:${name}`)
  }

  #keyOf(userId: string): string {
    return this.#valkey.name(`presence:${userId}`)
  }
}

function decodeTransition(answer: unknown): Transition {
  if (!Array.isArray(answer)) throw new Error('Valkey returned an unexpected answer to a write of a presence')
  const [version, before, after] = answer
  return { version: Number(version), before: combineFields(before), choice: combineFields(after) }
}

/** Combines a hash of alternating fields and values. */
function combineFields(hash: unknown): HeldChoice | undefined {
  const texts = Array.isArray(hash) ? hash.map(String) : []
  const held = texts.filter((_, index) => index % 2 === 1 && texts[index - 1] !== 'version')
  return combine(held.map(decodeChoice))
}

/** Parses a choice that this program wrote. */
function decodeChoice(text: string): HeldChoice {
  return JSON.parse(text)
}
