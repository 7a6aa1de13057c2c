import { MAX_UNREAD_COUNT } from '@foyer/protocol/limits'
import type { ReactNode } from 'react'
import { counted, t } from '#src/language/texts.ts'
import type { Timeline } from '#src/store/state.ts'
import { formatDay } from '#src/ui/time/time.ts'

export function DayDivider({ date }: { date: string }) {
  return (
    <li className="divider">
      <time dateTime={date}>{formatDay(date)}</time>
    </li>
  )
}

export function NewDivider({ count }: { count: number }) {
  return (
    <li className="divider divider-new">
      <span>{unreadText(count)}</span>
    </li>
  )
}

/** Returns the unread count in words. The server counts only up to `MAX_UNREAD_COUNT`. */
export function unreadText(count: number, since?: string): string {
  const max = MAX_UNREAD_COUNT
  if (since === undefined) {
    return count >= max
      ? t('{max}+ new messages', { max })
      : counted(count, '{count} new message', '{count} new messages')
  }
  return count >= max
    ? t('{max}+ new messages since {since}', { max, since })
    : counted(count, '{count} new message since {since}', '{count} new messages since {since}', { since })
}

/** Replaces rows that are far outside the view. */
export function Gap({ height }: { height: number }) {
  return <li aria-hidden="true" style={{ height }} />
}

/** The channel's beginning once all messages are loaded; before that, a loading indicator. */
export function ListTop({ timeline, children }: { timeline: Timeline | undefined; children: ReactNode }) {
  if (timeline === undefined) return null
  if (timeline.hasOlder) return <LoadingRows />
  return <div className="list-top">{children}</div>
}

const widths = ['w1', 'w2', 'w3', 'w4']

/** Placeholder for messages that are loading. */
export function LoadingRows() {
  return (
    <div className="loading-rows" role="status" aria-label={t('Loading messages')}>
      {widths.map((width) => (
        <div key={width} className={`loading-row ${width}`}>
          <span />
          <span />
        </div>
      ))}
    </div>
  )
}
