import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/field.tsx'
import { SubmitForm, type Values } from '#src/ui/submit-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { checkNewPassword } from './check.ts'

/** Where the link in the mail about a forgotten password leads. */
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
      <AuthLayout title="Your password is changed" lead="All other sessions of your account have ended.">
        <Link href="/" className="button button-primary">
          Continue
        </Link>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title="Choose a new password">
      <SubmitForm
        fields={['password']}
        check={(values) => checkNewPassword(values.password ?? '')}
        submit={reset}
      >
        {(pending) => (
          <>
            <TextField name="password" label="New password" type="password" autoComplete="new-password" />
            <Button type="submit" look="primary" pending={pending}>
              Set password
            </Button>
          </>
        )}
      </SubmitForm>
      <p className="auth-switch">
        Did the link expire? <Link href="/forgot-password">Ask for a new one</Link>
      </p>
    </AuthLayout>
  )
}
