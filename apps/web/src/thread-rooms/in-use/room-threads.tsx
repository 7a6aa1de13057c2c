import { MessagesSquare } from 'lucide-react'
import { useLocation } from 'wouter'
import { useShallow } from 'zustand/react/shallow'
import { counted, t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { mentionCount, showsUnread } from '#src/store/selectors.ts'
import type { ThreadEntry } from '#src/store/state.ts'
import { PageLink } from '#src/ui/buttons/page-link.tsx'
import { Count } from '#src/ui/marks/count.tsx'
import { listedThreads } from './listed-threads.ts'
import './room-threads.css'

/** The threads in use of a room, below it in the list of rooms. */
export function RoomThreads({ roomId }: { roomId: string }) {
  const [location] = useLocation()
  const openId = location.split('/')[4] ?? ''
  const threads = useAppState(useShallow((state) => listedThreads(state, roomId, openId)))
  const isForum = useAppState((state) => state.rooms[roomId]?.forum !== undefined)
  if (threads.length === 0) return null
  return (
    <ul className="room-threads" aria-label={isForum ? t('Followed and open posts') : t('Threads')}>
      {threads.map((entry) => (
        <li key={entry.id}>
          <ThreadLink entry={entry} isOpen={entry.id === openId} />
        </li>
      ))}
    </ul>
  )
}

function ThreadLink({ entry, isOpen }: { entry: ThreadEntry; isOpen: boolean }) {
  const { id, name, space_id } = entry
  const isUnread = useAppState((state) => !isOpen && showsUnread(state, id))
  const mentions = useAppState((state) => (isOpen ? 0 : mentionCount(state, id)))
  return (
    <PageLink
      href={`/spaces/${space_id}/rooms/${id}`}
      className="room-thread"
      aria-label={[
        name,
        ...(mentions > 0 ? [counted(mentions, '{count} mention', '{count} mentions')] : []),
        ...(isUnread ? [t('unread')] : []),
      ].join(', ')}
      aria-current={isOpen ? 'page' : undefined}
      data-unread={isUnread || undefined}
      draggable={false}
    >
      <MessagesSquare aria-hidden="true" />
      <span className="room-name" dir="auto">
        {name}
      </span>
      {mentions > 0 ? <Count count={mentions} isCalling /> : isUnread && <span className="unread-dot" />}
    </PageLink>
  )
}
