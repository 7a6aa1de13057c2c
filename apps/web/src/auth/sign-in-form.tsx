import type { LoginBody } from '@foyer/protocol/auth'
import { ApiError } from '@foyer/sdk/rest'
import { Suspense, useState } from 'react'
import { Link } from 'wouter'
import { t } from '#src/language/texts.ts'
import { connect } from '#src/session/connect.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { PasswordField } from '#src/ui/fields/password-field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { checkGiven } from './check.ts'
import { CodeStep } from './code-step.tsx'
import { makeOfferDue } from './passkeys/place.ts'
import { authWords } from './words.ts'

const PasskeySignIn = lazyComponent(
  () => import('./passkeys/passkey-sign-in.tsx').then((module) => module.PasskeySignIn),
  () => null,
)

interface SignInFormProps {
  email: string
  onEmail: (email: string) => void
  beginsHere: boolean
  takesPasskeys: boolean
  /** Called before the user is signed in. */
  onSignedIn?: (() => void) | undefined
}

export function SignInForm(props: SignInFormProps) {
  const { email, onEmail, beginsHere, takesPasskeys, onSignedIn } = props
  const session = useSession()
  /** Email address and password, once they are right and a code is needed. */
  const [given, setGiven] = useState<LoginBody | null>(null)

  async function signIn(body: LoginBody) {
    await session.client.auth.login(body)
    if (takesPasskeys) makeOfferDue(window.localStorage)
    onSignedIn?.()
    connect(session)
  }

  async function submit({ email = '', password = '' }: Values) {
    const body = { email: email.trim(), password }
    try {
      await signIn(body)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'second_factor_required') throw error
      setGiven(body)
    }
  }

  const check = (values: Values) => ({
    ...checkGiven(values, 'email', t('Enter your email address or username.')),
    ...checkGiven(values, 'password', t('Enter your password.')),
  })

  if (given !== null)
    return <CodeStep signIn={(code) => signIn({ ...given, code })} onBack={() => setGiven(null)} />
  return (
    <SubmitForm
      fields={['email', 'password']}
      check={check}
      submit={submit}
      beginsHere={beginsHere}
      words={authWords}
    >
      {(pending) => (
        <>
          <TextField
            name="email"
            label={t('Email or username')}
            autoComplete="username webauthn"
            autoCapitalize="none"
            spellCheck={false}
            defaultValue={email}
            onValueChange={onEmail}
          />
          <PasswordField name="password" label={t('Password')} autoComplete="current-password" />
          <Link href="/forgot-password" className="auth-aside">
            {t('Forgot password?')}
          </Link>
          <Button type="submit" look="primary" pending={pending}>
            {t('Sign in')}
          </Button>
          {takesPasskeys && (
            <Suspense>
              <PasskeySignIn onSignedIn={onSignedIn} />
            </Suspense>
          )}
        </>
      )}
    </SubmitForm>
  )
}
