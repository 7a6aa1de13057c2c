import { useState } from 'react'
import { Link } from 'wouter'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { checkEmail } from './check.ts'
import { useInstance } from './use-instance.ts'

export function ForgotPasswordPage() {
  const { client } = useSession()
  const hasMail = useInstance()?.has_mail !== false
  const [sentTo, setSentTo] = useState<string | null>(null)

  async function send({ email = '' }: Values) {
    await client.auth.forgotPassword({ email: email.trim() })
    setSentTo(email.trim())
  }

  if (sentTo !== null) {
    return (
      <AuthLayout
        title={t('Check your email')}
        lead={t('If {email} belongs to an account, we’ve sent it a link to choose a new password.', {
          email: sentTo,
        })}
      >
        <Link href="/" className="button button-primary">
          {t('Back to sign in')}
        </Link>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title={t('Forgot your password?')} lead={t('We’ll email you a link to choose a new one.')}>
      <SubmitForm
        fields={['email']}
        check={(values) => checkEmail(values.email ?? '')}
        submit={send}
        beginsHere
      >
        {(pending) => (
          <>
            <TextField name="email" label={t('Email')} type="email" autoComplete="email" />
            <Button type="submit" look="primary" pending={pending}>
              {t('Send link')}
            </Button>
          </>
        )}
      </SubmitForm>
      {!hasMail && (
        <p className="auth-note">{t('This server can’t send email. Ask its administrator for your link.')}</p>
      )}
      <p className="auth-switch">
        <Link href="/">{t('Back to sign in')}</Link>
      </p>
    </AuthLayout>
  )
}
