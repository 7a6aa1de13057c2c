import type { Application } from '@foyer/protocol/applications'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/button.tsx'
import { Confirm } from '#src/ui/confirm.tsx'
import { CopyRow } from '#src/ui/copy-row.tsx'

interface BotTokenProps {
  application: Application
  newToken: string | null
}

/** By what the bot signs in: shown once, when it was made. */
export function BotToken({ application, newToken }: BotTokenProps) {
  const { client } = useSession()
  const [token, setToken] = useState(newToken)
  const [asking, setAsking] = useState(false)

  async function renew() {
    const made = await client.applications.resetToken(application.id)
    setToken(made.token)
  }

  return (
    <>
      {token === null ? (
        <p className="settings-note">
          The token is kept nowhere in readable form. If it is lost, or somebody else has seen it, make a new
          one.
        </p>
      ) : (
        <>
          <CopyRow label="Bot token" action="Copy token" value={token} />
          <p className="token-warning">
            <TriangleAlert aria-hidden="true" />
            <span>
              Copy it now: <strong>it is not shown again.</strong> Whoever has it can act as the bot, so keep
              it like a password.
            </span>
          </p>
        </>
      )}
      {token === null && (
        <div className="form-actions">
          <Button onClick={() => setAsking(true)}>Make a new token…</Button>
        </div>
      )}
      {asking && (
        <Confirm open onOpenChange={setAsking} title="Make a new token?" action="Make new token" run={renew}>
          <p>The token before stops working at once: programs that use it are disconnected.</p>
        </Confirm>
      )}
    </>
  )
}
