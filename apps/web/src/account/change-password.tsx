import { useState } from 'react'
import { checkNewPassword } from '#src/auth/check.ts'
import { useCodeField } from '#src/auth/code-field.tsx'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import type { FormErrors } from '#src/ui/fields/form-errors.ts'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { ProofFields } from './proofs/proof-fields.tsx'
import { checkProof, PROOF_FIELDS, proofOf } from './proofs/proof-values.ts'

/** Changes the password, given the old one. Users who forgot it can request a reset link. */
export function ChangePassword() {
  const { client } = useSession()
  const { codeField, withCode } = useCodeField()
  const [isDone, setIsDone] = useState(false)

  async function change(values: Values) {
    const { new_password = '' } = values
    await withCode(client.auth.changePassword({ new_password, ...proofOf(values) }))
    setIsDone(true)
  }

  if (isDone) {
    return (
      <p className="settings-note" role="status">
        {t('Password changed. You’ve been signed out everywhere else.')}
      </p>
    )
  }
  return (
    <>
      <SubmitForm
        fields={[...PROOF_FIELDS, 'new_password']}
        check={(values) => ({
          ...checkProof(values),
          ...renamed(checkNewPassword(values.new_password ?? '')),
        })}
        submit={change}
      >
        {(pending) => (
          <>
            <ProofFields label={t('Current password')} />
            <TextField
              name="new_password"
              label={t('New password')}
              type="password"
              autoComplete="new-password"
              hint={t('You’ll be signed out everywhere else.')}
            />
            {codeField}
            <div className="form-actions">
              <Button type="submit" pending={pending}>
                {t('Change password')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
      <ForgottenPassword />
    </>
  )
}

/** Moves the error of `password` to the field `new_password`: in this form, `password` is the old password. */
function renamed({ password }: FormErrors): FormErrors {
  return password === undefined ? {} : { new_password: password }
}

function ForgottenPassword() {
  const { client } = useSession()
  const action = useAction()
  const [sent, setSent] = useState(false)
  const send = async () => {
    await client.auth.sendPasswordReset()
    setSent(true)
  }
  return (
    <>
      <p className="settings-note" role="status">
        {sent ? t('We’ve emailed you a link to choose a new password.') : t('Forgot your password?')}
        {!sent && (
          <Button look="text" pending={action.pending} onClick={() => action.run(send)}>
            {t('Email me a link')}
          </Button>
        )}
      </p>
      <ErrorLine message={action.error} />
    </>
  )
}
