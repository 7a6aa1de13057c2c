import { t } from '#src/language/texts.ts'
import { formatFull } from '#src/ui/time.ts'

/** Behind what was changed after it was sent. */
export function EditedMark({ time }: { time: string | null }) {
  if (time === null) return null
  return (
    <span className="message-edited" title={formatFull(time)}>
      {t('edited')}
    </span>
  )
}
