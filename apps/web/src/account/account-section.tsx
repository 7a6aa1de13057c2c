import type { CurrentUser } from '@foyer/protocol/users'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { checkEmail } from '#src/auth/check.ts'
import { useCodeField } from '#src/auth/code-field.tsx'
import { useInstance } from '#src/auth/use-instance.ts'
import { RichText } from '#src/language/rich-text.tsx'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import './account-section.css'
import { ChangePassword } from './change-password.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { LinkedProviders } from './identities/identities.tsx'
import { Passkeys } from './passkeys/passkeys.tsx'
import { PersonalDetails } from './personal-details.tsx'
import { ProofFields } from './proofs/proof-fields.tsx'
import { checkProof, PROOF_FIELDS, proofOf } from './proofs/proof-values.ts'
import { TwoStep } from './two-step/two-step.tsx'

/** Settings of the account itself: email address, password, personal details and deletion. */
export function AccountSection({ me }: { me: CurrentUser }) {
  const hasProviders = (useInstance()?.login.providers.length ?? 0) > 0
  return (
    <div className="account-section">
      <section className="settings-block">
        <h4>{t('Email address')}</h4>
        <OwnAddress key={String(me.email_verified)} />
        <Verification isVerified={me.email_verified} />
        <ChangeEmail />
      </section>
      <section className="settings-block">
        <h4>{t('Password')}</h4>
        <ChangePassword />
      </section>
      {hasProviders && (
        <section className="settings-block">
          <h4>{t('Sign-in providers')}</h4>
          <LinkedProviders />
        </section>
      )}
      <section className="settings-block">
        <h4>{t('Two-step login')}</h4>
        <TwoStep />
      </section>
      <Passkeys />
      <section className="settings-block">
        <h4>{t('Personal details')}</h4>
        <p className="settings-note">{t('Only you can see this.')}</p>
        <PersonalDetails me={me} />
      </section>
      <section className="settings-block">
        <h4>{t('Delete account')}</h4>
        <DeleteAccount me={me} />
      </section>
    </div>
  )
}

/** The masked email address. Needs a new `key` after each confirmation, because that may change the address. */
function OwnAddress() {
  const { client } = useSession()
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    client.auth.getOwnAddress({ signal: abort.signal }).then(
      ({ masked }) => setAddress(masked),
      () => undefined,
    )
    return () => abort.abort()
  }, [client])
  return <p className="account-address">{address}</p>
}

function Verification({ isVerified }: { isVerified: boolean }) {
  const { client } = useSession()
  const action = useAction()
  const [sent, setSent] = useState(false)
  if (isVerified) {
    return (
      <p className="account-state" data-good>
        <CircleCheck aria-hidden="true" /> {t('Your email address is confirmed.')}
      </p>
    )
  }
  const send = async () => {
    await client.auth.sendVerification()
    setSent(true)
  }
  return (
    <>
      <p className="account-state" role="status">
        <CircleAlert aria-hidden="true" />
        {sent ? t('We’ve emailed you a new link.') : t('Your email address isn’t confirmed yet.')}
        {!sent && (
          <Button look="text" pending={action.pending} onClick={() => action.run(send)}>
            {t('Resend link')}
          </Button>
        )}
      </p>
      <ErrorLine message={action.error} />
    </>
  )
}

function ChangeEmail() {
  const { client } = useSession()
  const { codeField, withCode } = useCodeField()
  const [sentTo, setSentTo] = useState<string | null>(null)

  async function send(values: Values) {
    const { email = '' } = values
    await withCode(client.auth.sendEmailChange({ email: email.trim(), ...proofOf(values) }))
    setSentTo(email.trim())
  }

  if (sentTo !== null) {
    return (
      <p className="settings-note" role="status">
        <RichText
          text={t('We sent a link to <strong>{email}</strong>. Open it to confirm the change.')}
          values={{ email: sentTo }}
          tags={{ strong: (inside) => <strong>{inside}</strong> }}
        />{' '}
        <Button look="text" onClick={() => setSentTo(null)}>
          {t('Use another email address')}
        </Button>
      </p>
    )
  }
  return (
    <SubmitForm
      fields={['email', ...PROOF_FIELDS]}
      check={(values) => ({ ...checkEmail(values.email ?? ''), ...checkProof(values) })}
      submit={send}
    >
      {(pending) => (
        <>
          <TextField name="email" label={t('New email address')} type="email" autoComplete="email" />
          <ProofFields hint={t('Enter your password to confirm it’s you.')}>{codeField}</ProofFields>
          <div className="form-actions">
            <Button type="submit" pending={pending}>
              {t('Change email address')}
            </Button>
          </div>
        </>
      )}
    </SubmitForm>
  )
}
