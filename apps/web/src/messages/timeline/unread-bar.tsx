import { ArrowUp, Check } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { serverNow } from '#src/ui/time/server-clock.ts'
import { formatClock, formatDay } from '#src/ui/time/time.ts'
import './jump-bar.css'
import { unreadText } from './list-parts.tsx'

interface UnreadBarProps {
  count: number
  /** Time of the first unread message; null if not known yet. */
  since: string | null
  onShow: () => void
  onRead: () => void
}

/** Unread messages above the view: jumps to them or marks them as read. */
export function UnreadBar({ count, since, onShow, onRead }: UnreadBarProps) {
  return (
    <section className="unread-bar" aria-label={t('New messages')}>
      <button type="button" className="unread-bar-show" onClick={onShow}>
        <ArrowUp aria-hidden="true" />
        {since === null ? unreadText(count) : unreadText(count, sinceWords(since))}
      </button>
      <button type="button" className="unread-bar-read" onClick={onRead}>
        <Check aria-hidden="true" /> {t('Mark as read')}
      </button>
    </section>
  )
}

function sinceWords(time: string, now = new Date(serverNow())): string {
  const isToday = new Date(time).toDateString() === now.toDateString()
  return isToday ? formatClock(time) : `${formatDay(time, now)}, ${formatClock(time)}`
}
