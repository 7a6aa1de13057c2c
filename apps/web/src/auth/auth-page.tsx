import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { AuthForms, type AuthMode } from './auth-forms.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { SignUpForm } from './sign-up-form.tsx'
import { useIsEmpty } from './use-instance.ts'

const copy = {
  'sign-in': { title: t('Welcome back'), lead: t('Sign in to pick up where you left off.') },
  'sign-up': {
    title: t('Create your account'),
    lead: t('All you need is a username, an email and a password.'),
  },
} as const

const FIRST = {
  title: t('Welcome to your new Foyer'),
  lead: t('You’re the first one here, so this account will be the server administrator.'),
}

/** Shown at every address while the user is signed out. The address stays, so signing in leads there. */
export function AuthPage() {
  const [mode, setMode] = useState<AuthMode>('sign-in')
  const isEmpty = useIsEmpty()
  if (isEmpty === undefined) return <AuthLayout title="Foyer" isPending />
  if (isEmpty)
    return (
      <AuthLayout title={FIRST.title} lead={FIRST.lead}>
        <SignUpForm email="" onEmail={() => undefined} beginsHere />
      </AuthLayout>
    )
  return (
    <AuthLayout title={copy[mode].title} lead={copy[mode].lead}>
      <AuthForms mode={mode} onMode={setMode} beginsHere />
    </AuthLayout>
  )
}
