import { useState } from 'react'
import { counted, t } from '#src/language/texts.ts'
import { NotificationOffer } from '#src/notifications/notification-offer.tsx'
import { useAppState } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { formatWait } from '#src/ui/time/ago.ts'
import { useNow } from '#src/ui/time/use-now.ts'
import { useNewBuild } from '#src/worker/new-build.ts'

// One module for all: every lazy chunk adds its name to the first load.

/** Notes shown while connected: a new version, and the offer of notifications. */
export function ReadyNotes() {
  return (
    <>
      <NewBuildNote />
      <NotificationOffer />
    </>
  )
}

/** Offers to reload for a new version, or to do so later. */
function NewBuildNote() {
  const isThere = useNewBuild()
  const [putOff, setPutOff] = useState(false)
  if (!isThere || putOff) return null
  return (
    <p>
      {t('A new version is ready.')}
      <Button look="text" onClick={() => window.location.reload()}>
        {t('Reload')}
      </Button>
      <Button look="text" onClick={() => setPutOff(true)}>
        {t('Later')}
      </Button>
    </p>
  )
}

/** Shows how long a rate-limited request has to wait. */
export function SlowedBanner({ until }: { until: number }) {
  const now = useNow(1000)
  if (now >= until) return null
  return (
    <p>
      <Countdown
        until={until}
        words={(time) => t('You’re going too fast. Foyer continues {time}.', { time })}
      />
    </p>
  )
}

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

interface CountdownProps {
  /** Milliseconds on the server's clock. */
  until: number
  /** @param time such as "in 40 seconds" */
  words: (time: string) => string
}

/** A visible countdown. In a live region, screen readers announce only its first value. */
function Countdown({ until, words }: CountdownProps) {
  const now = useNow(1000)
  const [announced] = useState(() => words(formatWait(until - now)))
  if (until <= now) return null
  return (
    <>
      <span className="visually-hidden">{announced}</span>
      <span className="typing-names" aria-hidden="true">
        {words(formatWait(until - now))}
      </span>
    </>
  )
}
