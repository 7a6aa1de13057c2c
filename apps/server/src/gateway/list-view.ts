import type { MemberListUpdate, MemberWithUser } from '@foyer/protocol/members'
import type { Presence } from '@foyer/protocol/presence'
import { encodeEvent } from '#src/kernel/events.ts'
import type { Connection } from './connection.ts'
import { dispatchFrame, type Frame } from './frames.ts'
import type { SeenList } from './member-list.ts'
import type { Watchers } from './watchers.ts'

export type Range = readonly [from: number, to: number]

/** What somebody wants to see of a list. */
export interface Look {
  readonly ranges: readonly Range[]
  /** Whose viewers the list has; null for all members of the space. */
  readonly roomId: string | null
  /** Users who are offline to them. */
  readonly hidden: ReadonlySet<string>
  readonly hearsPresence: boolean
}

/** What a view is drawn from. */
export interface ListContent {
  readonly seen: SeenList
  readonly spaceId: string
  readonly memberCount: number
  /** Undefined for who is no member any more. */
  rowOf(userId: string): MemberWithUser | undefined
  presenceOf(userId: string): Presence | undefined
}

/** Who is told of what is in a view. */
export interface Sight {
  readonly watchers: Watchers
  /** Whether its user may still see the view. */
  mayLook(connection: Connection): boolean
}

/** What of a list those see who look at the same of it; they get the same bytes. */
export class ListView {
  readonly look: Look
  readonly connections = new Set<Connection>()
  /** What they were told last. */
  #told: MemberListUpdate | undefined
  #rows: ReadonlyMap<string, MemberWithUser> = new Map()
  #isMixed = false

  constructor(look: Look) {
    this.look = look
  }

  /** Whether the member is in what they see. */
  shows(userId: string): boolean {
    return this.#rows.has(userId) && !this.look.hidden.has(userId)
  }

  /** Tells those who see the user, and want to know, how they are seen now. */
  tellPresence(userId: string, frame: Frame, { watchers, mayLook }: Sight): void {
    if (!this.look.hearsPresence || !this.shows(userId)) return
    for (const connection of this.connections) {
      if (!mayLook(connection)) continue
      const viewerId = connection.caller?.user.id ?? ''
      // Friends and the user's own connections have heard it already.
      const hasHeard = viewerId === userId || watchers.watches(viewerId, userId)
      if (!hasHeard) connection.hear(frame, true)
    }
  }

  /** Somebody could not be told everything: they are with the next change. */
  owe(): void {
    this.#isMixed = true
  }

  /** Everything, for who has been told nothing. */
  whole(content: ListContent): MemberListUpdate {
    const now = this.#draw(content)
    if (this.#told === undefined) this.#note(now)
    // Who comes in between knows something else than the others: what changes back must reach them, too.
    else if (this.#changeTo(now, this.#told) !== undefined) this.#isMixed = true
    return now
  }

  /** What changed since it was told last; undefined for nothing. */
  change(content: ListContent): MemberListUpdate | undefined {
    const now = this.#draw(content)
    const change = this.#told === undefined || this.#isMixed ? now : this.#changeTo(now, this.#told)
    this.#note(now)
    return change
  }

  #changeTo(now: MemberListUpdate, told: MemberListUpdate): MemberListUpdate | undefined {
    const ranges = now.ranges.filter(
      (range, index) => `${range.user_ids}` !== `${told.ranges[index]?.user_ids}`,
    )
    const members = now.members.filter((member) => this.#rows.get(member.user_id) !== member)
    const isSame = ranges.length === 0 && members.length === 0 && countsOf(now) === countsOf(told)
    if (isSame) return undefined
    const changed = new Set(members.map(({ user_id }) => user_id))
    return { ...now, ranges, members, presences: now.presences.filter(({ user_id }) => changed.has(user_id)) }
  }

  #draw({ seen, spaceId, memberCount, rowOf, presenceOf }: ListContent): MemberListUpdate {
    const { roomId, hidden, hearsPresence } = this.look
    const ranges = this.look.ranges.map(([from, to]) => ({
      from,
      to,
      user_ids: seen.range(from, to).filter((userId) => rowOf(userId) !== undefined),
    }))
    const userIds = [...new Set(ranges.flatMap(({ user_ids }) => user_ids))]
    const shown = hearsPresence ? userIds.filter((userId) => !hidden.has(userId)) : []
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
    this.#told = update
    this.#isMixed = false
    this.#rows = new Map(update.members.map((member) => [member.user_id, member]))
  }
}

function countsOf({ groups, online_count, member_count }: MemberListUpdate): string {
  return JSON.stringify([groups, online_count, member_count])
}

/** The same bytes for all who see the view. */
export function listFrame(update: MemberListUpdate): Frame {
  const data = encodeEvent('SPACE_MEMBER_LIST_UPDATE', update)
  return dispatchFrame({ id: undefined, name: 'SPACE_MEMBER_LIST_UPDATE', data })
}
