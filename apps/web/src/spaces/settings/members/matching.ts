import type { MemberWithUser } from '@foyer/protocol/members'

/** Whether a member is meant by what was typed: a part of what they are called anywhere, or their id. */
export function isMeant(
  { user, nickname }: Pick<MemberWithUser, 'user' | 'nickname'>,
  query: string,
): boolean {
  const wanted = folded(query.trim().replace(/^@/, ''))
  const names = [nickname, user.alias, user.username].filter((name) => name !== null)
  return user.id === wanted || names.some((name) => folded(name).includes(wanted))
}

/** Without case and accents: "jose" finds "José". */
function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase()
}
