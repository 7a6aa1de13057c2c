import type { LoginBody } from '@foyer/protocol/auth'
import { Suspense } from 'react'
import { Link } from 'wouter'
import { t } from '#src/language/texts.ts'
import { connect } from '#src/session/connect.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { PasswordField } from '#src/ui/fields/password-field.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { makeOfferDue } from './passkeys/place.ts'
import { usePasswordSteps } from './use-password-steps.tsx'
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
  /** Called after the server has accepted the login, before the client connects. */
  onSignedIn?: (() => void) | undefined
}

export function SignInForm(props: SignInFormProps) {
  const { email, onEmail, beginsHere, takesPasskeys, onSignedIn } = props
  const session = useSession()

  async function signIn(body: LoginBody) {
    await session.client.auth.login(body)
    if (takesPasskeys) makeOfferDue(window.localStorage)
    onSignedIn?.()
    connect(session)
  }

  const { check, submit, codeStep } = usePasswordSteps(signIn)
  if (codeStep) return codeStep
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
