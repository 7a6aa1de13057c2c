import { MAX_LISTED_OFFLINE } from '@foyer/protocol/limits'
import type { MemberWithUser } from '@foyer/protocol/members'
import { foldName } from '@foyer/protocol/words'
import type { Logger } from 'pino'
import type { Database } from '#src/kernel/database.ts'
import { findMemberCount, listMemberIds, listPlaced, type PlacedMember } from '#src/members/list-queries.ts'
import { listMembersById } from '#src/members/queries.ts'
import { publicPresence, type Standing } from '#src/presence/choices.ts'
import type { Presences } from '#src/presence/presences.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import type { Connection } from './connection.ts'
import { type ListContent, ListView, type Look, listFrame } from './list-view.ts'
import { MemberList } from './member-list.ts'
import { isSamePresence, offlinePresence, presenceFrame } from './presence-frames.ts'
import type { Watchers } from './watchers.ts'

export interface SpaceListDeps {
  database: Database
  snapshots: Snapshots
  presences: Presences
  watchers: Watchers
  log: Logger
  /** Has all processes tell which members they know of, to `touch`. */
  askForMembers(spaceId: string): void
}

/** Changes are told together, once in so long. */
const TOLD_EVERY_MS = 1000
/** What comes with a change is told with it. */
const TOLD_SOON_MS = 50
const LOADED_AT_ONCE = 1000
const MAX_ROWS = 5000

/**
 * The list of the members of one space, as long as somebody looks at it: all members of a small space, and those of a large
 * one who are online. What changes is looked up and told behind the event, all of it within a second together.
 */
export class SpaceList {
  readonly spaceId: string
  readonly #deps: SpaceListDeps
  readonly #list = new MemberList([])
  /** How those are seen of whom it is known. */
  readonly #standings = new Map<string, Standing>()
  /** Who may have come, gone or changed. */
  readonly #stale = new Set<string>()
  readonly #lookedUp = new Set<string>()
  readonly #rows = new Map<string, MemberWithUser>()
  readonly #views = new Map<string, ListView>()
  readonly #viewOf = new Map<Connection, ListView>()
  #isLoaded = false
  #showsOffline = true
  #memberCount = 0
  #mayHaveOtherRoles = true
  #timer: NodeJS.Timeout | undefined
  #toldAt = Number.NEGATIVE_INFINITY
  /** What is looked up and told, one after the other. */
  #work: Promise<unknown> = Promise.resolve()
  readonly #behind = new Set<Connection>()

  constructor(spaceId: string, deps: SpaceListDeps) {
    this.spaceId = spaceId
    this.#deps = deps
  }

  get isUnseen(): boolean {
    return this.#viewOf.size === 0
  }

  isSeenBy(connection: Connection): boolean {
    return this.#viewOf.has(connection)
  }

  /** Whether the user is in the list, or may be in a moment. */
  concerns(userId: string): boolean {
    return this.#list.get(userId) !== undefined || this.#lookedUp.has(userId)
  }

  /** From here on the connection sees these parts of the list. */
  async show(connection: Connection, look: Look): Promise<void> {
    this.hide(connection)
    // Those to whom nobody is hidden see the same.
    const key = JSON.stringify([look.ranges, look.hearsPresence, look.hidden.size > 0 ? connection.id : ''])
    const view = this.#views.get(key) ?? new ListView(look)
    this.#views.set(key, view)
    view.connections.add(connection)
    this.#viewOf.set(connection, view)
    await this.#inTurn(() => this.#answer(connection, view))
  }

  hide(connection: Connection): void {
    const view = this.#viewOf.get(connection)
    view?.connections.delete(connection)
    this.#viewOf.delete(connection)
    for (const [key, { connections }] of this.#views) if (connections.size === 0) this.#views.delete(key)
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  /** Somebody whom the list concerns is seen otherwise than before. */
  hearStanding(userId: string, standing: Standing): void {
    const known = this.#standings.get(userId)
    if (known !== undefined && known.version >= standing.version) return
    this.#standings.set(userId, standing)
    const before = publicPresence(userId, known?.choice)
    const after = publicPresence(userId, standing.choice)
    if (isSamePresence(before, after)) return
    const frame = presenceFrame(after ?? offlinePresence(userId))
    for (const view of this.#views.values()) view.tellPresence(userId, frame, this.#deps.watchers)
    const isPlaced = this.#list.get(userId)?.isOnline && after !== undefined
    if (!isPlaced) this.touch([userId])
  }

  /** Looks anew at these users. */
  touch(userIds: Iterable<string>): void {
    for (const userId of userIds) this.#stale.add(userId)
    this.#schedule()
  }

  touchAll(): void {
    this.touch([...this.#list.userIds()])
  }

  touchRoles(): void {
    this.#mayHaveOtherRoles = true
    this.#schedule()
  }

  count(members: number): void {
    this.#memberCount = members
    this.#schedule()
  }

  async #load(): Promise<void> {
    const { database } = this.#deps
    const userIds = await listMemberIds(database, this.spaceId, MAX_LISTED_OFFLINE)
    this.#showsOffline = userIds !== undefined
    this.#memberCount = await findMemberCount(database, this.spaceId)
    if (userIds === undefined) this.#deps.askForMembers(this.spaceId)
    for (const userId of userIds ?? []) this.#stale.add(userId)
    this.#isLoaded = true
  }

  /** What failed for one does not keep the next from trying, and is tried again for as long as somebody looks. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work)
    this.#work = done.catch(() => {
      if (!this.isUnseen) this.#schedule()
    })
    return done
  }

  #schedule(): void {
    const now = performance.now()
    const delayMs = Math.max(TOLD_SOON_MS, this.#toldAt + TOLD_EVERY_MS - now)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#toldAt = performance.now()
      this.#inTurn(() => this.#tellChanges()).catch((error) => this.#fail(error))
    }, delayMs).unref()
  }

  #fail(error: unknown): void {
    this.#deps.log.error({ err: error }, 'a list of members could not be brought up to date')
  }

  async #tellChanges(): Promise<void> {
    await this.#update()
    for (const view of [...this.#views.values()]) await this.#tellChange(view)
    this.#forgetRows()
  }

  async #tellChange(view: ListView): Promise<void> {
    await this.#loadRows(view)
    const update = view.change(this.#contentFor(view))
    if (update === undefined) return
    const frame = listFrame(update)
    for (const connection of [...view.connections]) {
      if (connection.isBehind) this.#answerLater(connection, view)
      else connection.hear(frame, true)
    }
  }

  async #answer(connection: Connection, view: ListView): Promise<void> {
    try {
      await this.#update()
      await this.#loadRows(view)
    } catch (error) {
      view.owe()
      throw error
    }
    if (this.#viewOf.get(connection) !== view) return
    connection.hear(listFrame(view.whole(this.#contentFor(view))), false)
  }

  /** A change goes on from the one before, which a slow reader would lose. */
  #answerLater(connection: Connection, view: ListView): void {
    if (this.#behind.has(connection)) return
    this.#behind.add(connection)
    connection
      .drained()
      .then(() => this.#inTurn(() => this.#answer(connection, view)))
      .catch((error) => this.#fail(error))
      .finally(() => this.#behind.delete(connection))
  }

  #contentFor({ look }: ListView): ListContent {
    return {
      seen: this.#list.seenBy(look.hidden, this.#showsOffline),
      spaceId: this.spaceId,
      memberCount: this.#memberCount,
      rowOf: (userId) => this.#rows.get(userId),
      presenceOf: (userId) => publicPresence(userId, this.#standings.get(userId)?.choice),
    }
  }

  async #loadRows(view: ListView): Promise<void> {
    const { seen } = this.#contentFor(view)
    const userIds = new Set(view.look.ranges.flatMap(([from, to]) => seen.range(from, to)))
    const unknown = [...userIds].filter((userId) => !this.#rows.has(userId))
    if (unknown.length === 0) return
    for (const row of await listMembersById(this.#deps.database, this.spaceId, unknown))
      if (!this.#stale.has(row.user_id)) this.#rows.set(row.user_id, row)
  }

  /** Of those who scroll through a large list. */
  #forgetRows(): void {
    if (this.#rows.size <= MAX_ROWS) return
    const views = [...this.#views.values()]
    for (const userId of this.#rows.keys())
      if (!views.some((view) => view.shows(userId))) this.#rows.delete(userId)
  }

  /** Looks up everybody who may have changed. */
  async #update(): Promise<void> {
    if (!this.#isLoaded) await this.#load()
    if (this.#mayHaveOtherRoles) await this.#hoist()
    while (this.#stale.size > 0) await this.#updateSome([...this.#stale].slice(0, LOADED_AT_ONCE))
  }

  async #hoist(): Promise<void> {
    // Before the look-up: what changes meanwhile is looked up once more.
    this.#mayHaveOtherRoles = false
    const snapshot = await this.#deps.snapshots.find(this.spaceId).catch((error: unknown) => {
      this.#mayHaveOtherRoles = true
      throw error
    })
    const roles = [...(snapshot?.roles.values() ?? [])]
    const hoisted = roles.filter((role) => role.hoisted && role.id !== this.spaceId)
    this.#list.hoist(hoisted.sort((one, other) => other.position - one.position).map(({ id }) => id))
  }

  async #updateSome(userIds: readonly string[]): Promise<void> {
    for (const userId of userIds) {
      this.#stale.delete(userId)
      this.#rows.delete(userId)
      this.#lookedUp.add(userId)
    }
    const [placed, standings] = await this.#lookUp(userIds)
    for (const [index, standing] of standings.entries()) {
      const userId = userIds[index]
      if (userId !== undefined) this.#noteStanding(userId, standing)
    }
    const members = new Map(placed.map((member) => [member.user_id, member]))
    for (const userId of userIds) {
      const member = members.get(userId)
      const isOnline = publicPresence(userId, this.#standings.get(userId)?.choice) !== undefined
      if (member === undefined || !(isOnline || this.#showsOffline)) this.#drop(userId)
      else this.#list.set({ userId, name: foldName(member.name), roles: member.roles, isOnline })
    }
    this.#lookedUp.clear()
  }

  async #lookUp(userIds: readonly string[]): Promise<[PlacedMember[], Standing[]]> {
    try {
      const { database, presences } = this.#deps
      return await Promise.all([listPlaced(database, this.spaceId, userIds), presences.read(userIds)])
    } catch (error) {
      this.#lookedUp.clear()
      for (const userId of userIds) this.#stale.add(userId)
      throw error
    }
  }

  #noteStanding(userId: string, standing: Standing): void {
    const known = this.#standings.get(userId)
    if (known === undefined || known.version < standing.version) this.#standings.set(userId, standing)
  }

  #drop(userId: string): void {
    this.#list.remove(userId)
    this.#standings.delete(userId)
  }
}
