import { useEffect, useState } from 'react'
import { useAppState, useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/button.tsx'

/** Short breaks are not worth a word. */
const QUIET_MS = 1500

/** Says that the server is out of reach, once it is for longer than a moment. */
export function ConnectionBanner() {
  const { client } = useSession()
  const connection = useAppState((state) => state.connection)
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
          Reconnecting… What you write is kept and sent afterwards.
          <Button look="text" onClick={() => client.gateway.reconnectNow()}>
            Try now
          </Button>
        </p>
      )}
      {connection === 'closed' && (
        <p>
          Foyer was updated on the server.
          <Button look="text" onClick={() => window.location.reload()}>
            Reload
          </Button>
        </p>
      )}
    </div>
  )
}
