import type { Application } from '@foyer/protocol/applications'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { RichText } from '#src/language/rich-text.tsx'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { CopyRow } from '#src/ui/buttons/copy-row.tsx'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'

interface BotTokenProps {
  application: Application
  newToken: string | null
}

/** The token that the bot signs in with. Shown only once, when it is created. */
export function BotToken({ application, newToken }: BotTokenProps) {
  const { client } = useSession()
  const [token, setToken] = useState(newToken)
  const [asking, setAsking] = useState(false)

  async function renew() {
    const created = await client.applications.resetToken(application.id)
    setToken(created.token)
  }

  return (
    <>
      {token === null ? (
        <p className="settings-note">
          {t('For security, the token can’t be shown again. If you lost it or it leaked, reset it.')}
        </p>
      ) : (
        <>
          <CopyRow label={t('Bot token')} action={t('Copy token')} value={token} />
          <p className="token-warning">
            <TriangleAlert aria-hidden="true" />
            <span>
              <RichText
                text={t(
                  'Copy it now: <strong>you won’t be able to see it again.</strong> Anyone with the token can act as the bot, so keep it secret.',
                )}
                tags={{ strong: (inside) => <strong>{inside}</strong> }}
              />
            </span>
          </p>
        </>
      )}
      {token === null && (
        <div className="form-actions">
          <Button onClick={() => setAsking(true)}>{t('Reset token…')}</Button>
        </div>
      )}
      {asking && (
        <Confirm
          open
          onOpenChange={setAsking}
          title={t('Reset the token?')}
          action={t('Reset token')}
          run={renew}
        >
          <p>{t('The current token stops working immediately. Programs that use it are disconnected.')}</p>
        </Confirm>
      )}
    </>
  )
}
