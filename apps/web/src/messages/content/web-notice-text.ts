import { t } from '#src/language/texts.ts'
import { formatDate } from '#src/ui/time/time.ts'

/** Returns the text of a system message about opening a room to the web or closing it. @param content a `WebNotice` */
export function webNoticeText(content: string): string {
  const [kind, time] = content.split(' ')
  const date = time === undefined ? '' : formatDate(time)
  if (kind === 'off') return t('took this room off the web.')
  if (kind === 'later') return t('turned off web access to this room’s earlier messages.')
  if (kind === 'earlier')
    return t('opened this room’s earlier messages to the web. They become public on {date}.', {
      date,
    })
  const from = t('opened this room to the web. From now on, everyone can read new messages.')
  if (date === '') return from
  return `${from} ${t('Earlier messages follow on {date}.', { date })}`
}
