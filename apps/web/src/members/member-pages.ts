import type { Member, MemberWithUser } from '@foyer/protocol/members'
import type { Role } from '@foyer/protocol/roles'
import { positionOf } from '#src/store/members.ts'

/** The members listed or found so far, and the cursor of the next page. */
export interface MemberPages {
  readonly members: ReadonlyMap<string, MemberWithUser>
  /** Number of members that were loaded with pages. All others were found by name. */
  readonly listed: number
  /** The last member of the last page; null after the final page, undefined before the first. */
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

/** Adds members who joined or were found by name. */
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

/** Sorts by the current position of the highest role, highest first. */
export function ranked({ members }: MemberPages, roles: readonly Role[]): MemberWithUser[] {
  return [...members.values()]
    .map((member) => ({ member, position: positionOf(member, roles) }))
    .sort((a, b) => b.position - a.position || (a.member.id < b.member.id ? -1 : 1))
    .map(({ member }) => member)
}

function withAll(known: MemberPages['members'], added: readonly MemberWithUser[]): MemberPages['members'] {
  return new Map([...known, ...added.map((member) => [member.id, member] as const)])
}
