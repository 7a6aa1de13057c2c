import { useState } from 'react'
import { Link } from 'wouter'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/field.tsx'
import { SubmitForm, type Values } from '#src/ui/submit-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { checkEmail } from './check.ts'

export function ForgotPasswordPage() {
  const { client } = useSession()
  const [sentTo, setSentTo] = useState<string | null>(null)

  async function send({ email = '' }: Values) {
    await client.auth.forgotPassword({ email: email.trim() })
    setSentTo(email.trim())
  }

  if (sentTo !== null) {
    return (
      <AuthLayout
        title="Look into your mail"
        lead={`If ${sentTo} belongs to an account, a link to a new password is on its way.`}
      >
        <Link href="/" className="button button-primary">
          Back to sign in
        </Link>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title="Forgot your password?" lead="We send you a link with which you can choose a new one.">
      <SubmitForm fields={['email']} check={(values) => checkEmail(values.email ?? '')} submit={send}>
        {(pending) => (
          <>
            <TextField name="email" label="Email" type="email" autoComplete="email" />
            <Button type="submit" look="primary" pending={pending}>
              Send link
            </Button>
          </>
        )}
      </SubmitForm>
      <p className="auth-switch">
        <Link href="/">Back to sign in</Link>
      </p>
    </AuthLayout>
  )
}
