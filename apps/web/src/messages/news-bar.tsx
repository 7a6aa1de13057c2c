import { ArrowUp, Check } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { serverNow } from '#src/ui/server-clock.ts'
import { formatClock, formatDay } from '#src/ui/time.ts'
import './jump-bar.css'
import { newsWords } from './list-furniture.tsx'

interface NewsBarProps {
  count: number
  /** When the first was sent; null where that is not known yet. */
  since: string | null
  onShow: () => void
  onRead: () => void
}

/** What is new above the view: a way there, and a way to be done with it. */
export function NewsBar({ count, since, onShow, onRead }: NewsBarProps) {
  return (
    <section className="news-bar" aria-label={t('New messages')}>
      <button type="button" className="news-bar-show" onClick={onShow}>
        <ArrowUp aria-hidden="true" />
        {since === null ? newsWords(count) : newsWords(count, sinceWords(since))}
      </button>
      <button type="button" className="news-bar-read" onClick={onRead}>
        <Check aria-hidden="true" /> {t('Mark as read')}
      </button>
    </section>
  )
}

function sinceWords(time: string, now = new Date(serverNow())): string {
  const isToday = new Date(time).toDateString() === now.toDateString()
  return isToday ? formatClock(time) : `${formatDay(time, now)}, ${formatClock(time)}`
}
