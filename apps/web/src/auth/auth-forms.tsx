import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignUpForm, type SignUpOptions } from './sign-up-form.tsx'

export type AuthMode = 'sign-in' | 'sign-up'

interface AuthFormsProps {
  mode: AuthMode
  onMode: (mode: AuthMode) => void
  /** Focuses the first field. False if there is a text to read above the form. */
  beginsHere: boolean
  signUp: SignUpOptions
  /** True if passkeys work in this browser and on this page. */
  takesPasskeys: boolean
}

/** The forms to sign in and sign up, with a link below to switch between them. */
export function AuthForms({ mode, onMode, beginsHere, signUp, takesPasskeys }: AuthFormsProps) {
  // Kept here, so that switching forms does not lose it.
  const [email, setEmail] = useState('')
  const [changed, setChanged] = useState(false)
  const form = { onEmail: setEmail, beginsHere: beginsHere || changed }

  function change(next: AuthMode) {
    setChanged(true)
    onMode(next)
  }

  if (mode === 'sign-up') {
    return (
      <>
        <SignUpForm {...form} email={email.includes('@') ? email : ''} signUp={signUp} />
        <p className="auth-switch">
          {t('Already have an account?')}
          <Button look="text" onClick={() => change('sign-in')}>
            {t('Sign in instead')}
          </Button>
        </p>
      </>
    )
  }
  return (
    <>
      <SignInForm {...form} email={email} takesPasskeys={takesPasskeys} onSignedIn={signUp.onSignedIn} />
      <p className="auth-switch">
        {t('New here?')}
        <Button look="text" onClick={() => change('sign-up')}>
          {t('Create an account')}
        </Button>
      </p>
    </>
  )
}
