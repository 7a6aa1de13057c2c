import { Passkeys } from '@foyer/sdk/api/passkeys'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { mayUsePasskeys } from '#src/auth/passkeys/place.ts'
import { t } from '#src/language/texts.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useOpenDialog } from '#src/ui/dialogs/dialog-outlet.tsx'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'

const AddPasskey = lazyComponent(() => import('./add-passkey.tsx').then((module) => module.AddPasskey))

/** Offers a passkey if the device and the account can use one. */
export function OfferNote({ onAnswer }: { onAnswer: () => void }) {
  const { answer } = useAnswer(isOfUse)
  const openDialog = useOpenDialog()
  if (answer.state !== 'here' || !answer.value) return null

  function add() {
    onAnswer()
    openDialog((close) => <AddPasskey onClose={close} />)
  }

  return (
    <section aria-label={t('Passkeys')}>
      <p>
        {t('Sign in with your fingerprint, face or PIN next time?')}
        <Button look="text" onClick={add}>
          {t('Add a passkey…')}
        </Button>
        <Button look="text" onClick={onAnswer}>
          {t('Not now')}
        </Button>
      </p>
    </section>
  )
}

/** Returns true if this device can store a passkey for this page, and the account has none. */
async function isOfUse(client: Client, options: CallOptions): Promise<boolean> {
  if (!mayUsePasskeys(await client.instance.get(options))) return false
  if (!(await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable())) return false
  return (await client.api(Passkeys).list(options)).length === 0
}
