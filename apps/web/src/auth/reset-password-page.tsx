import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { PasswordField } from '#src/ui/fields/password-field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { checkNewPassword } from './check.ts'

/** The page of the link in the mail about a forgotten password. */
export function ResetPasswordPage() {
  const { client } = useSession()
  const [search] = useSearchParams()
  const [done, setDone] = useState(false)

  async function reset({ password = '' }: Values) {
    await client.auth.resetPassword({ token: search.get('token') ?? '', password })
    setDone(true)
  }

  if (done) {
    return (
      <AuthLayout title={t('Password changed')} lead={t('You’ve been signed out everywhere else.')}>
        <Link href="/" className="button button-primary">
          {t('Continue')}
        </Link>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title={t('Choose a new password')}>
      <SubmitForm
        fields={['password']}
        check={(values) => checkNewPassword(values.password ?? '')}
        submit={reset}
        beginsHere
      >
        {(pending) => (
          <>
            <PasswordField name="password" label={t('New password')} autoComplete="new-password" />
            <Button type="submit" look="primary" pending={pending}>
              {t('Set password')}
            </Button>
          </>
        )}
      </SubmitForm>
      <p className="auth-switch">
        {t('Link expired?')} <Link href="/forgot-password">{t('Request a new link')}</Link>
      </p>
    </AuthLayout>
  )
}
