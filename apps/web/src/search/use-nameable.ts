import type { Room } from '@foyer/protocol/rooms'
import { useMemo } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { useMemberSearch } from '#src/members/use-member-search.ts'
import { roomName } from '#src/rooms/names/room-name.ts'
import { useAppState } from '#src/session/context.ts'
import { roomGroups } from '#src/store/selectors.ts'
import type { ThreadEntry } from '#src/store/state.ts'
import { type Nameable, type Named, personSought } from './search-suggestions.ts'
import type { SearchScope } from './use-search.ts'

/**
 * Returns the users, rooms, threads and tags that filters can name.
 * @param channel the open channel
 * @param text the typed text, to request matching members
 */
export function useNameable(scope: SearchScope, channel: OpenChannel, text: string): Nameable {
  useMemberSearch(scope.kind === 'space' ? scope.id : null, personSought(text))
  const { id, nameOf } = channel
  const members = useAppState((state) => state.members[scope.id])
  const conversation = useAppState((state) => state.conversations[scope.id])
  const rooms = useAppState((state) => state.rooms)
  const thread = useAppState((state) => state.threads[id])
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
    const forums = groups.flatMap((group) => group.rooms.filter(({ forum }) => forum !== undefined))
    return {
      people: people.map((user) => ({ id: user.id, name: nameOf(user), detail: user.username })),
      rooms: listed,
      threads: thread === undefined ? [] : [namedThread(thread, rooms[thread.parent_id])],
      tags: tagsOf(forums, thread?.parent_id ?? id),
      hasForums: forums.length > 0,
    }
  }, [scope, members, conversation, rooms, thread, id, nameOf])
}

function namedThread({ id, name }: ThreadEntry, parent: Room | undefined): Named {
  return { id, name, detail: parent?.forum === undefined ? t('this thread') : t('this post') }
}

/** Returns tags, those of the open forum first. If two tags have the same name, the typed name means the first. */
function tagsOf(forums: readonly Room[], openId: string): Named[] {
  return forums
    .toSorted((a, b) => Number(b.id === openId) - Number(a.id === openId))
    .flatMap((room) => (room.forum?.tags ?? []).map(({ id, name }) => ({ id, name, detail: roomName(room) })))
}
