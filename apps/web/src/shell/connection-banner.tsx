import { useEffect, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { lazyAside, lazyNote } from '#src/ui/loading/lazy-popup.tsx'

const ReadyNotes = lazyNote(() => import('./status-notes.tsx').then((module) => module.ReadyNotes))
const SlowedBanner = lazyAside(() => import('./status-notes.tsx').then((module) => module.SlowedBanner))

/** Time without a connection before the banner appears. */
const QUIET_MS = 1500

/** Shows a lost connection after a moment, an outdated client, and rate-limited requests. */
export function ConnectionBanner() {
  const { client } = useSession()
  const connection = useAppState((state) => state.connection)
  const slowedUntil = useAppState((state) => state.slowedUntil)
  const isLost = connection === 'reconnecting' || connection === 'connecting'
  const [shown, setShown] = useState(false)

  useEffect(() => {
    if (!isLost) return setShown(false)
    const timer = setTimeout(() => setShown(true), QUIET_MS)
    return () => clearTimeout(timer)
  }, [isLost])

  return (
    <div role="status" className="connection">
      {isLost && shown && (
        <p>
          <span className="connection-pulse" aria-hidden="true" />
          {t('Reconnecting… Your messages will be sent when you’re back online.')}
          <Button look="text" onClick={() => client.gateway.reconnectNow()}>
            {t('Try now')}
          </Button>
        </p>
      )}
      {connection === 'closed' && (
        <p>
          {t('Foyer has a new version. Reload to reconnect.')}
          <Button look="text" onClick={() => window.location.reload()}>
            {t('Reload')}
          </Button>
        </p>
      )}
      {slowedUntil > 0 && <SlowedBanner key={slowedUntil} until={slowedUntil} />}
      {connection === 'ready' && <ReadyNotes />}
    </div>
  )
}
