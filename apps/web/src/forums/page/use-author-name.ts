import { useKnownMembers } from '#src/members/use-known-members.ts'
import { useNames } from '#src/members/use-names.ts'
import { useAppState } from '#src/session/context.ts'

const NOBODY: readonly string[] = []

/** Returns the name of a post's author; null until it has loaded, and for a post without an author. */
export function useAuthorName(spaceId: string, id: string | null): string | null {
  const nameOf = useNames(spaceId)
  const user = useAppState((state) => (state.me?.id === id ? state.me : state.users[id ?? '']))
  const member = useKnownMembers(spaceId, id === null || user !== undefined ? [...NOBODY] : [id]).get(
    id ?? '',
  )
  const author = user ?? member?.user
  return author === undefined ? null : nameOf(author, member)
}
