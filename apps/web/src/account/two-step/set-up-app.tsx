import type { ProofBody, TotpSetup } from '@foyer/protocol/second-factors'
import { SecondFactors } from '@foyer/sdk/api/second-factors'
import { useState } from 'react'
import { checkGiven } from '#src/auth/check.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { NewCodes } from './new-codes.tsx'
import { ProofForm } from './proof-form.tsx'
import { QrCode } from './qr-code.tsx'
import './two-step.css'

interface SetUpAppProps {
  /** True if this replaces an authenticator app that is already set up. */
  isOn: boolean
  onClose: () => void
}

/**
 * Sets up an authenticator app in three steps: a proof of presence, the QR code with a first code, and the recovery
 * codes.
 */
export function SetUpApp({ isOn, onClose }: SetUpAppProps) {
  const { client } = useSession()
  const [setup, setSetup] = useState<TotpSetup | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes !== null) return <NewCodes codes={codes} onClose={onClose} />

  async function prepare(proof: ProofBody) {
    setSetup(await client.api(SecondFactors).prepareTotp(proof))
  }

  async function confirm(code: string) {
    setCodes((await client.api(SecondFactors).confirmTotp({ code })).codes)
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Set up an authenticator app')}
      {...(setup === null && { description: t('Confirm it’s you first.') })}
    >
      {setup === null ? (
        <ProofForm needsCode={isOn} action={t('Continue')} run={prepare} onCancel={onClose} />
      ) : (
        <FirstCode setup={setup} confirm={confirm} onCancel={onClose} />
      )}
    </Modal>
  )
}

interface FirstCodeProps {
  setup: TotpSetup
  confirm: (code: string) => Promise<void>
  onCancel: () => void
}

function FirstCode({ setup: { uri, secret }, confirm, onCancel }: FirstCodeProps) {
  return (
    <SubmitForm
      fields={['code']}
      check={(values) => checkGiven(values, 'code', t('Enter the code that the app shows.'))}
      submit={({ code = '' }) => confirm(code.trim())}
      beginsHere
    >
      {(pending) => (
        <>
          <p>{t('Scan this with your authenticator app, then type the code that it shows.')}</p>
          <QrCode text={uri} label={t('QR code for your authenticator app')} />
          <p className="settings-note">
            {t('Can’t scan it? Type this key into the app:')}{' '}
            <code className="totp-secret">{secret.match(/.{1,4}/g)?.join(' ')}</code>
          </p>
          <TextField
            name="code"
            label={t('Code from the app')}
            inputMode="numeric"
            autoComplete="one-time-code"
          />
          <div className="form-actions">
            <Button onClick={onCancel}>{t('Cancel')}</Button>
            <Button type="submit" look="primary" pending={pending}>
              {t('Turn on')}
            </Button>
          </div>
        </>
      )}
    </SubmitForm>
  )
}
