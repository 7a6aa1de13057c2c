import { useState } from 'react'
import { AuthForms, type AuthMode } from './auth-forms.tsx'
import { AuthLayout } from './auth-layout.tsx'

const copy = {
  'sign-in': { title: 'Welcome back', lead: 'Sign in to pick up where you left off.' },
  'sign-up': { title: 'Create your account', lead: 'It takes a name, an address and a password.' },
} as const

/** What anybody who is not signed in sees, wherever they wanted to go; they get there afterwards. */
export function AuthPage() {
  const [mode, setMode] = useState<AuthMode>('sign-in')
  return (
    <AuthLayout title={copy[mode].title} lead={copy[mode].lead}>
      <AuthForms mode={mode} onMode={setMode} beginsHere />
    </AuthLayout>
  )
}
