import { t } from '#src/language/texts.ts'
import { formatDate } from '#src/ui/time/time.ts'

/** Returns the text of a notice that a room can be read on the web, or no longer. @param content a `WebNotice` */
export function webNoticeText(content: string): string {
  const [kind, time] = content.split(' ')
  const date = time === undefined ? '' : formatDate(time)
  if (kind === 'off') return t('decided: this room can no longer be read on the web.')
  if (kind === 'later') return t('decided: what was written here earlier stays off the web.')
  if (kind === 'earlier')
    return t('decided: from {date}, everything written here earlier can be read on the web as well.', {
      date,
    })
  const from = t('decided: from now on this room can be read on the web, by everyone.')
  if (date === '') return from
  return `${from} ${t('From {date}, everything earlier as well.', { date })}`
}
