import { useMemo } from 'react'
import { useMemberSearch } from '#src/members/use-member-search.ts'
import { roomName } from '#src/rooms/names/room-name.ts'
import { useAppState } from '#src/session/context.ts'
import { type NameLookup, roomGroups } from '#src/store/selectors.ts'
import { type Nameable, personSought } from './search-suggestions.ts'
import type { SearchScope } from './use-search.ts'

/** Returns the users and rooms that filters can name. @param text the typed text, to request matching members */
export function useNameable(scope: SearchScope, nameOf: NameLookup, text: string): Nameable {
  useMemberSearch(scope.kind === 'space' ? scope.id : null, personSought(text))
  const members = useAppState((state) => state.members[scope.id])
  const conversation = useAppState((state) => state.conversations[scope.id])
  const rooms = useAppState((state) => state.rooms)
  return useMemo(() => {
    const people = conversation?.recipients ?? Object.values(members ?? {}).map(({ user }) => user)
    const groups = scope.kind === 'space' ? roomGroups(rooms, scope.id) : []
    const listed = groups.flatMap(({ category, rooms: inCategory }) =>
      inCategory.map((room) => ({
        id: room.id,
        name: roomName(room),
        detail: category === null ? '' : roomName(category),
      })),
    )
    return {
      people: people.map((user) => ({ id: user.id, name: nameOf(user), detail: user.username })),
      rooms: listed,
    }
  }, [scope, members, conversation, rooms, nameOf])
}
