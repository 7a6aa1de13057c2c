import type { LoginAnswer } from '@foyer/protocol/auth'
import type { SignInTicket } from '@foyer/protocol/oidc'
import { Identities } from '@foyer/sdk/api/identities'
import { ApiError } from '@foyer/sdk/rest'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { errorMessage } from '#src/ui/fields/form-errors.ts'
import { AuthLayout } from '../auth-layout.tsx'
import { CodeStep } from '../code-step.tsx'
import { providerWords } from './provider-words.ts'

interface LinkedIdentityProps {
  ticket: SignInTicket
  onSignedIn: (login: LoginAnswer) => void
}

/** Signs in to the account of the identity, with a code if the account has a second factor. */
export function LinkedIdentity({ ticket, onSignedIn }: LinkedIdentityProps) {
  const { client } = useSession()
  const [needsCode, setNeedsCode] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  const hasBegun = useRef(false)

  async function signIn(code?: string) {
    onSignedIn(await client.api(Identities).logIn(code === undefined ? {} : { code }))
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a ticket opens one session, however often this renders
  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    signIn().catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'second_factor_required') setNeedsCode(true)
      else setMessage(errorMessage(error, providerWords))
    })
  }, [])

  if (message !== null) {
    return (
      <AuthLayout title={t('Signing in didn’t work')} lead={message} takesFocus>
        <Link href="/" className="button button-primary">
          {t('Back to Foyer')}
        </Link>
      </AuthLayout>
    )
  }
  if (!needsCode) return <AuthLayout title={t('Signing in…')} />
  return (
    <AuthLayout title={t('Welcome back')}>
      <CodeStep signIn={signIn} onBack={() => window.location.assign('/')} />
      <p className="auth-note">{t('You signed in with {provider}.', { provider: ticket.provider.name })}</p>
    </AuthLayout>
  )
}
