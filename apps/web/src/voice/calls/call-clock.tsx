import { t } from '#src/language/texts.ts'
import { elapsedClock } from '#src/ui/time/elapsed.ts'
import { useNow } from '#src/ui/time/use-now.ts'

/** Duration of the call so far, in seconds. */
export function CallClock({ since }: { since: string }) {
  const now = useNow(1000)
  return (
    <time className="call-clock" role="timer" aria-label={t('Call duration')}>
      {elapsedClock(now - Date.parse(since))}
    </time>
  )
}
