import type { OwnerProofBody, SignInProvider } from '@foyer/protocol/oidc'
import { Identities } from '@foyer/sdk/api/identities'
import type { ReactNode } from 'react'
import { checkGiven } from '#src/auth/check.ts'
import { codeOf, useCodeField } from '#src/auth/code-field.tsx'
import { providerWords } from '#src/auth/providers/provider-words.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'

interface ChangeProps {
  provider: SignInProvider
  hasPassword: boolean
  onClose: () => void
}

/** Leads the browser to the provider, which then links the identity there. */
export function LinkProvider({ provider: { id, name }, hasPassword, onClose }: ChangeProps) {
  const { client } = useSession()

  async function link(proof: OwnerProofBody) {
    const { url } = await client.api(Identities).startLinking(id, proof)
    window.location.assign(url)
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Link {provider}?', { provider: name })}
      description={t(
        'You’ll sign in there next. From then on, anyone who can sign in there can sign in to your account.',
      )}
    >
      <OwnerForm
        hasPassword={hasPassword}
        action={t('Continue')}
        look="primary"
        run={link}
        onClose={onClose}
      />
    </Modal>
  )
}

export function UnlinkProvider({ provider: { id, name }, hasPassword, onClose }: ChangeProps) {
  const { client } = useSession()

  async function unlink(proof: OwnerProofBody) {
    await client.api(Identities).unlink(id, proof)
    onClose()
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Unlink {provider}?', { provider: name })}
      description={t(
        'You can’t sign in with it any more. Other devices that signed in with it are signed out.',
      )}
    >
      <OwnerForm
        hasPassword={hasPassword}
        action={t('Unlink')}
        look="danger"
        run={unlink}
        onClose={onClose}
      />
    </Modal>
  )
}

interface OwnerFormProps {
  hasPassword: boolean
  action: string
  look: 'primary' | 'danger'
  run: (proof: OwnerProofBody) => Promise<void>
  onClose: () => void
}

/** Asks for the password, if the account has one, and for a code if the server does. */
function OwnerForm({ hasPassword, action, look, run, onClose }: OwnerFormProps): ReactNode {
  const { codeField, withCode } = useCodeField()
  return (
    <SubmitForm
      fields={['password', 'code']}
      check={(values) => (hasPassword ? checkGiven(values, 'password', t('Enter your password.')) : {})}
      submit={(values) =>
        withCode(run(hasPassword ? { password: values.password ?? '', ...codeOf(values) } : {}))
      }
      words={providerWords}
    >
      {(pending) => (
        <>
          {hasPassword && (
            <TextField
              name="password"
              label={t('Your password')}
              type="password"
              autoComplete="current-password"
            />
          )}
          {codeField}
          <div className="form-actions">
            <Button onClick={onClose}>{t('Cancel')}</Button>
            <Button type="submit" look={look} pending={pending}>
              {action}
            </Button>
          </div>
        </>
      )}
    </SubmitForm>
  )
}
