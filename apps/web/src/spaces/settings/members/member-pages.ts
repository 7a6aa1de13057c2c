import type { Member, MemberWithUser } from '@foyer/protocol/members'
import type { Role } from '@foyer/protocol/roles'
import { positionOf } from '#src/store/members.ts'

/** The members that were listed or found, and where the next page begins. */
export interface MemberPages {
  readonly members: ReadonlyMap<string, MemberWithUser>
  /** How many came with pages: the others were found by name. */
  readonly listed: number
  /** The last of the last page; null once all were listed, undefined before the first. */
  readonly cursor: { readonly after_id: string; readonly after_pos: number } | null | undefined
}

export const PAGE = 100

export const noPages: MemberPages = { members: new Map(), listed: 0, cursor: undefined }

export function withPage(pages: MemberPages, page: readonly MemberWithUser[]): MemberPages {
  const last = page.at(-1)
  const isLast = page.length < PAGE || last === undefined
  return {
    members: withAll(pages.members, page),
    listed: pages.listed + page.length,
    cursor: isLast ? null : { after_id: last.id, after_pos: last.position },
  }
}

/** Members who were found by name, or came. */
export function withFound(pages: MemberPages, found: readonly MemberWithUser[]): MemberPages {
  return { ...pages, members: withAll(pages.members, found) }
}

export function withChanged(pages: MemberPages, member: Member): MemberPages {
  const known = pages.members.get(member.id)
  return known === undefined ? pages : withFound(pages, [{ ...known, ...member }])
}

export function withoutMember(pages: MemberPages, userId: string): MemberPages {
  const members = new Map(pages.members)
  members.delete(userId)
  return { ...pages, members }
}

/** From the highest role down, as the roles are now. */
export function ranked({ members }: MemberPages, roles: readonly Role[]): MemberWithUser[] {
  return [...members.values()]
    .map((member) => ({ member, position: positionOf(member, roles) }))
    .sort((a, b) => b.position - a.position || (a.member.id < b.member.id ? -1 : 1))
    .map(({ member }) => member)
}

function withAll(known: MemberPages['members'], told: readonly MemberWithUser[]): MemberPages['members'] {
  return new Map([...known, ...told.map((member) => [member.id, member] as const)])
}
