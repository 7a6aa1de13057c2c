import type { Door } from '@foyer/protocol/door'
import { useNames } from '#src/members/use-names.ts'
import { useAppState } from '#src/session/context.ts'
import { usePeople } from '#src/session/use-people.ts'

/** Returns the name of the moderator who closed the door; null if it closed by itself, or while the name loads. */
export function useCloser({ space_id, closed_by }: Pick<Door, 'space_id' | 'closed_by'>): string | null {
  const closer = useAppState((state) => state.users[closed_by ?? ''])
  const nameOf = useNames(space_id)
  usePeople(closed_by === null ? NONE : [closed_by])
  return closer === undefined ? null : nameOf(closer)
}

const NONE: never[] = []
