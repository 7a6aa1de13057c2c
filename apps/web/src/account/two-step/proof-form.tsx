import type { ProofBody } from '@foyer/protocol/second-factors'
import { checkGiven } from '#src/auth/check.ts'
import { CodeField, codeOf } from '#src/auth/code-field.tsx'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'

interface ProofFormProps {
  /** False while the account has no second factor. */
  needsCode: boolean
  action: string
  look?: 'primary' | 'danger'
  run: (proof: ProofBody) => Promise<void>
  onCancel: () => void
}

/** Asks for the password, and for a code if the account has a second factor. */
export function ProofForm({ needsCode, action, look = 'primary', run, onCancel }: ProofFormProps) {
  return (
    <SubmitForm
      fields={['password', 'code']}
      check={(values) => ({
        ...checkGiven(values, 'password', t('Enter your password.')),
        ...(needsCode && checkGiven(values, 'code', t('Enter a code.'))),
      })}
      submit={(values) => run({ password: values.password ?? '', ...codeOf(values) })}
    >
      {(pending) => (
        <>
          <TextField
            name="password"
            label={t('Your password')}
            type="password"
            autoComplete="current-password"
          />
          {needsCode && <CodeField />}
          <div className="form-actions">
            <Button onClick={onCancel}>{t('Cancel')}</Button>
            <Button type="submit" look={look} pending={pending}>
              {action}
            </Button>
          </div>
        </>
      )}
    </SubmitForm>
  )
}
