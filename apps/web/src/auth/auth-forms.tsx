import { useState } from 'react'
import { Button } from '#src/ui/button.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'

export type AuthMode = 'sign-in' | 'sign-up'

/** Signing in or up on one screen, with the way from one to the other below. */
export function AuthForms({ mode, onMode }: { mode: AuthMode; onMode: (mode: AuthMode) => void }) {
  // What was typed in the one is not typed again in the other.
  const [email, setEmail] = useState('')
  if (mode === 'sign-up') {
    return (
      <>
        <SignUpForm email={email} onEmail={setEmail} />
        <p className="auth-switch">
          Already have an account?
          <Button look="text" onClick={() => onMode('sign-in')}>
            Sign in instead
          </Button>
        </p>
      </>
    )
  }
  return (
    <>
      <SignInForm email={email} onEmail={setEmail} />
      <p className="auth-switch">
        New here?
        <Button look="text" onClick={() => onMode('sign-up')}>
          Create an account
        </Button>
      </p>
    </>
  )
}
