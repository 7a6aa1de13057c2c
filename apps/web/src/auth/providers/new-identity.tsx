import type { LoginAnswer } from '@foyer/protocol/auth'
import type { SignInTicket } from '@foyer/protocol/oidc'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { ApplicationSent } from '../application-sent.tsx'
import { AuthLayout } from '../auth-layout.tsx'
import { rulesWithInvite, signUpRules } from '../sign-up-rules.ts'
import { useInstanceSoon } from '../use-instance.ts'
import { LinkForm } from './link-form.tsx'
import { ProviderSignUpForm } from './provider-sign-up-form.tsx'
import { inviteIn } from './provider-start.ts'

interface NewIdentityProps {
  ticket: SignInTicket
  onSignedIn: (login: LoginAnswer) => void
  onBack: () => void
}

/** Lets a person without an account here create one, or sign in to an existing one. */
export function NewIdentity({ ticket, onSignedIn, onBack }: NewIdentityProps) {
  const { instance, again } = useInstanceSoon()
  const [mode, setMode] = useState<'sign-up' | 'link'>('sign-up')
  const [isApplied, setIsApplied] = useState(false)
  const [isInviteRefused, setIsInviteRefused] = useState(false)
  const provider = ticket.provider.name

  if (instance === undefined) return <AuthLayout title="Foyer" isPending />
  if (isApplied) return <ApplicationSent onSignIn={onBack} />
  if (mode === 'link') {
    return (
      <AuthLayout
        title={t('Sign in to your account')}
        lead={t('Then you can also sign in with {provider}.', { provider })}
      >
        <LinkForm onSignedIn={onSignedIn} />
        <Switch text={t('New here?')} action={t('Create an account')} onClick={() => setMode('sign-up')} />
      </AuthLayout>
    )
  }
  const invite = isInviteRefused ? undefined : inviteIn(ticket.next)
  const rules = invite === undefined ? signUpRules(instance) : rulesWithInvite(instance)
  return (
    <AuthLayout
      title={rules.needsApproval ? t('Apply for an account') : t('Create your account')}
      lead={t('You signed in with {provider}. Choose a name to use here.', { provider })}
    >
      <ProviderSignUpForm
        ticket={ticket}
        signUp={{
          rules,
          ...(invite === undefined ? {} : { invite }),
          onApplied: () => setIsApplied(true),
          onRefused: () => {
            setIsInviteRefused(true)
            again()
          },
        }}
        onSignedIn={onSignedIn}
      />
      <Switch
        text={t('Already have an account?')}
        action={t('Sign in instead')}
        onClick={() => setMode('link')}
      />
    </AuthLayout>
  )
}

function Switch({ text, action, onClick }: { text: string; action: string; onClick: () => void }) {
  return (
    <p className="auth-switch">
      {text}
      <Button look="text" onClick={onClick}>
        {action}
      </Button>
    </p>
  )
}
