import type { MemberListUpdate, MemberWithUser } from '@foyer/protocol/members'
import type { Presence } from '@foyer/protocol/presence'

/** A row of the member list. */
export interface ListedMember {
  member: MemberWithUser
  /** Undefined for offline members. */
  presence: Presence | undefined
}

/**
 * The member list of a space, or of one of its rooms. The gateway sends it after `Gateway.subscribe`: pass each
 * SPACE_MEMBER_LIST_UPDATE and PRESENCE_UPDATE to this object.
 */
export class MemberList {
  #latest: Pick<MemberListUpdate, 'groups' | 'online_count' | 'member_count'> | undefined
  readonly #ranges = new Map<string, MemberListUpdate['ranges'][number]>()
  /** The requested ranges, as `from to`; undefined accepts every range that arrives. */
  #looked: ReadonlySet<string> | undefined
  #roomId: string | null = null
  readonly #members = new Map<string, MemberWithUser>()
  readonly #presences = new Map<string, Presence>()

  get groups(): MemberListUpdate['groups'] {
    return this.#latest?.groups ?? []
  }

  get onlineCount(): number {
    return this.#latest?.online_count ?? 0
  }

  get memberCount(): number {
    return this.#latest?.member_count ?? 0
  }

  /** All members in the subscribed ranges, unordered. */
  get listed(): ListedMember[] {
    return [...this.#members.values()].map((member) => this.#listed(member))
  }

  /** Returns the member at an index of the whole list, counted from 0. */
  at(place: number): ListedMember | undefined {
    for (const { from, to, user_ids } of this.#ranges.values()) {
      const member = place <= to ? this.#members.get(user_ids[place - from] ?? '') : undefined
      if (member !== undefined) return this.#listed(member)
    }
    return undefined
  }

  /**
   * Switches to these ranges, which the caller has sent with `subscribe`. Known rows in them stay until the update arrives.
   * Updates still in flight for other ranges are ignored. A different room starts from an empty list.
   * @param roomId null for the list of the space
   */
  look(ranges: readonly (readonly number[])[], roomId: string | null = null): void {
    if (roomId !== this.#roomId) this.clear()
    this.#roomId = roomId
    this.#looked = new Set(ranges.map(([from, to]) => `${from} ${to}`))
    for (const key of this.#ranges.keys()) if (!this.#looked.has(key)) this.#ranges.delete(key)
    this.#prune()
  }

  /** Applies SPACE_MEMBER_LIST_UPDATE of this space. */
  update(update: MemberListUpdate): void {
    if (this.#looked !== undefined && update.room_id !== this.#roomId) return
    this.#latest = update
    for (const range of update.ranges) {
      const key = `${range.from} ${range.to}`
      if (this.#looked?.has(key) !== false) this.#ranges.set(key, range)
    }
    const presences = new Map(update.presences.map((presence) => [presence.user_id, presence]))
    for (const member of update.members) {
      this.#members.set(member.user_id, member)
      this.setPresence(presences.get(member.user_id) ?? offline(member.user_id))
    }
    this.#prune()
  }

  /** Applies PRESENCE_UPDATE of any user. */
  setPresence(presence: Presence): void {
    if (presence.status === 'offline') this.#presences.delete(presence.user_id)
    else if (this.#members.has(presence.user_id)) this.#presences.set(presence.user_id, presence)
  }

  /** Forgets everything, because another subscription has replaced this one. */
  clear(): void {
    this.#latest = undefined
    this.#looked = undefined
    this.#ranges.clear()
    this.#prune()
  }

  #listed(member: MemberWithUser): ListedMember {
    return { member, presence: this.#presences.get(member.user_id) }
  }

  /** Drops members outside all ranges. The server sends them again when they come back into range. */
  #prune(): void {
    const seen = new Set([...this.#ranges.values()].flatMap(({ user_ids }) => user_ids))
    for (const userId of this.#members.keys()) {
      if (seen.has(userId)) continue
      this.#members.delete(userId)
      this.#presences.delete(userId)
    }
  }
}

function offline(userId: string): Presence {
  return { user_id: userId, status: 'offline', custom: null }
}
