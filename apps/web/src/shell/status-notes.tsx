import { useState } from 'react'
import { counted, t } from '#src/language/texts.ts'
import { NotificationOffer } from '#src/notifications/notification-offer.tsx'
import { useAppState } from '#src/session/context.ts'
import { formatWait } from '#src/ui/ago.ts'
import { Button } from '#src/ui/button.tsx'
import { useNow } from '#src/ui/use-now.ts'
import { useNewBuild } from '#src/worker/new-build.ts'

// One module: each one that is fetched by itself costs the first load its name.

/** While the server is reached: that there is a new version, and the offer of notifications. */
export function ReadyNotes() {
  return (
    <>
      <NewBuildNote />
      <NotificationOffer />
    </>
  )
}

/** A reload takes the new version; whoever is busy does that later. */
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

/** Says until when a request waits that was made too often. */
export function SlowedBanner({ until }: { until: number }) {
  const now = useNow(1000)
  if (now >= until) return null
  return (
    <p>
      <Countdown until={until} words={(time) => t('That was too often. It continues {time}.', { time })} />
    </p>
  )
}

interface SlowedWordsProps {
  channelId: string
  /** In milliseconds of the server's time. */
  until: number
}

/** Says how many messages wait for a rate limit, and until when. */
export function SlowedWords({ channelId, until }: SlowedWordsProps) {
  const waiting = useAppState(({ outbox }) => outbox[channelId]?.filter(isWaiting).length ?? 0)
  if (waiting === 0) return null
  return (
    <Countdown
      until={until}
      words={(time) =>
        counted(
          waiting,
          'Slowed down: your message is sent {time}',
          'Slowed down: {count} messages wait, next {time}',
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
  /** In milliseconds of the server's time. */
  until: number
  /** @param time as in "in 40 seconds" */
  words: (time: string) => string
}

/** Counts down where all can see it. Inside a live region, screen readers announce the first time alone. */
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
