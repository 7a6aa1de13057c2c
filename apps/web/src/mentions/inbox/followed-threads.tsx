import type { OwnThread } from '@foyer/protocol/thread-rooms'
import { MessagesSquare } from 'lucide-react'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { roomLabel } from '#src/rooms/names/room-name.ts'
import { useAppState } from '#src/session/context.ts'
import { ThreadItems } from '#src/thread-rooms/list/thread-items.tsx'
import { followedThreads, unreadThreads } from '#src/thread-rooms/list/thread-sources.ts'
import { useThreadList } from '#src/thread-rooms/list/use-thread-list.ts'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'

/** Threads and posts that the user follows, in all spaces. */
export function FollowedThreads({ onOpen }: { onOpen: () => void }) {
  const [isUnread, setIsUnread] = useState(false)
  const list = useThreadList(isUnread ? unreadThreads : followedThreads)
  const rooms = useAppState((state) => state.rooms)
  const spaces = useAppState((state) => state.spaces)

  function placeOf({ room_id, space_id }: OwnThread): string | undefined {
    const { [room_id]: room } = rooms
    const { [space_id]: space } = spaces
    return room && space && t('{room} in {space}', { room: roomLabel(room), space: space.name })
  }

  return (
    <div className="mentions">
      <label className="threads-unread">
        <input type="checkbox" checked={isUnread} onChange={({ target }) => setIsUnread(target.checked)} />
        <span>{t('Unread only')}</span>
      </label>
      <ThreadItems
        list={list}
        onOpen={onOpen}
        placeOf={placeOf}
        empty={isUnread ? <NoUnread /> : <NoThreads />}
      />
    </div>
  )
}

function NoThreads() {
  return (
    <EmptyNote icon={<MessagesSquare />} title={t('No followed threads or posts yet')}>
      {t('Threads and posts that you start, write in or are mentioned in appear here.')}
    </EmptyNote>
  )
}

function NoUnread() {
  return (
    <EmptyNote icon={<MessagesSquare />} title={t('No unread threads or posts')}>
      {t('You have read everything in the threads and posts that you follow.')}
    </EmptyNote>
  )
}
