import { SecondFactors } from '@foyer/sdk/api/second-factors'
import { useState } from 'react'
import { AskCode } from '#src/auth/ask-code.tsx'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'

/** Asks for a second-factor code, to confirm a session that was opened without a code. */
export function ConfirmSession({ onConfirmed }: { onConfirmed: () => void }) {
  const { client } = useSession()
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <p className="settings-note">
        {t(
          'You signed in on this device without a code. Spaces and this server may ask for one before you moderate or administer.',
        )}
      </p>
      <div className="form-actions">
        <Button look="primary" onClick={() => setIsAsking(true)}>
          {t('Enter a code…')}
        </Button>
      </div>
      {isAsking && (
        <AskCode
          action={t('Confirm')}
          run={async (code) => {
            await client.api(SecondFactors).confirmSession({ code })
            onConfirmed()
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}
