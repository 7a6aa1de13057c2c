import { t } from '#src/language/texts.ts'
import { formatFull } from '#src/ui/time/time.ts'

/** Marks an edited message. */
export function EditedMark({ time }: { time: string | null }) {
  if (time === null) return null
  return (
    <span className="message-edited" title={formatFull(time)}>
      {t('edited')}
    </span>
  )
}
