import type { SlowMode } from '#src/channels/use-slow-mode.ts'
import { counted, t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { Countdown } from '#src/ui/time/countdown.tsx'
import { formatDuration } from '#src/ui/time/duration.ts'

interface SlowedWordsProps {
  channelId: string
  /** Milliseconds on the server's clock. */
  until: number
  /** True if the room's slow mode may be the reason. */
  isSlowMode: boolean
}

/** Shows how many messages wait for a rate limit, and how long. */
export function SlowedWords({ channelId, until, isSlowMode }: SlowedWordsProps) {
  const waiting = useAppState(({ outbox }) => outbox[channelId]?.filter(isWaiting).length ?? 0)
  if (waiting === 0) return null
  const words = (time: string) =>
    isSlowMode
      ? counted(
          waiting,
          'Slow mode is on. Your message will be sent {time}.',
          'Slow mode is on. {count} messages are waiting. The next will be sent {time}.',
          { time },
        )
      : counted(
          waiting,
          'You’re going too fast. Your message will be sent {time}.',
          'You’re going too fast. {count} messages are waiting. The next will be sent {time}.',
          { time },
        )
  return <Countdown until={until} words={words} />
}

/** Explains that slow mode is on, or how long the user has to wait. */
export function SlowModeWords({ slowMode: { seconds, until } }: { slowMode: SlowMode }) {
  if (until === null)
    return (
      <span className="typing-names">
        {t('Slow mode is on: one message every {duration}.', { duration: formatDuration(seconds) })}
      </span>
    )
  return (
    <Countdown until={until} words={(time) => t('Slow mode is on. You can write again {time}.', { time })} />
  )
}

function isWaiting({ status }: { status: string }): boolean {
  return status === 'sending'
}
