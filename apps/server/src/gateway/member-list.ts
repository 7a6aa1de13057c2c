/** A member with what places them in the list. */
export interface ListedMember {
  readonly userId: string
  /** Folded: what the list is sorted by. */
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
 * The members of a space in the order in which they are shown: by the highest of their hoisted roles, then whoever is
 * online, then whoever is not, each of these groups by name. A change costs a search and a shift of one group.
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
    group.splice(placeIn(group, member), 0, member)
    this.#members.set(member.userId, { member, groupId })
  }

  remove(userId: string): void {
    const known = this.#members.get(userId)
    const group = known && this.#groups.get(known.groupId)
    if (known === undefined || group === undefined) return
    group.splice(placeIn(group, known.member), 1)
    this.#members.delete(userId)
  }

  /** Other roles are hoisted from here on, or in another order. */
  hoist(hoisted: readonly string[]): void {
    if (hoisted.join() === this.#hoisted.join()) return
    this.#hoisted = hoisted
    const members = [...this.#members.values()].map(({ member }) => member)
    this.#members.clear()
    this.#groups.clear()
    // In order, each comes last.
    for (const member of members.sort(compare)) this.set(member)
  }

  /** The list as it would be without the others. */
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
   * The list as somebody sees it to whom some members are always offline.
   * @param showsOffline whether they are then in the list at all
   */
  seenBy(hidden: ReadonlySet<string> = nobody, showsOffline = true): SeenList {
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
    return new SeenList(
      [...this.#hoisted, ONLINE, OFFLINE].map((id) => ({ id, members: groups.get(id) ?? [] })),
    )
  }

  #groupOf({ isOnline, roles }: ListedMember): string {
    if (!isOnline) return OFFLINE
    return this.#hoisted.find((roleId) => roles.includes(roleId)) ?? ONLINE
  }
}

/** The list at one moment. */
export class SeenList {
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

  /** The members from one place to another, both included. */
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

/** Where the member is in the sorted group, or belongs. */
function placeIn(group: readonly ListedMember[], member: ListedMember): number {
  let [low, high] = [0, group.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const other = group[middle]
    if (other !== undefined && compare(other, member) < 0) low = middle + 1
    else high = middle
  }
  return low
}
