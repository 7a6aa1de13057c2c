import type { Instance } from '@foyer/protocol/instance'
import { useState } from 'react'
import { useRoute } from 'wouter'
import { t } from '#src/language/texts.ts'
import { ApplicationSent } from './application-sent.tsx'
import { AuthForms, type AuthMode } from './auth-forms.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { OperatorNote } from './operator-note.tsx'
import { mayUsePasskeys } from './passkeys/place.ts'
import { ProviderButtons } from './providers/provider-buttons.tsx'
import { SignUpForm, type SignUpOptions } from './sign-up-form.tsx'
import { rulesWithInvite, type SignUpRules, signUpRules } from './sign-up-rules.ts'
import { useInstanceSoon } from './use-instance.ts'

interface Copy {
  readonly title: string
  readonly lead?: string
}

const SIGN_IN: Copy = { title: t('Welcome back'), lead: t('Sign in to pick up where you left off.') }

const SIGN_UP = {
  open: { title: t('Create your account'), lead: t('All you need is a username, an email and a password.') },
  invite: {
    title: t('Create your account'),
    lead: t('You need an invite to create an account on this server.'),
  },
  approval: {
    title: t('Apply for an account'),
    lead: t('The administrators of this server review each new account.'),
  },
  closed: { title: t('Sign-up is closed') },
} satisfies Record<string, Copy>

const FIRST_TITLE = t('Welcome to your new Foyer')
const FIRST_LEAD = t('You’re the first one here, so this account will be the server administrator.')

/**
 * The page shown at every address while the user is signed out. Signing in opens the page at that address. The link of an
 * operator's invite shows the form for a new account.
 */
export function AuthPage() {
  const [, link] = useRoute('/sign-up/:code')
  const [mode, setMode] = useState<AuthMode>(link === null ? 'sign-in' : 'sign-up')
  const [isInviteRefused, setIsInviteRefused] = useState(false)
  const [isApplied, setIsApplied] = useState(false)
  const { instance, again } = useInstanceSoon()

  function reconsider() {
    setIsInviteRefused(true)
    again()
  }

  function goToSignIn() {
    setMode('sign-in')
    setIsApplied(false)
  }

  if (instance === undefined) return <AuthLayout title="Foyer" isPending />
  if (isApplied) return <ApplicationSent onSignIn={goToSignIn} />
  const invite = isInviteRefused ? undefined : link?.code
  const rules = invite === undefined ? signUpRules(instance) : rulesWithInvite(instance)
  const signUp: SignUpOptions = {
    rules,
    onRefused: reconsider,
    onApplied: () => setIsApplied(true),
    ...(invite === undefined ? {} : { invite }),
  }
  const isFirst = instance?.is_empty === true
  const hasPasswords = instance?.login.passwords !== false
  return (
    <AuthLayout
      {...(isFirst || (mode === 'sign-up' && hasPasswords) ? signUpCopy(instance, rules) : SIGN_IN)}
    >
      {isInviteRefused && mode === 'sign-up' && rules.isOpen && link !== null && (
        <p className="auth-lead">{t('The invite in your link has expired or was used up.')}</p>
      )}
      {hasPasswords &&
        (isFirst ? (
          <SignUpForm email="" onEmail={() => undefined} beginsHere signUp={signUp} />
        ) : (
          <AuthForms
            mode={mode}
            onMode={setMode}
            beginsHere
            signUp={signUp}
            takesPasskeys={mayUsePasskeys(instance)}
          />
        ))}
      {instance !== null && instance.login.providers.length > 0 && (
        <ProviderButtons login={instance.login} next={window.location.pathname + window.location.search} />
      )}
      <OperatorNote instance={instance} />
    </AuthLayout>
  )
}

function signUpCopy(instance: Instance | null, rules: SignUpRules): Copy {
  const copy = copyByRules(rules)
  if (!instance?.is_empty) return copy
  // If the server awaits an operator, the first account does not become the operator: only the printed link does that.
  return { ...copy, title: FIRST_TITLE, ...(instance.awaits_operator ? {} : { lead: FIRST_LEAD }) }
}

function copyByRules({ isOpen, needsApproval, invite }: SignUpRules): Copy {
  if (!isOpen) return SIGN_UP.closed
  if (needsApproval) return SIGN_UP.approval
  return invite === 'required' ? SIGN_UP.invite : SIGN_UP.open
}
