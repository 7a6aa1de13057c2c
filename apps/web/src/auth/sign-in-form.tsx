import { Link } from 'wouter'
import { useSession } from '#src/session/context.ts'
import { connect } from '#src/session/start.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/field.tsx'
import { SubmitForm, type Values } from '#src/ui/submit-form.tsx'
import { checkGiven } from './check.ts'

interface SignInFormProps {
  email: string
  onEmail: (email: string) => void
  beginsHere: boolean
}

export function SignInForm({ email, onEmail, beginsHere }: SignInFormProps) {
  const session = useSession()

  async function signIn({ email = '', password = '' }: Values) {
    await session.client.auth.login({ email: email.trim(), password })
    connect(session)
  }

  const check = (values: Values) => ({
    ...checkGiven(values, 'email', 'Enter your email address or username.'),
    ...checkGiven(values, 'password', 'Enter your password.'),
  })

  return (
    <SubmitForm fields={['email', 'password']} check={check} submit={signIn} beginsHere={beginsHere}>
      {(pending) => (
        <>
          <TextField
            name="email"
            label="Email or username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            defaultValue={email}
            onValueChange={onEmail}
          />
          <TextField name="password" label="Password" type="password" autoComplete="current-password" />
          <Link href="/forgot-password" className="auth-aside">
            Forgot password?
          </Link>
          <Button type="submit" look="primary" pending={pending}>
            Sign in
          </Button>
        </>
      )}
    </SubmitForm>
  )
}
