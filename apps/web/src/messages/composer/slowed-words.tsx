import { counted } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { Countdown } from '#src/ui/time/countdown.tsx'

interface SlowedWordsProps {
  channelId: string
  /** Milliseconds on the server's clock. */
  until: number
}

/** Shows how many messages wait for a rate limit, and how long. */
export function SlowedWords({ channelId, until }: SlowedWordsProps) {
  const waiting = useAppState(({ outbox }) => outbox[channelId]?.filter(isWaiting).length ?? 0)
  if (waiting === 0) return null
  return (
    <Countdown
      until={until}
      words={(time) =>
        counted(
          waiting,
          'You’re going too fast. Your message will be sent {time}.',
          'You’re going too fast. {count} messages are waiting, next one {time}.',
          { time },
        )
      }
    />
  )
}

function isWaiting({ status }: { status: string }): boolean {
  return status === 'sending'
}
