import type { Thread } from '@foyer/protocol/thread-rooms'
import { Lock, MessagesSquare } from 'lucide-react'
import { Link } from 'wouter'
import { counted, t } from '#src/language/texts.ts'
import { useRowPart } from '#src/ui/focus/row-focus.ts'
import { formatAgo } from '#src/ui/time/ago.ts'
import { threadPath } from '../list/thread-path.ts'
import './starter-line.css'

/** The thread that began from a message, below it. */
export function StarterLine({ thread }: { thread: Thread }) {
  const { title, message_count, active_at, is_closed } = thread
  return (
    <Link href={threadPath(thread)} className="starter-line" tabIndex={useRowPart()}>
      {is_closed ? <Lock aria-label={t('Closed')} role="img" /> : <MessagesSquare aria-hidden="true" />}
      <strong dir="auto">{title}</strong>
      <span>{counted(message_count, '{count} message', '{count} messages')}</span>
      <span className="starter-last">{formatAgo(active_at)}</span>
    </Link>
  )
}
