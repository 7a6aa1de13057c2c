import type { UserStatus } from '@foyer/protocol/presence'
import type { Logger } from 'pino'
import { type Bus, topicOf } from '#src/kernel/journal/bus.ts'
import { Batched } from '#src/kernel/sql/batched.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import type { Valkey } from '#src/kernel/valkey/valkey.ts'
import { type Choice, type HeldChoice, isSame, type VersionedChoice } from './choices.ts'
import {
  heldBy,
  newUser,
  type PresentConnection,
  type PresentUser,
  spacesOf,
  UNKNOWN,
  versionedOf,
} from './present-user.ts'
import { DEFAULT_STATUS, listChosenStatuses } from './queries.ts'
import { SharedPresences, type Transition } from './shared-presences.ts'

export interface PresencesDeps {
  bus: Bus
  database: Queryable
  log: Logger
  /** Undefined for the only process of an installation. */
  valkey: Valkey | undefined
}

/** A change of a user's presence, as processes exchange it. */
export interface PresenceChange extends VersionedChoice {
  readonly userId: string
  /** The connection that made the change and needs no event. */
  readonly origin: string | undefined
  /** The user's spaces; undefined when this process does not know them. */
  readonly spaces: readonly string[] | undefined
}

/** Users who return within this time never appear offline. */
const GRACE_MS = 10_000
const SWEEP_MS = 500
const UPKEEP_MS = 2500
const WRITTEN_AT_ONCE = 500
const STATUS_BATCHES = { maxKeys: 100, atOnce: 2, pauseMs: 10 }
/** Time after an outage of Valkey in which every process writes its choices again, if Valkey lost them. */
const DOUBT_MS = 10_000

/**
 * Presence of users: from this process's connections, and through Valkey from all processes. Publishes each change once, as an
 * event that is not journaled.
 */
export class Presences {
  readonly #deps: PresencesDeps
  readonly #shared: SharedPresences | undefined
  readonly #chosenStatuses: Batched<string, UserStatus>
  readonly #users = new Map<string, PresentUser>()
  /** Users whose last change is not in Valkey. */
  readonly #unwritten = new Set<string>()
  /** Deadlines of disconnected users, in the order in which they left. */
  readonly #graces = new Map<string, number>()
  readonly #timers: NodeJS.Timeout[] = []
  readonly #doubtListeners: (() => void)[] = []
  #epoch = 0
  #doubtEndsAt = Number.NEGATIVE_INFINITY

  constructor(deps: PresencesDeps) {
    this.#deps = deps
    this.#shared = deps.valkey && new SharedPresences(deps.valkey)
    this.#chosenStatuses = new Batched(STATUS_BATCHES, async (userIds) => {
      const statuses = await listChosenStatuses(deps.database, userIds)
      return (userId) => statuses.get(userId) ?? DEFAULT_STATUS
    })
    this.#epoch = deps.bus.freshness.epoch
    this.#every(SWEEP_MS, () => this.#endGraces(performance.now()))
    if (this.#shared !== undefined) this.#every(SWEEP_MS, () => this.#doubtIf(this.#shared?.isUp === false))
    if (this.#shared !== undefined) this.#every(UPKEEP_MS, () => void this.#upkeep())
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  /** Records a connection or its new choice. Resolves after the write. */
  async choose(userId: string, connection: PresentConnection, choice: Choice): Promise<void> {
    const user = this.#users.get(userId) ?? newUser()
    this.#users.set(userId, user)
    // Without a connection, this process did not receive changes of the chosen status.
    const isStale = user.chosen === undefined || user.connections.size === 0
    user.connections.set(connection, { ...choice, isAway: false })
    user.away = undefined
    this.#graces.delete(userId)
    if (isStale) await this.#readChosen(userId, user)
    await this.#settle(userId, user, connection.id)
  }

  /** Applies a status that the user chose for all devices. */
  noteChosen(userId: string, chosen: UserStatus): void {
    const user = this.#users.get(userId)
    if (user === undefined) return
    user.chosen = chosen
    user.reading = undefined
    void this.#settle(userId, user, undefined)
  }

  /** Returns the status that a connected user chose for all devices. */
  chosenBy(userId: string): UserStatus {
    return this.#users.get(userId)?.chosen ?? DEFAULT_STATUS
  }

  /** Removes a connection. After the last one the user appears offline, unless they return soon. */
  leave(userId: string, connection: PresentConnection): void {
    const user = this.#users.get(userId)
    const choice = user?.connections.get(connection)
    if (user === undefined || choice === undefined) return
    user.connections.delete(connection)
    if (user.connections.size === 0) this.#goAway(userId, user, { ...choice, isAway: true })
    void this.#settle(userId, user, undefined)
  }

  /** Returns the presence of a user with connections to this process. */
  choiceOf(userId: string): Choice | undefined {
    return this.#users.get(userId)?.versioned.choice
  }

  /** Users whose last connection to this process closed a moment ago. */
  away(): Iterable<string> {
    return this.#graces.keys()
  }

  /** Calls the listener when this process may have missed changes of presence. */
  onDoubt(listener: () => void): void {
    this.#doubtListeners.push(listener)
  }

  /** Returns true if the user has an open connection to any process; undefined while Valkey is unavailable. */
  async isConnected(userId: string): Promise<boolean | undefined> {
    if ((this.#users.get(userId)?.connections.size ?? 0) > 0) return true
    if (this.#shared === undefined) return false
    const isConnected = await this.#shared.isConnected(userId).catch(() => undefined)
    return isConnected || !this.#isInDoubt ? isConnected : undefined
  }

  /** Reads the presences of users. Without Valkey, only the presences known to this process. */
  async read(userIds: readonly string[]): Promise<VersionedChoice[]> {
    const known = () => userIds.map((id) => this.#users.get(id)?.versioned ?? UNKNOWN)
    if (this.#shared === undefined || userIds.length === 0) return known()
    return this.#shared.read(userIds).catch(known)
  }

  /** Applies a change from another process. */
  note(change: PresenceChange): void {
    const user = this.#users.get(change.userId)
    if (user !== undefined && change.version > user.versioned.version) user.versioned = versionedOf(change)
  }

  async #readChosen(userId: string, user: PresentUser): Promise<void> {
    const reading = {}
    user.reading = reading
    const chosen = await this.#chosenStatuses.ask(userId)
    if (user.reading === reading) user.chosen = chosen
  }

  #every(ms: number, work: () => void): void {
    this.#timers.push(setInterval(work, ms).unref())
  }

  #goAway(userId: string, user: PresentUser, choice: HeldChoice): void {
    user.away = choice
    this.#graces.delete(userId)
    this.#graces.set(userId, performance.now() + GRACE_MS)
  }

  /** Ends grace periods that are over. One timer serves all users: one each would cost more than the rest of their state. */
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

  /** Writes the current choice of a user. Writes of one user run one after the other. */
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
      const choice = heldBy(user)
      const isHidden = user.versioned.choice?.status === 'invisible' && user.held?.status !== 'invisible'
      user.held = choice
      const transition = await this.#transit(userId, user, { choice, isHiddenElsewhere: isHidden })
      if (transition.version > user.versioned.version) user.versioned = versionedOf(transition)
      if (isForced || !isSame(transition.before, transition.choice))
        this.#publish({ userId, ...versionedOf(transition), origin, spaces: spacesOf(user) })
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
    const { version, choice: before } = user.versioned
    const hidden = isHiddenElsewhere && choice ? { ...choice, status: 'invisible' as const } : choice
    if (this.#shared !== undefined) {
      const due = this.#isInDoubt ? hidden : choice
      const written = await this.#shared.write(userId, due, version).catch(() => undefined)
      this.#doubtIf(written === undefined)
      if (written === undefined || due !== choice) this.#unwritten.add(userId)
      if (written !== undefined) return written
    }
    // Choices of other processes are unknown: users who are invisible there must stay invisible.
    return { version: Math.max(version + 1, Date.now()), before, choice: hidden }
  }

  /** True while choices of other processes may be missing in Valkey. */
  get #isInDoubt(): boolean {
    return performance.now() < this.#doubtEndsAt
  }

  #doubtIf(isAway: boolean): void {
    if (isAway) this.#doubtEndsAt = performance.now() + DOUBT_MS
  }

  #publish(change: PresenceChange): void {
    const topic = topicOf.presence(change.userId)
    const data = JSON.stringify(change)
    void this.#deps.bus.emit([{ id: undefined, audience: 0, topic, name: 'PRESENCE_CHANGE', data }])
  }

  async #upkeep(): Promise<void> {
    const shared = this.#shared
    if (shared === undefined || !shared.isUp) return
    const { epoch } = this.#deps.bus.freshness
    if (epoch !== this.#epoch) {
      for (const listener of this.#doubtListeners) listener()
      // Not awaited: heartbeats must not wait for the database.
      void this.#readAllChosen()
    }
    this.#epoch = epoch
    try {
      const isKept = await shared.beat()
      this.#doubtIf(!isKept)
      await this.#rewrite(isKept ? [...this.#unwritten] : [...this.#users.keys(), ...this.#unwritten])
      await shared.sweep((userId, transition) => this.#publishSwept(userId, transition))
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'updating presences in Valkey failed')
    }
  }

  /** Reads the chosen statuses again, because changes may have been lost. */
  async #readAllChosen(): Promise<void> {
    const readAgain = async ([userId, user]: [string, PresentUser]) => {
      const before = user.chosen
      await this.#readChosen(userId, user)
      if (user.chosen?.status !== before?.status) void this.#settle(userId, user, undefined)
    }
    await Promise.all([...this.#users].map(readAgain)).catch((error) =>
      this.#deps.log.debug({ err: error }, 'chosen statuses could not be read again'),
    )
  }

  /** Writes in batches, because the list may contain every user. */
  async #rewrite(userIds: readonly string[]): Promise<void> {
    for (let from = 0; from < userIds.length; from += WRITTEN_AT_ONCE)
      await Promise.all(userIds.slice(from, from + WRITTEN_AT_ONCE).map((id) => this.#writeAgain(id)))
  }

  async #writeAgain(userId: string): Promise<void> {
    const user = this.#users.get(userId) ?? newUser()
    this.#users.set(userId, user)
    // Other processes may have received a different state while Valkey was down.
    user.isForced = this.#unwritten.delete(userId)
    await this.#settle(userId, user, undefined)
  }

  #publishSwept(userId: string, { version, before, choice }: Transition): void {
    if (isSame(before, choice)) return
    this.#publish({ userId, version, choice, origin: undefined, spaces: undefined })
  }
}

/** @param data of a PRESENCE_CHANGE */
export function decodeChange(data: string): PresenceChange {
  return JSON.parse(data)
}
