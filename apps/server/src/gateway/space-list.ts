import { MAX_LISTED_OFFLINE } from '@foyer/protocol/limits'
import { foldName } from '@foyer/protocol/words'
import type { Logger } from 'pino'
import type { Database } from '#src/kernel/database.ts'
import { findMemberCount, listMemberIds, listPlaced, type PlacedMember } from '#src/members/list-queries.ts'
import type { Standing } from '#src/presence/choices.ts'
import type { Presences } from '#src/presence/presences.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import type { Connection } from './connection.ts'
import type { Gates } from './gates.ts'
import { KnownStandings } from './known-standings.ts'
import { ListRows } from './list-rows.ts'
import { ListTurns } from './list-turns.ts'
import { type ListContent, type ListView, type Look, listFrame } from './list-view.ts'
import { ListViews } from './list-views.ts'
import type { Listeners } from './listeners.ts'
import { isSamePresence, offlinePresence, presenceFrame } from './presence-frames.ts'
import { type RoomList, RoomLists } from './room-lists.ts'
import { ViewerCounts } from './viewer-counts.ts'
import type { Watchers } from './watchers.ts'

export interface SpaceListDeps {
  database: Database
  snapshots: Snapshots
  presences: Presences
  watchers: Watchers
  listeners: Listeners
  gates: Gates
  log: Logger
  /** Has all processes tell which members they know of, to `touch`. */
  askForMembers(spaceId: string): void
  /** The connection's user may not view any more what it looks at. */
  end(connection: Connection): void
}

const LOADED_AT_ONCE = 1000

/**
 * The lists of the members of one space and its rooms, as long as somebody looks at one: all members of a small space, and
 * those of a large one who are online. What changes is looked up and told behind the event, all of it within a second together.
 */
export class SpaceList {
  readonly spaceId: string
  readonly #deps: SpaceListDeps
  readonly #lists = new RoomLists()
  readonly #standings = new KnownStandings()
  /** Who may have come, gone or changed. */
  readonly #stale = new Set<string>()
  readonly #lookedUp = new Set<string>()
  readonly #rows: ListRows
  readonly #counts: ViewerCounts
  readonly #views = new ListViews()
  #isLoaded = false
  #showsOffline = true
  #memberCount = 0
  #isStructureStale = true
  readonly #turns: ListTurns
  readonly #behind = new Set<Connection>()

  constructor(spaceId: string, deps: SpaceListDeps) {
    this.spaceId = spaceId
    this.#deps = deps
    this.#rows = new ListRows(deps.database, spaceId)
    this.#counts = new ViewerCounts(deps.database, spaceId)
    this.#turns = new ListTurns({
      log: deps.log,
      tellChanges: () => this.#tellChanges(),
      isWanted: () => !this.isUnseen,
    })
  }

  get isUnseen(): boolean {
    return this.#views.isEmpty
  }

  /** Whether the user is in the list, or may be in a moment. */
  concerns(userId: string): boolean {
    return this.#lists.whole.get(userId) !== undefined || this.#lookedUp.has(userId)
  }

  /** From here on the connection sees these parts of the list. */
  async show(connection: Connection, look: Look): Promise<void> {
    this.#lists.forgetUnseen(this.#views.rooms())
    const view = this.#views.enter(connection, look)
    await this.#turns.take(() => this.#answer(connection, view))
  }

  hide(connection: Connection): void {
    this.#views.leave(connection)
  }

  close(): void {
    this.#turns.close()
  }

  /** Somebody whom the list concerns is seen otherwise than before. */
  hearStanding(userId: string, standing: Standing): void {
    const before = this.#standings.presenceOf(userId)
    if (!this.#standings.note(userId, standing)) return
    const after = this.#standings.presenceOf(userId)
    if (isSamePresence(before, after)) return
    const frame = presenceFrame(after ?? offlinePresence(userId))
    for (const view of this.#views.all()) {
      const mayLook = (connection: Connection) => this.#mayLook(connection, view)
      view.tellPresence(userId, frame, { watchers: this.#deps.watchers, mayLook })
    }
    const isPlaced = this.#lists.whole.get(userId)?.isOnline && after !== undefined
    if (!isPlaced) this.touch([userId])
  }

  /** Looks anew at these users. */
  touch(userIds: Iterable<string>): void {
    for (const userId of userIds) this.#stale.add(userId)
    this.#turns.tellSoon()
  }

  touchAll(): void {
    this.touch([...this.#lists.whole.userIds()])
  }

  touchStructure(): void {
    this.#isStructureStale = true
    this.#turns.tellSoon()
  }

  /** @param memberCount how many members there are, where that is others than before */
  changeMember(userId: string, memberCount: number | undefined): void {
    this.#memberCount = memberCount ?? this.#memberCount
    this.#counts.doubt()
    this.touch([userId])
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

  async #tellChanges(): Promise<void> {
    await this.#update()
    const views = this.#views.all()
    await this.#count()
    for (const view of views) await this.#tellChange(view)
    // Of rooms that nobody looks at any more, and of those who scroll through a large list.
    this.#lists.forgetUnseen(this.#views.rooms())
    this.#rows.trim((userId) => this.#views.show(userId))
  }

  async #tellChange(view: ListView): Promise<void> {
    await this.#prepare(view)
    for (const connection of [...view.connections])
      if (!this.#hearsRoom(connection, view)) this.#deps.end(connection)
    const content = this.#contentFor(view)
    const update = content && view.change(content)
    const connections = [...view.connections].filter((connection) => this.#mayLook(connection, view))
    if (connections.length < view.connections.size) view.owe()
    if (update === undefined) return
    const frame = listFrame(update)
    for (const connection of connections) {
      if (connection.isBehind) this.#answerLater(connection, view)
      else connection.hear(frame, true)
    }
  }

  async #answer(connection: Connection, view: ListView): Promise<void> {
    try {
      await this.#update()
      await this.#count()
      await this.#prepare(view)
    } catch (error) {
      view.owe()
      throw error
    }
    if (this.#views.of(connection) !== view) return
    const content = this.#mayLook(connection, view) ? this.#contentFor(view) : undefined
    if (content !== undefined) return connection.hear(listFrame(view.whole(content)), false)
    view.owe()
    this.#turns.tellSoon()
  }

  /** A change goes on from the one before, which a slow reader would lose. */
  #answerLater(connection: Connection, view: ListView): void {
    if (this.#behind.has(connection)) return
    this.#behind.add(connection)
    connection
      .drained()
      .then(() => this.#turns.take(() => this.#answer(connection, view)))
      .catch((error) => this.#turns.fail(error))
      .finally(() => this.#behind.delete(connection))
  }

  /**
   * Both by what the gateway tells of the room, and by what would be told here, which may be further: who is in the space's
   * list and not in the room's is about to hear that they lost it.
   */
  #mayLook(connection: Connection, view: ListView): boolean {
    const userId = connection.caller?.user.id ?? ''
    const isViewer = this.#lists.of(view.look.roomId)?.list.get(userId) !== undefined
    const isOutside = !isViewer && this.#lists.whole.get(userId) !== undefined
    return view.look.roomId === null || (!isOutside && this.#hearsRoom(connection, view))
  }

  #hearsRoom(connection: Connection, { look: { roomId } }: ListView): boolean {
    return this.#deps.listeners.hearsRoom(connection, this.spaceId, roomId)
  }

  /** Undefined for a room that is gone. */
  #contentFor({ look }: ListView): ListContent | undefined {
    const shown = this.#lists.of(look.roomId)
    return (
      shown && {
        seen: shown.list.seenBy(look.hidden, this.#showsOffline),
        spaceId: this.spaceId,
        memberCount: this.#countOf(shown),
        rowOf: (userId) => this.#rows.get(userId),
        presenceOf: (userId) => this.#standings.presenceOf(userId),
      }
    )
  }

  #countOf({ list, viewers }: RoomList): number {
    if (viewers === undefined) return this.#memberCount
    return this.#showsOffline ? list.size : (this.#counts.of(viewers) ?? list.size)
  }

  /** What it takes to draw the view, at a moment when nobody is about to hear that they lost or gained rooms. */
  async #prepare({ look }: ListView): Promise<void> {
    const list = this.#lists.of(look.roomId)?.list
    const seen = list?.seenBy(look.hidden, this.#showsOffline)
    const userIds = look.ranges.flatMap(([from, to]) => seen?.range(from, to) ?? [])
    await this.#rows.load(userIds, (userId) => this.#stale.has(userId))
    await this.#deps.gates.allOpen([this.spaceId])
  }

  async #count(): Promise<void> {
    if (this.#showsOffline) return
    const viewers = this.#lists.viewersOf(this.#views.rooms())
    if (!(await this.#counts.refresh(viewers, this.#memberCount))) this.#turns.tellSoon()
  }

  /** Looks up everybody who may have changed. */
  async #update(): Promise<void> {
    if (!this.#isLoaded) await this.#load()
    if (this.#isStructureStale) await this.#adoptStructure()
    while (this.#stale.size > 0) await this.#updateSome([...this.#stale].slice(0, LOADED_AT_ONCE))
  }

  async #adoptStructure(): Promise<void> {
    // Before the look-up: what changes meanwhile is looked up once more.
    this.#isStructureStale = false
    const snapshot = await this.#deps.snapshots.find(this.spaceId).catch((error: unknown) => {
      this.#isStructureStale = true
      throw error
    })
    this.#lists.adopt(snapshot)
  }

  async #updateSome(userIds: readonly string[]): Promise<void> {
    for (const userId of userIds) {
      this.#stale.delete(userId)
      this.#rows.forget(userId)
      this.#lookedUp.add(userId)
    }
    const [placed, standings] = await this.#lookUp(userIds)
    for (const [index, standing] of standings.entries()) {
      const userId = userIds[index]
      if (userId !== undefined) this.#standings.note(userId, standing)
    }
    const members = new Map(placed.map((member) => [member.user_id, member]))
    for (const userId of userIds) {
      const member = members.get(userId)
      const isOnline = this.#standings.presenceOf(userId) !== undefined
      if (member === undefined || !(isOnline || this.#showsOffline)) this.#drop(userId)
      else this.#lists.set({ userId, name: foldName(member.name), roles: member.roles, isOnline })
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

  #drop(userId: string): void {
    this.#lists.remove(userId)
    this.#standings.forget(userId)
  }
}
