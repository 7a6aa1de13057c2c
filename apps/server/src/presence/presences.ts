import { MAX_SPACES } from '@foyer/protocol/limits'
import type { Logger } from 'pino'
import { type Bus, topicOf } from '#src/kernel/bus.ts'
import type { Valkey } from '#src/kernel/valkey/valkey.ts'
import { type Choice, combine, type HeldChoice, isSame, type Standing } from './choices.ts'
import { SharedPresences, type Transition } from './shared-presences.ts'

export interface PresencesDeps {
  bus: Bus
  log: Logger
  /** Undefined for a process that is alone. */
  valkey: Valkey | undefined
}

/** A client's connection, as far as it makes somebody be there. */
export interface PresentConnection {
  readonly id: string
  /** Of the user, as long as the connection is open. */
  readonly spaces: ReadonlySet<string>
}

/** A change of how a user is seen, as processes tell it to each other. */
export interface PresenceChange extends Standing {
  readonly userId: string
  /** The connection that chose it, which knows. */
  readonly origin: string | undefined
  /** The user's spaces; undefined when this process does not know them. */
  readonly spaces: readonly string[] | undefined
}

/** A user with connections to this process, or who had some a moment ago. */
interface PresentUser {
  readonly connections: Map<PresentConnection, HeldChoice>
  /** What counts until the user is back, or has been away for too long. */
  away: HeldChoice | undefined
  /** How the user is seen, over all processes, as far as it was heard. */
  standing: Standing
  /** What the connections to this process last came to. */
  held: Choice | undefined
  /** Set while a write is due; `origin` is who caused it. */
  isDue: boolean
  /** To be told even if nothing seems to have changed: others may have heard something else. */
  isForced: boolean
  origin: string | undefined
  writing: Promise<void> | undefined
}

/** Who comes back within this time was never gone. */
const GRACE_MS = 10_000
const SWEEP_MS = 500
const UPKEEP_MS = 2500
const WRITTEN_AT_ONCE = 500
/** After Valkey was away: until then every process has written anew what it holds, if Valkey forgot it. */
const DOUBT_MS = 10_000
const UNKNOWN: Standing = { version: 0, choice: undefined }

/**
 * Who is there: the connections of this process, and through Valkey those of all. Every change of how somebody is seen is
 * told on the bus, once, as an event that passes.
 */
export class Presences {
  readonly #deps: PresencesDeps
  readonly #shared: SharedPresences | undefined
  readonly #users = new Map<string, PresentUser>()
  /** Users whose last change is not in Valkey. */
  readonly #unwritten = new Set<string>()
  /** When those who are away are gone, in the order in which they went. */
  readonly #graces = new Map<string, number>()
  readonly #timers: NodeJS.Timeout[] = []
  readonly #doubtListeners: (() => void)[] = []
  #epoch = 0
  #doubtEndsAt = Number.NEGATIVE_INFINITY

  constructor(deps: PresencesDeps) {
    this.#deps = deps
    this.#shared = deps.valkey && new SharedPresences(deps.valkey)
    this.#epoch = deps.bus.freshness.epoch
    this.#every(SWEEP_MS, () => this.#endGraces(performance.now()))
    if (this.#shared !== undefined) this.#every(SWEEP_MS, () => this.#doubtIf(this.#shared?.isUp === false))
    if (this.#shared !== undefined) this.#every(UPKEEP_MS, () => void this.#upkeep())
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  /** The connection is there, or wants to be seen otherwise. Resolves when it is so. */
  async choose(userId: string, connection: PresentConnection, choice: Choice): Promise<void> {
    const user = this.#users.get(userId) ?? newUser()
    this.#users.set(userId, user)
    user.connections.set(connection, { ...choice, isAway: false })
    user.away = undefined
    this.#graces.delete(userId)
    await this.#settle(userId, user, connection.id)
  }

  /** The connection is gone. Others are told when it was the last one, and none comes back for a while. */
  leave(userId: string, connection: PresentConnection): void {
    const user = this.#users.get(userId)
    const choice = user?.connections.get(connection)
    if (user === undefined || choice === undefined) return
    user.connections.delete(connection)
    if (user.connections.size === 0) this.#goAway(userId, user, { ...choice, isAway: true })
    void this.#settle(userId, user, undefined)
  }

  /** How a user with connections to this process is seen. */
  choiceOf(userId: string): Choice | undefined {
    return this.#users.get(userId)?.standing.choice
  }

  /** Users whose last connection to this process closed a moment ago. */
  away(): Iterable<string> {
    return this.#graces.keys()
  }

  /** Calls the listener when changes of presence may have passed by this process unheard. */
  onDoubt(listener: () => void): void {
    this.#doubtListeners.push(listener)
  }

  /** Whether the user has an open connection to any process. */
  async isConnected(userId: string): Promise<boolean> {
    if ((this.#users.get(userId)?.connections.size ?? 0) > 0) return true
    return this.#shared?.isConnected(userId).catch(() => false) ?? false
  }

  /** How the users are seen. Without Valkey, as far as this process knows. */
  async read(userIds: readonly string[]): Promise<Standing[]> {
    const known = () => userIds.map((id) => this.#users.get(id)?.standing ?? UNKNOWN)
    if (this.#shared === undefined || userIds.length === 0) return known()
    return this.#shared.read(userIds).catch(known)
  }

  /** As one of those who hear of it: the user of this process may be seen otherwise because of another one. */
  note(change: PresenceChange): void {
    const user = this.#users.get(change.userId)
    if (user !== undefined && change.version > user.standing.version) user.standing = standingOf(change)
  }

  #every(ms: number, work: () => void): void {
    this.#timers.push(setInterval(work, ms).unref())
  }

  #goAway(userId: string, user: PresentUser, choice: HeldChoice): void {
    user.away = choice
    this.#graces.delete(userId)
    this.#graces.set(userId, performance.now() + GRACE_MS)
  }

  /** One timer for all who are away: one each would cost more than they do. */
  #endGraces(now: number): void {
    for (const [userId, deadline] of this.#graces) {
      if (deadline > now) return
      this.#graces.delete(userId)
      const user = this.#users.get(userId)
      if (user === undefined) continue
      user.away = undefined
      void this.#settle(userId, user, undefined)
    }
  }

  /** Writes what this process holds for the user now. Changes of one user are written one after the other. */
  #settle(userId: string, user: PresentUser, origin: string | undefined): Promise<void> {
    user.isDue = true
    user.origin = origin
    user.writing ??= this.#write(userId, user)
    return user.writing
  }

  async #write(userId: string, user: PresentUser): Promise<void> {
    while (user.isDue) {
      const { origin, isForced } = user
      user.isDue = false
      user.isForced = false
      const choice = user.away ?? combine(user.connections.values())
      const isHidden = user.standing.choice?.status === 'invisible' && user.held?.status !== 'invisible'
      user.held = choice
      const transition = await this.#transit(userId, user, { choice, isHiddenElsewhere: isHidden })
      if (transition.version > user.standing.version) user.standing = standingOf(transition)
      if (isForced || !isSame(transition.before, transition.choice))
        this.#tell({ userId, ...standingOf(transition), origin, spaces: spacesOf(user) })
    }
    user.writing = undefined
    const isGone = user.away === undefined && user.connections.size === 0
    if (isGone && this.#users.get(userId) === user) this.#users.delete(userId)
  }

  async #transit(
    userId: string,
    user: PresentUser,
    { choice, isHiddenElsewhere }: { choice: HeldChoice | undefined; isHiddenElsewhere: boolean },
  ): Promise<Transition> {
    const { version, choice: before } = user.standing
    const hidden = isHiddenElsewhere && choice ? { ...choice, status: 'invisible' as const } : choice
    if (this.#shared !== undefined) {
      const due = this.#isInDoubt ? hidden : choice
      const written = await this.#shared.write(userId, due, version).catch(() => undefined)
      this.#doubtIf(written === undefined)
      if (written === undefined || due !== choice) this.#unwritten.add(userId)
      if (written !== undefined) return written
    }
    // Nobody says what the other processes hold: who hides there must not be seen because of this one.
    return { version: Math.max(version + 1, Date.now()), before, choice: hidden }
  }

  /** Whether what other processes hold may be missing in Valkey. */
  get #isInDoubt(): boolean {
    return performance.now() < this.#doubtEndsAt
  }

  #doubtIf(isAway: boolean): void {
    if (isAway) this.#doubtEndsAt = performance.now() + DOUBT_MS
  }

  #tell(change: PresenceChange): void {
    const topic = topicOf.presence(change.userId)
    const data = JSON.stringify(change)
    void this.#deps.bus.emit([{ id: undefined, audience: 0, topic, name: 'PRESENCE_CHANGE', data }])
  }

  async #upkeep(): Promise<void> {
    const shared = this.#shared
    if (shared === undefined || !shared.isUp) return
    const { epoch } = this.#deps.bus.freshness
    if (epoch !== this.#epoch) for (const listener of this.#doubtListeners) listener()
    this.#epoch = epoch
    try {
      const isKept = await shared.beat()
      this.#doubtIf(!isKept)
      await this.#rewrite(isKept ? [...this.#unwritten] : [...this.#users.keys(), ...this.#unwritten])
      await shared.sweep((userId, transition) => this.#tellSwept(userId, transition))
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'presences could not be kept up in Valkey')
    }
  }

  /** In pieces: it may be everybody. */
  async #rewrite(userIds: readonly string[]): Promise<void> {
    for (let from = 0; from < userIds.length; from += WRITTEN_AT_ONCE)
      await Promise.all(userIds.slice(from, from + WRITTEN_AT_ONCE).map((id) => this.#writeAgain(id)))
  }

  async #writeAgain(userId: string): Promise<void> {
    const user = this.#users.get(userId) ?? newUser()
    this.#users.set(userId, user)
    // What others heard while Valkey was away may not be what comes out now.
    user.isForced = this.#unwritten.delete(userId)
    await this.#settle(userId, user, undefined)
  }

  #tellSwept(userId: string, { version, before, choice }: Transition): void {
    if (isSame(before, choice)) return
    this.#tell({ userId, version, choice, origin: undefined, spaces: undefined })
  }
}

/** @param data of a PRESENCE_CHANGE */
export function decodeChange(data: string): PresenceChange {
  return JSON.parse(data)
}

function newUser(): PresentUser {
  return {
    connections: new Map(),
    away: undefined,
    standing: UNKNOWN,
    held: undefined,
    isDue: false,
    isForced: false,
    origin: undefined,
    writing: undefined,
  }
}

function standingOf({ version, choice }: Standing): Standing {
  return { version, choice }
}

/** Not of bots that are in very many, nor of who is away, and may have joined one meanwhile. */
function spacesOf({ connections }: PresentUser): string[] | undefined {
  const [connection] = connections.keys()
  return connection === undefined || connection.spaces.size > MAX_SPACES ? undefined : [...connection.spaces]
}
