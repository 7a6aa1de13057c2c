import type { MemberListUpdate, MemberWithUser } from '@foyer/protocol/members'
import type { Presence } from '@foyer/protocol/presence'
import { encodeEvent } from '#src/kernel/database/events.ts'
import type { Connection } from '../connections/connection.ts'
import { dispatchFrame, type Frame } from '../connections/frames.ts'
import type { Watchers } from '../presence/watchers.ts'
import type { ListSnapshot } from './member-list.ts'

export type Range = readonly [from: number, to: number]

/** The part of a list that a client asks for. */
export interface ListRequest {
  readonly ranges: readonly Range[]
  /** The room whose viewers are listed; null for all members of the space. */
  readonly roomId: string | null
  /** Users shown as offline to this client. */
  readonly hidden: ReadonlySet<string>
  readonly wantsPresence: boolean
}

/** The data a view is rendered from. */
export interface ListContent {
  readonly seen: ListSnapshot
  readonly spaceId: string
  readonly memberCount: number
  /** Undefined if the user is no longer a member. */
  rowOf(userId: string): MemberWithUser | undefined
  presenceOf(userId: string): Presence | undefined
}

/** Decides which connections receive presences of a view. */
export interface ViewAccess {
  readonly watchers: Watchers
  /** True if the connection's user may still see the view. */
  maySee(connection: Connection): boolean
}

/** The part of a list that several connections share, with identical bytes. */
export class ListView {
  readonly request: ListRequest
  readonly connections = new Set<Connection>()
  /** The last update sent. */
  #sent: MemberListUpdate | undefined
  #rows: ReadonlyMap<string, MemberWithUser> = new Map()
  #isMixed = false

  constructor(request: ListRequest) {
    this.request = request
  }

  /** True if the member is visible in the view. */
  shows(userId: string): boolean {
    return this.#rows.has(userId) && !this.request.hidden.has(userId)
  }

  /** Sends a user's new presence to connections that see the user and asked for presences. */
  sendPresence(userId: string, frame: Frame, { watchers, maySee: mayLook }: ViewAccess): void {
    if (!this.request.wantsPresence || !this.shows(userId)) return
    for (const connection of this.connections) {
      if (!mayLook(connection)) continue
      const viewerId = connection.caller?.user.id ?? ''
      // Friends, and the user's own connections, have received it already.
      const hasReceived = viewerId === userId || watchers.watches(viewerId, userId)
      if (!hasReceived) connection.dispatch(frame, true)
    }
  }

  /** Called when a connection did not get an update: the next update is sent in full. */
  markIncomplete(): void {
    this.#isMixed = true
  }

  /** Returns the full list, for a connection that has none of it yet. */
  full(content: ListContent): MemberListUpdate {
    const now = this.#draw(content)
    if (this.#sent === undefined) this.#note(now)
    // A new connection starts from a newer state than the others. If the list changes back, the others have nothing
    // to change, but the new connection does.
    else if (this.#changeTo(now, this.#sent) !== undefined) this.#isMixed = true
    return now
  }

  /** Returns the changes since the last update; undefined if there are none. */
  change(content: ListContent): MemberListUpdate | undefined {
    const now = this.#draw(content)
    const change = this.#sent === undefined || this.#isMixed ? now : this.#changeTo(now, this.#sent)
    this.#note(now)
    return change
  }

  #changeTo(now: MemberListUpdate, previous: MemberListUpdate): MemberListUpdate | undefined {
    const ranges = now.ranges.filter(
      (range, index) => `${range.user_ids}` !== `${previous.ranges[index]?.user_ids}`,
    )
    const members = now.members.filter((member) => this.#rows.get(member.user_id) !== member)
    const isSame = ranges.length === 0 && members.length === 0 && countsOf(now) === countsOf(previous)
    if (isSame) return undefined
    const changed = new Set(members.map(({ user_id }) => user_id))
    return { ...now, ranges, members, presences: now.presences.filter(({ user_id }) => changed.has(user_id)) }
  }

  #draw({ seen, spaceId, memberCount, rowOf, presenceOf }: ListContent): MemberListUpdate {
    const { roomId, hidden, wantsPresence } = this.request
    const ranges = this.request.ranges.map(([from, to]) => ({
      from,
      to,
      user_ids: seen.range(from, to).filter((userId) => rowOf(userId) !== undefined),
    }))
    const userIds = [...new Set(ranges.flatMap(({ user_ids }) => user_ids))]
    const shown = wantsPresence ? userIds.filter((userId) => !hidden.has(userId)) : []
    return {
      space_id: spaceId,
      room_id: roomId,
      groups: seen.groups,
      online_count: seen.onlineCount,
      member_count: memberCount,
      ranges,
      members: userIds.flatMap((userId) => rowOf(userId) ?? []),
      presences: shown.flatMap((userId) => presenceOf(userId) ?? []),
    }
  }

  #note(update: MemberListUpdate): void {
    this.#sent = update
    this.#isMixed = false
    this.#rows = new Map(update.members.map((member) => [member.user_id, member]))
  }
}

function countsOf({ groups, online_count, member_count }: MemberListUpdate): string {
  return JSON.stringify([groups, online_count, member_count])
}

/** Encodes an update once, for all connections of the view. */
export function listFrame(update: MemberListUpdate): Frame {
  const data = encodeEvent('SPACE_MEMBER_LIST_UPDATE', update)
  return dispatchFrame({ id: undefined, name: 'SPACE_MEMBER_LIST_UPDATE', data })
}
