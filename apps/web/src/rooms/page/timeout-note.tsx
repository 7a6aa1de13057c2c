import { t } from '#src/language/texts.ts'
import { useTimeoutReason } from '#src/members/use-timeout-reason.ts'
import { Countdown } from '#src/ui/time/countdown.tsx'

interface TimeoutNoteProps {
  spaceId: string
  userId: string
  /** Milliseconds since 1970, on the server's clock. */
  until: number
}

/** Explains that the user is timed out, for how long, and why. */
export function TimeoutNote({ spaceId, userId, until }: TimeoutNoteProps) {
  const reason = useTimeoutReason(spaceId, userId)
  return (
    <span role="status">
      <Countdown
        until={until}
        words={(time) => t('You’re timed out. You can write again {time}.', { time })}
      />
      {reason !== null && <span> {t('Reason: {reason}', { reason })}</span>}
    </span>
  )
}
