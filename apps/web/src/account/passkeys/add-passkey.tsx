import { limits } from '@foyer/protocol/limits'
import type { PasskeyCreationOptions } from '@foyer/protocol/passkeys'
import type { ProofBody } from '@foyer/protocol/second-factors'
import { Passkeys } from '@foyer/sdk/api/passkeys'
import { useState } from 'react'
import { checkGiven } from '#src/auth/check.ts'
import { type Failure, makeCredential } from '#src/auth/passkeys/ceremonies.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { deviceName } from '../device.ts'
import { OwnerProof } from './owner-proof.tsx'

const FAILURES: Readonly<Record<Failure, string | null>> = {
  // Cancelling the browser's dialog is not an error.
  cancelled: null,
  known: t('This device already has a passkey for your account.'),
  unfit: t('This device can’t store a passkey. Set up a screen lock or a PIN first, or use another device.'),
}

/** Adds a passkey in two steps: a proof of presence, then its name with the dialog of the browser. */
export function AddPasskey({ onClose }: { onClose: () => void }) {
  const { client } = useSession()
  const [options, setOptions] = useState<PasskeyCreationOptions | null>(null)

  async function prepare(proof: ProofBody) {
    setOptions(await client.api(Passkeys).prepare(proof))
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Add a passkey')}
      {...(options === null && { description: t('Confirm it’s you first.') })}
    >
      {options === null ? (
        <OwnerProof action={t('Continue')} run={prepare} onCancel={onClose} />
      ) : (
        <NameStep options={options} onClose={onClose} />
      )}
    </Modal>
  )
}

function NameStep({ options, onClose }: { options: PasskeyCreationOptions; onClose: () => void }) {
  const { client } = useSession()
  const [failure, setFailure] = useState<string | null>(null)

  async function make(name: string) {
    setFailure(null)
    const credential = await makeCredential(options)
    if (typeof credential === 'string') return setFailure(FAILURES[credential])
    await client.api(Passkeys).add({ name, credential })
    onClose()
  }

  return (
    <SubmitForm
      fields={['name']}
      check={(values) => checkGiven(values, 'name', t('Enter a name.'))}
      submit={({ name = '' }) => make(name.trim())}
      beginsHere
    >
      {(pending) => (
        <>
          <TextField
            name="name"
            label={t('Passkey name')}
            hint={t('Choose a name you’ll recognise later. Next, your browser will ask you to confirm.')}
            maxLength={limits.nameMax}
            defaultValue={deviceName(navigator.userAgent)}
          />
          <ErrorLine message={failure} />
          <div className="form-actions">
            <Button onClick={onClose}>{t('Cancel')}</Button>
            <Button type="submit" look="primary" pending={pending}>
              {t('Create passkey')}
            </Button>
          </div>
        </>
      )}
    </SubmitForm>
  )
}
