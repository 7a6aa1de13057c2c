import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/button.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'

export type AuthMode = 'sign-in' | 'sign-up'

interface AuthFormsProps {
  mode: AuthMode
  onMode: (mode: AuthMode) => void
  /** Whether there is nothing to read before. */
  beginsHere: boolean
}

/** Signing in or up on one screen, with the way from one to the other below. */
export function AuthForms({ mode, onMode, beginsHere }: AuthFormsProps) {
  // What was typed in the one is not typed again in the other.
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
        <SignUpForm {...form} email={email.includes('@') ? email : ''} />
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
      <SignInForm {...form} email={email} />
      <p className="auth-switch">
        {t('New here?')}
        <Button look="text" onClick={() => change('sign-up')}>
          {t('Create an account')}
        </Button>
      </p>
    </>
  )
}
