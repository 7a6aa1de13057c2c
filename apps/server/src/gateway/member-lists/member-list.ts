/** A member, with everything that determines their position in the list. */
export interface ListedMember {
  readonly userId: string
  /** Folded name, the sort key. */
  readonly name: string
  readonly roles: readonly string[]
  readonly isOnline: boolean
}

export interface ListGroup {
  readonly id: string
  readonly count: number
}

const ONLINE = 'online'
const OFFLINE = 'offline'
const nobody: ReadonlySet<string> = new Set()

/**
 * The members of a space in display order: first by highest hoisted role, then other online members, then offline
 * members; each group by name. A change costs one search and one shift within a group.
 */
export class MemberList {
  readonly #members = new Map<string, { member: ListedMember; groupId: string }>()
  readonly #groups = new Map<string, ListedMember[]>()
  #hoisted: readonly string[]

  /** @param hoisted roles with a group of their own, highest first */
  constructor(hoisted: readonly string[]) {
    this.#hoisted = hoisted
  }

  get size(): number {
    return this.#members.size
  }

  get(userId: string): ListedMember | undefined {
    return this.#members.get(userId)?.member
  }

  userIds(): Iterable<string> {
    return this.#members.keys()
  }

  set(member: ListedMember): void {
    this.remove(member.userId)
    const groupId = this.#groupOf(member)
    const group = this.#groups.get(groupId) ?? []
    this.#groups.set(groupId, group)
    group.splice(positionIn(group, member), 0, member)
    this.#members.set(member.userId, { member, groupId })
  }

  remove(userId: string): void {
    const known = this.#members.get(userId)
    const group = known && this.#groups.get(known.groupId)
    if (known === undefined || group === undefined) return
    group.splice(positionIn(group, known.member), 1)
    this.#members.delete(userId)
  }

  /** Changes the hoisted roles or their order. */
  hoist(hoisted: readonly string[]): void {
    if (hoisted.join() === this.#hoisted.join()) return
    this.#hoisted = hoisted
    const members = [...this.#members.values()].map(({ member }) => member)
    this.#members.clear()
    this.#groups.clear()
    // Sorted first, so that each member is appended at the end of its group.
    for (const member of members.sort(compare)) this.set(member)
  }

  /** Returns the list of only the members for whom `includes` returns true. */
  only(includes: (member: ListedMember) => boolean): MemberList {
    const part = new MemberList(this.#hoisted)
    for (const [groupId, members] of this.#groups) {
      const included = members.filter(includes)
      part.#groups.set(groupId, included)
      for (const member of included) part.#members.set(member.userId, { member, groupId })
    }
    return part
  }

  /**
   * Returns the list for a user to whom some members always appear offline.
   * @param showsOffline false for a list of only the members who are online
   */
  snapshotFor(hidden: ReadonlySet<string> = nobody, showsOffline = true): ListSnapshot {
    const groups = new Map(this.#groups)
    const moved = [...hidden].flatMap((userId) => this.#members.get(userId) ?? [])
    const away = moved.filter(({ member }) => member.isOnline)
    for (const groupId of new Set(away.map((known) => known.groupId)))
      groups.set(
        groupId,
        (groups.get(groupId) ?? []).filter(({ userId }) => !hidden.has(userId)),
      )
    if (showsOffline && away.length > 0) {
      const offline = [...(groups.get(OFFLINE) ?? []), ...away.map(({ member }) => member)]
      groups.set(OFFLINE, offline.sort(compare))
    }
    return new ListSnapshot(
      [...this.#hoisted, ONLINE, OFFLINE].map((id) => ({ id, members: groups.get(id) ?? [] })),
    )
  }

  #groupOf({ isOnline, roles }: ListedMember): string {
    if (!isOnline) return OFFLINE
    return this.#hoisted.find((roleId) => roles.includes(roleId)) ?? ONLINE
  }
}

/** The list at one moment. */
export class ListSnapshot {
  readonly #groups: readonly { id: string; members: readonly ListedMember[] }[]

  constructor(groups: readonly { id: string; members: readonly ListedMember[] }[]) {
    this.#groups = groups
  }

  get groups(): ListGroup[] {
    return this.#groups.flatMap(({ id, members }) =>
      members.length === 0 ? [] : [{ id, count: members.length }],
    )
  }

  get onlineCount(): number {
    return this.#groups.reduce((sum, { id, members }) => sum + (id === OFFLINE ? 0 : members.length), 0)
  }

  /** Returns the members between two positions, both included. */
  range(from: number, to: number): string[] {
    const found: string[] = []
    let start = 0
    for (const { members } of this.#groups) {
      const part = members.slice(Math.max(0, from - start), Math.max(0, to + 1 - start))
      for (const { userId } of part) found.push(userId)
      start += members.length
    }
    return found
  }
}

function compare(one: ListedMember, other: ListedMember): number {
  if (one.name !== other.name) return one.name < other.name ? -1 : 1
  if (one.userId === other.userId) return 0
  return one.userId < other.userId ? -1 : 1
}

/** Returns the member's position in the sorted group, or the position to insert it. */
function positionIn(group: readonly ListedMember[], member: ListedMember): number {
  let [low, high] = [0, group.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const other = group[middle]
    if (other !== undefined && compare(other, member) < 0) low = middle + 1
    else high = middle
  }
  return low
}
