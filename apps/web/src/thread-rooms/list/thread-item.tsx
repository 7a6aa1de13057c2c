import type { OwnThread } from '@foyer/protocol/thread-rooms'
import { BellOff, Lock, MessagesSquare, Moon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { counted, t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { showsUnread } from '#src/store/selectors.ts'
import { Count } from '#src/ui/marks/count.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import './thread-item.css'
import { isUnreadThread } from './thread-list.ts'
import { threadPath } from './thread-path.ts'

interface ThreadItemProps {
  thread: OwnThread
  /** Room of the thread, in lists of several rooms. */
  place?: string | undefined
  onOpen: () => void
  /** Button at the end. */
  end?: ReactNode
}

/** A thread in a list, as a link to its page. */
export function ThreadItem({ thread, place, onOpen, end }: ThreadItemProps) {
  const { title, message_count, active_at, own } = thread
  // The store is newer than the list: it includes messages that this client has read or sent.
  const isUnread = useAppState((state) =>
    thread.id in state.threads ? showsUnread(state, thread.id) : isUnreadThread(thread),
  )
  return (
    <li className="thread-item" data-unread={isUnread || undefined}>
      <Link href={threadPath(thread)} className="thread-item-link" onClick={onOpen}>
        <StateIcon thread={thread} />
        <span className="thread-item-words">
          <strong dir="auto">{title}</strong>
          <span className="thread-item-facts">
            {place !== undefined && <bdi>{place}</bdi>}
            <span>{counted(message_count, '{count} message', '{count} messages')}</span>
            <span>{formatAgo(active_at)}</span>
            {isUnread && <span className="visually-hidden">{t('Unread')}</span>}
          </span>
        </span>
        {own.follow === 'muted' && (
          <BellOff aria-label={t('Muted')} role="img" className="thread-item-muted" />
        )}
        <Count count={own.follow === 'muted' ? 0 : own.mention_count} isCalling />
      </Link>
      {end}
    </li>
  )
}

function StateIcon({ thread: { is_closed, is_asleep } }: { thread: OwnThread }) {
  if (is_closed) return <Lock aria-label={t('Closed')} role="img" className="thread-item-icon" />
  if (is_asleep) return <Moon aria-label={t('Asleep')} role="img" className="thread-item-icon" />
  return <MessagesSquare aria-hidden="true" className="thread-item-icon" />
}
