import type { MemberWithUser } from '@foyer/protocol/members'

/** Returns true if the query is part of any name of the member, or their exact id. */
export function matchesMember(
  { user, nickname }: Pick<MemberWithUser, 'user' | 'nickname'>,
  query: string,
): boolean {
  const names = [nickname, user.alias, user.username].filter((name) => name !== null)
  return user.id === wanted(query) || names.some((name) => isNamed(name, query))
}

/** Returns true if the query is part of the name. */
export function isNamed(name: string, query: string): boolean {
  return folded(name).includes(wanted(query))
}

function wanted(query: string): string {
  return folded(query.trim().replace(/^@/, ''))
}

/** Removes case and accents, so that "jose" finds "José". */
function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase()
}
