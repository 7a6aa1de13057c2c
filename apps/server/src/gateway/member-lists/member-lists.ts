import { type Bus, type Event, topicOf } from '#src/kernel/journal/bus.ts'
import { decodeChange, type PresenceChange } from '#src/people/presence/presences.ts'
import { listHidden } from '#src/people/presence/queries.ts'
import { memberOf } from '#src/spaces/snapshots.ts'
import type { Connection } from '../connections/connection.ts'
import type { Loss } from '../listeners/listeners.ts'
import type { ListRequest } from './list-view.ts'
import { SpaceList, type SpaceListDeps } from './space-list.ts'

export interface MemberListsDeps extends Omit<SpaceListDeps, 'askForMembers' | 'end'> {
  bus: Bus
}

/** Members per PRESENCE_ROSTER event, about 20 KB. */
const ROSTER_PART = 500

/**
 * The member lists that connections of this process see. To find the online members of a large space, the process asks
 * all others once, and then follows their presence changes.
 */
export class MemberLists {
  readonly #deps: MemberListsDeps
  readonly #lists = new Map<string, SpaceList>()
  /** The list each connection sees, by space. */
  readonly #requests = new Map<Connection, Map<string, ListRequest>>()
  /** Number of block changes received by each connection: blocks set by its user or on its user. */
  readonly #blocksReceived = new WeakMap<Connection, number>()
  readonly #routes: Readonly<Record<string, (event: Event) => void>> = {
    PRESENCE_CHANGE: ({ data }) => this.#change(decodeChange(data)),
    PRESENCE_ASK: ({ topic }) => this.#publishRoster(topic.tenantId),
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
    deps.presences.onDoubt(() => this.#reread())
    deps.listeners.onLoss((loss) => this.#endRooms(loss))
  }

  receive(events: readonly Event[]): void {
    for (const event of events) this.#routes[event.name]?.(event)
  }

  /** Returns how many lists the connection sees in other spaces. */
  countOthers(connection: Connection, spaceId: string): number {
    const requests = this.#requests.get(connection)
    return requests === undefined ? 0 : requests.size - (requests.has(spaceId) ? 1 : 0)
  }

  /**
   * Returns the users whom the connection's user blocks, or who block that user. Later changes are applied when they
   * arrive.
   */
  async findHidden(connection: Connection, userId: string): Promise<ReadonlySet<string>> {
    const received = this.#blocksReceived.get(connection)
    const hidden = new Set(await listHidden(this.#deps.database, userId))
    // A block received during the query may be missing from the result.
    return this.#blocksReceived.get(connection) === received ? hidden : this.findHidden(connection, userId)
  }

  /**
   * Shows the connection these parts of a list of the space or one of its rooms, instead of the parts it saw
   * of that space before.
   */
  async show(connection: Connection, spaceId: string, request: ListRequest): Promise<void> {
    const list = this.#lists.get(spaceId) ?? this.#newList(spaceId)
    const requests = this.#requests.get(connection) ?? new Map()
    this.#requests.set(connection, requests.set(spaceId, request))
    await list.show(connection, request)
  }

  hide(connection: Connection, spaceId: string): void {
    const requests = this.#requests.get(connection)
    requests?.delete(spaceId)
    if (requests?.size === 0) this.#requests.delete(connection)
    const list = this.#lists.get(spaceId)
    list?.hide(connection)
    if (!list?.isUnseen) return
    list.close()
    this.#lists.delete(spaceId)
  }

  /** Called when the connection closes. */
  leave(connection: Connection): void {
    for (const spaceId of this.#requests.get(connection)?.keys() ?? []) this.hide(connection, spaceId)
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
      if (list.concerns(userId)) list.receivePresence(userId, { version, choice })
    // A list that does not have the user looks up whether they are a member.
    for (const list of known ?? this.#lists.values())
      if (choice !== undefined && !list.concerns(userId)) list.touch([userId])
  }

  /**
   * Publishes the users who are connected here, or were a moment ago. The asking process knows which of them are
   * members.
   */
  #publishRoster(spaceId: string): void {
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
    // On a user's topic, the event means that only this user left. SPACE_MEMBER_DELETE handles that.
    if (topic.kind !== 'space') return
    for (const connection of this.#requests.keys()) this.hide(connection, topic.tenantId)
  }

  /** Ends lists immediately. A connection that regains the room a moment later starts without a list. */
  #endRooms({ spaceId, connections, roomIds }: Loss): void {
    if (!this.#lists.has(spaceId)) return
    const lost = new Set(roomIds)
    for (const connection of connections) {
      const roomId = this.#requests.get(connection)?.get(spaceId)?.roomId ?? ''
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
        this.#blocksReceived.set(connection, (this.#blocksReceived.get(connection) ?? 0) + 1)
        this.#refresh(connection, userId)
      }
  }

  #refresh(connection: Connection, userId: string): void {
    const requests = this.#requests.get(connection)
    if (requests === undefined) return
    const work = async () => {
      const hidden = await this.findHidden(connection, userId)
      await Promise.all(
        [...requests].map(([spaceId, request]) => this.show(connection, spaceId, { ...request, hidden })),
      )
    }
    work().catch((error) =>
      this.#deps.log.error({ err: error }, 'a member list could not be updated after a block'),
    )
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
