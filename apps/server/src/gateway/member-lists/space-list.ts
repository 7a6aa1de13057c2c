import { MAX_LISTED_OFFLINE } from '@foyer/protocol/limits'
import { foldName } from '@foyer/protocol/words'
import type { Logger } from 'pino'
import type { Database } from '#src/kernel/database/database.ts'
import { findMemberCount, listMemberIds, listPlaced, type PlacedMember } from '#src/members/list-queries.ts'
import type { VersionedChoice } from '#src/people/presence/choices.ts'
import type { Presences } from '#src/people/presence/presences.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import type { Connection } from '../connections/connection.ts'
import type { EventHolds } from '../fan-out/event-holds.ts'
import type { Listeners } from '../listeners/listeners.ts'
import { isSamePresence, offlinePresence, presenceFrame } from '../presence/frames.ts'
import { PresenceVersions } from '../presence/versions.ts'
import type { Watchers } from '../presence/watchers.ts'
import { ListRows } from './list-rows.ts'
import { ListTurns } from './list-turns.ts'
import { type ListContent, type ListRequest, type ListView, listFrame } from './list-view.ts'
import { ListViews } from './list-views.ts'
import { type RoomList, RoomLists } from './room-lists.ts'
import { ViewerCounts } from './viewer-counts.ts'

export interface SpaceListDeps {
  database: Database
  snapshots: Snapshots
  presences: Presences
  watchers: Watchers
  listeners: Listeners
  eventHolds: EventHolds
  log: Logger
  /** Asks all processes for the members they know to be online, and passes them to `touch`. */
  askForMembers(spaceId: string): void
  /** Ends the connection's list, because its user may no longer view it. */
  end(connection: Connection): void
}

const LOADED_AT_ONCE = 1000

/**
 * The member lists of one space and its rooms, while clients view them. They contain all members of a small space, and
 * the online members of a large one. Changes are looked up after their events, and sent in batches within a second.
 */
export class SpaceList {
  readonly spaceId: string
  readonly #deps: SpaceListDeps
  readonly #lists = new RoomLists()
  readonly #presences = new PresenceVersions()
  /** Users who may have come, gone or changed. */
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
  readonly #slow = new Set<Connection>()

  constructor(spaceId: string, deps: SpaceListDeps) {
    this.spaceId = spaceId
    this.#deps = deps
    this.#rows = new ListRows(deps.database, spaceId)
    this.#counts = new ViewerCounts(deps.database, spaceId)
    this.#turns = new ListTurns({
      log: deps.log,
      sendChanges: () => this.#sendChanges(),
      isWanted: () => !this.isUnseen,
    })
  }

  get isUnseen(): boolean {
    return this.#views.isEmpty
  }

  /** True if the user is in the list, or is being looked up for it. */
  concerns(userId: string): boolean {
    return this.#lists.whole.get(userId) !== undefined || this.#lookedUp.has(userId)
  }

  /** Shows the connection these parts of the list. */
  async show(connection: Connection, request: ListRequest): Promise<void> {
    this.#lists.forgetUnseen(this.#views.rooms())
    const view = this.#views.enter(connection, request)
    await this.#turns.take(() => this.#answer(connection, view))
  }

  hide(connection: Connection): void {
    this.#views.leave(connection)
  }

  close(): void {
    this.#turns.close()
  }

  /** Updates the presence of a user in the list. */
  receivePresence(userId: string, versioned: VersionedChoice): void {
    const before = this.#presences.presenceOf(userId)
    if (!this.#presences.note(userId, versioned)) return
    const after = this.#presences.presenceOf(userId)
    if (isSamePresence(before, after)) return
    const frame = presenceFrame(after ?? offlinePresence(userId))
    for (const view of this.#views.all()) {
      const mayLook = (connection: Connection) => this.#maySee(connection, view)
      view.sendPresence(userId, frame, { watchers: this.#deps.watchers, maySee: mayLook })
    }
    const isPlaced = this.#lists.whole.get(userId)?.isOnline && after !== undefined
    if (!isPlaced) this.touch([userId])
  }

  /** Marks the users as possibly changed, to be looked up soon. */
  touch(userIds: Iterable<string>): void {
    for (const userId of userIds) this.#stale.add(userId)
    this.#turns.sendSoon()
  }

  touchAll(): void {
    this.touch([...this.#lists.whole.userIds()])
  }

  touchStructure(): void {
    this.#isStructureStale = true
    this.#turns.sendSoon()
  }

  /** @param memberCount the new number of members, if it changed */
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

  async #sendChanges(): Promise<void> {
    await this.#update()
    const views = this.#views.all()
    await this.#count()
    for (const view of views) await this.#sendChange(view)
    // Drops rooms that no client views, and rows left over from scrolling through a large list.
    this.#lists.forgetUnseen(this.#views.rooms())
    this.#rows.trim((userId) => this.#views.show(userId))
  }

  async #sendChange(view: ListView): Promise<void> {
    await this.#prepare(view)
    for (const connection of [...view.connections])
      if (!this.#receivesRoom(connection, view)) this.#deps.end(connection)
    const content = this.#contentFor(view)
    const update = content && view.change(content)
    const connections = [...view.connections].filter((connection) => this.#maySee(connection, view))
    if (connections.length < view.connections.size) view.markIncomplete()
    if (update === undefined) return
    const frame = listFrame(update)
    for (const connection of connections) {
      if (connection.isBehind) this.#answerLater(connection, view)
      else connection.dispatch(frame, true)
    }
  }

  async #answer(connection: Connection, view: ListView): Promise<void> {
    try {
      await this.#update()
      await this.#count()
      await this.#prepare(view)
    } catch (error) {
      view.markIncomplete()
      throw error
    }
    if (this.#views.of(connection) !== view) return
    const content = this.#maySee(connection, view) ? this.#contentFor(view) : undefined
    if (content !== undefined) return connection.dispatch(listFrame(view.full(content)), false)
    view.markIncomplete()
    this.#turns.sendSoon()
  }

  /** Sends the full view later, since a slow client would lose this change, on which later ones depend. */
  #answerLater(connection: Connection, view: ListView): void {
    if (this.#slow.has(connection)) return
    this.#slow.add(connection)
    connection
      .drained()
      .then(() => this.#turns.take(() => this.#answer(connection, view)))
      .catch((error) => this.#turns.fail(error))
      .finally(() => this.#slow.delete(connection))
  }

  /**
   * Checks both the gateway's recipients and the list's own state, which may be newer. A user who is in the
   * space's list but not in the room's is about to lose the room.
   */
  #maySee(connection: Connection, view: ListView): boolean {
    const userId = connection.caller?.user.id ?? ''
    const isViewer = this.#lists.of(view.request.roomId)?.list.get(userId) !== undefined
    const isOutside = !isViewer && this.#lists.whole.get(userId) !== undefined
    return view.request.roomId === null || (!isOutside && this.#receivesRoom(connection, view))
  }

  #receivesRoom(connection: Connection, { request: { roomId } }: ListView): boolean {
    return this.#deps.listeners.mayReceiveRoom(connection, this.spaceId, roomId)
  }

  /** Undefined if the room was deleted. */
  #contentFor({ request }: ListView): ListContent | undefined {
    const shown = this.#lists.of(request.roomId)
    return (
      shown && {
        seen: shown.list.snapshotFor(request.hidden, this.#showsOffline),
        spaceId: this.spaceId,
        memberCount: this.#countOf(shown),
        rowOf: (userId) => this.#rows.get(userId),
        presenceOf: (userId) => this.#presences.presenceOf(userId),
      }
    )
  }

  #countOf({ list, viewers }: RoomList): number {
    if (viewers === undefined) return this.#memberCount
    return this.#showsOffline ? list.size : (this.#counts.of(viewers) ?? list.size)
  }

  /** Loads the rows of the view, and waits until no change of the space's recipients is pending. */
  async #prepare({ request }: ListView): Promise<void> {
    const list = this.#lists.of(request.roomId)?.list
    const seen = list?.snapshotFor(request.hidden, this.#showsOffline)
    const userIds = request.ranges.flatMap(([from, to]) => seen?.range(from, to) ?? [])
    await this.#rows.load(userIds, (userId) => this.#stale.has(userId))
    await this.#deps.eventHolds.allEnded([this.spaceId])
  }

  async #count(): Promise<void> {
    if (this.#showsOffline) return
    const viewers = this.#lists.viewersOf(this.#views.rooms())
    if (!(await this.#counts.refresh(viewers, this.#memberCount))) this.#turns.sendSoon()
  }

  /** Looks up every user who may have changed. */
  async #update(): Promise<void> {
    if (!this.#isLoaded) await this.#load()
    if (this.#isStructureStale) await this.#adoptStructure()
    while (this.#stale.size > 0) await this.#updateSome([...this.#stale].slice(0, LOADED_AT_ONCE))
  }

  async #adoptStructure(): Promise<void> {
    // Cleared before the look-up, so that a change during it causes another one.
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
    const [placed, found] = await this.#lookUp(userIds)
    for (const [index, versioned] of found.entries()) {
      const userId = userIds[index]
      if (userId !== undefined) this.#presences.note(userId, versioned)
    }
    const members = new Map(placed.map((member) => [member.user_id, member]))
    for (const userId of userIds) {
      const member = members.get(userId)
      const isOnline = this.#presences.presenceOf(userId) !== undefined
      if (member === undefined || !(isOnline || this.#showsOffline)) this.#drop(userId)
      else this.#lists.set({ userId, name: foldName(member.name), roles: member.roles, isOnline })
    }
    this.#lookedUp.clear()
  }

  async #lookUp(userIds: readonly string[]): Promise<[PlacedMember[], VersionedChoice[]]> {
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
    this.#presences.forget(userId)
  }
}
