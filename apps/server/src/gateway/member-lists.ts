import { type Bus, type Event, topicOf } from '#src/kernel/bus.ts'
import { decodeChange, type PresenceChange } from '#src/presence/presences.ts'
import { listHidden } from '#src/presence/queries.ts'
import { memberOf } from '#src/spaces/snapshots.ts'
import type { Connection } from './connection.ts'
import type { Look } from './list-view.ts'
import type { Loss } from './listeners.ts'
import { SpaceList, type SpaceListDeps } from './space-list.ts'

export interface MemberListsDeps extends Omit<SpaceListDeps, 'askForMembers' | 'end'> {
  bus: Bus
}

/** Of a roster in one event: about 20 KB. */
const ROSTER_PART = 500

/**
 * The lists of members that connections of this process look at. Nothing is kept of a space that nobody looks at. Which
 * members of a large space are online every process tells, when it is asked once and then with each change.
 */
export class MemberLists {
  readonly #deps: MemberListsDeps
  readonly #lists = new Map<string, SpaceList>()
  /** What each connection sees, by space. */
  readonly #looks = new Map<Connection, Map<string, Look>>()
  /** How many blocks of its user, or by others of them, each connection has heard to begin or end. */
  readonly #blocksHeard = new WeakMap<Connection, number>()
  readonly #routes: Readonly<Record<string, (event: Event) => void>> = {
    PRESENCE_CHANGE: ({ data }) => this.#change(decodeChange(data)),
    PRESENCE_ASK: ({ topic }) => this.#tellMembers(topic.tenantId),
    PRESENCE_ROSTER: ({ topic, data }) => this.#lists.get(topic.tenantId)?.touch(JSON.parse(data)),
    SPACE_MEMBER_CREATE: (event) => this.#changeMember(event),
    SPACE_MEMBER_UPDATE: (event) => this.#changeMember(event),
    SPACE_MEMBER_DELETE: (event) => this.#endMember(event),
    SPACE_DELETE: (event) => this.#endSpace(event),
    SPACE_ROLE_UPDATE: ({ topic }) => this.#lists.get(topic.tenantId)?.touchStructure(),
    SPACE_ROLE_CREATE: ({ topic }) => this.#lists.get(topic.tenantId)?.touchStructure(),
    SPACE_ROLE_DELETE: ({ topic }) => this.#lists.get(topic.tenantId)?.touchStructure(),
    SPACE_ACCESS_CHANGE: ({ topic }) => this.#lists.get(topic.tenantId)?.touchStructure(),
    USER_UPDATE: (event) => this.#changeUser(event),
    BLOCK_CREATE: (event) => this.#changeBlock(event),
    BLOCK_DELETE: (event) => this.#changeBlock(event),
  }

  constructor(deps: MemberListsDeps) {
    this.#deps = deps
    deps.bus.listen((events) => {
      for (const event of events) this.#routes[event.name]?.(event)
    })
    deps.presences.onDoubt(() => this.#reread())
    deps.listeners.onLoss((loss) => this.#endRooms(loss))
  }

  /** How many lists the connection sees, besides that of the space. */
  countOthers(connection: Connection, spaceId: string): number {
    const looks = this.#looks.get(connection)
    return looks === undefined ? 0 : looks.size - (looks.has(spaceId) ? 1 : 0)
  }

  /** Whom the connection's user blocks, and who blocks them. What changes from here on is shown as it is heard. */
  async findHidden(connection: Connection, userId: string): Promise<ReadonlySet<string>> {
    const heard = this.#blocksHeard.get(connection)
    const hidden = new Set(await listHidden(this.#deps.database, userId))
    // A block that was heard meanwhile may not be in the answer.
    return this.#blocksHeard.get(connection) === heard ? hidden : this.findHidden(connection, userId)
  }

  /** Shows the connection these parts of the list of the space or of one of its rooms, in place of those that it saw of it before. */
  async show(connection: Connection, spaceId: string, look: Look): Promise<void> {
    const list = this.#lists.get(spaceId) ?? this.#newList(spaceId)
    const looks = this.#looks.get(connection) ?? new Map()
    this.#looks.set(connection, looks.set(spaceId, look))
    await list.show(connection, look)
  }

  hide(connection: Connection, spaceId: string): void {
    const looks = this.#looks.get(connection)
    looks?.delete(spaceId)
    if (looks?.size === 0) this.#looks.delete(connection)
    const list = this.#lists.get(spaceId)
    list?.hide(connection)
    if (!list?.isUnseen) return
    list.close()
    this.#lists.delete(spaceId)
  }

  /** The connection is gone. */
  leave(connection: Connection): void {
    for (const spaceId of this.#looks.get(connection)?.keys() ?? []) this.hide(connection, spaceId)
  }

  #newList(spaceId: string): SpaceList {
    const list = new SpaceList(spaceId, {
      ...this.#deps,
      askForMembers: () => void this.#deps.bus.emit([presenceEvent('PRESENCE_ASK', spaceId, null)]),
      end: (connection) => this.hide(connection, spaceId),
    })
    this.#lists.set(spaceId, list)
    return list
  }

  #change({ userId, version, choice, spaces }: PresenceChange): void {
    const known = spaces?.flatMap((spaceId) => this.#lists.get(spaceId) ?? [])
    for (const list of this.#lists.values())
      if (list.concerns(userId)) list.hearStanding(userId, { version, choice })
    // Who they are to a list that does not have them is looked up, if they are a member at all.
    for (const list of known ?? this.#lists.values())
      if (choice !== undefined && !list.concerns(userId)) list.touch([userId])
  }

  /** Those who are connected to this process, and who were a moment ago: whoever asks knows if they are members. */
  #tellMembers(spaceId: string): void {
    const { listeners, presences, bus } = this.#deps
    const here = [...(listeners.findSpace(spaceId)?.all ?? [])].flatMap(({ caller }) => caller?.user.id ?? [])
    const userIds = [...new Set([...here, ...presences.away()])]
    for (let from = 0; from < userIds.length; from += ROSTER_PART)
      void bus.emit([presenceEvent('PRESENCE_ROSTER', spaceId, userIds.slice(from, from + ROSTER_PART))])
  }

  #changeMember(event: Event): void {
    const list = this.#lists.get(event.topic.tenantId)
    if (list === undefined) return
    const { user_id, member_count }: { user_id: string; member_count?: number } = JSON.parse(event.data)
    list.changeMember(user_id, member_count)
  }

  #endMember(event: Event): void {
    this.#changeMember(event)
    for (const connection of this.#deps.listeners.ofUser(memberOf(event)))
      this.hide(connection, event.topic.tenantId)
  }

  #endSpace({ topic }: Event): void {
    // To a user it tells the end of a membership, which has an event of its own.
    if (topic.kind !== 'space') return
    for (const connection of this.#looks.keys()) this.hide(connection, topic.tenantId)
  }

  /** At once: who has the room again in a moment has it without its list. */
  #endRooms({ spaceId, connections, roomIds }: Loss): void {
    if (!this.#lists.has(spaceId)) return
    const lost = new Set(roomIds)
    for (const connection of connections) {
      const roomId = this.#looks.get(connection)?.get(spaceId)?.roomId ?? ''
      if (lost.has(roomId)) this.hide(connection, spaceId)
    }
  }

  #changeUser({ topic, data }: Event): void {
    const list = topic.kind === 'space' ? this.#lists.get(topic.tenantId) : undefined
    if (list === undefined) return
    const { id }: { id: string } = JSON.parse(data)
    list.touch([id])
  }

  #changeBlock({ topic, data }: Event): void {
    const block: { user?: { id: string }; user_id?: string } = JSON.parse(data)
    for (const userId of [topic.tenantId, block.user?.id ?? block.user_id ?? ''])
      for (const connection of this.#deps.listeners.ofUser(userId)) {
        this.#blocksHeard.set(connection, (this.#blocksHeard.get(connection) ?? 0) + 1)
        this.#lookAnew(connection, userId)
      }
  }

  #lookAnew(connection: Connection, userId: string): void {
    const looks = this.#looks.get(connection)
    if (looks === undefined) return
    const work = async () => {
      const hidden = await this.findHidden(connection, userId)
      await Promise.all(
        [...looks].map(([spaceId, look]) => this.show(connection, spaceId, { ...look, hidden })),
      )
    }
    work().catch((error) => this.#deps.log.error({ err: error }, 'a list of members shows a block too late'))
  }

  #reread(): void {
    for (const [spaceId, list] of this.#lists) {
      list.touchAll()
      this.#deps.bus.emit([presenceEvent('PRESENCE_ASK', spaceId, null)]).catch(() => undefined)
    }
  }
}

function presenceEvent(name: string, id: string, data: unknown): Event {
  return { id: undefined, audience: 0, topic: topicOf.presence(id), name, data: JSON.stringify(data) }
}
