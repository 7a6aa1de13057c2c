import type { MemberWithUser } from '@foyer/protocol/members'

/** Whether a member is meant by what was typed: a part of what they are called anywhere, or their id. */
export function isMeant(
  { user, nickname }: Pick<MemberWithUser, 'user' | 'nickname'>,
  query: string,
): boolean {
  const names = [nickname, user.alias, user.username].filter((name) => name !== null)
  return user.id === wanted(query) || names.some((name) => isNamed(name, query))
}

/** Whether what was typed is a part of the name. */
export function isNamed(name: string, query: string): boolean {
  return folded(name).includes(wanted(query))
}

function wanted(query: string): string {
  return folded(query.trim().replace(/^@/, ''))
}

/** Without case and accents: "jose" finds "José". */
function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase()
}
