import type { LoginAnswer } from '@foyer/protocol/auth'
import type { SignInTicket } from '@foyer/protocol/oidc'
import { Identities } from '@foyer/sdk/api/identities'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { type ReactNode, useEffect } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { t } from '#src/language/texts.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { ApplicationSent } from '../application-sent.tsx'
import { AuthLayout } from '../auth-layout.tsx'
import { arrive } from './arrive.ts'
import { LinkedIdentity } from './linked-identity.tsx'
import { NewIdentity } from './new-identity.tsx'
import { announceProof } from './proof-channel.ts'
import { providerWords, troubleText } from './provider-words.ts'

/** The page to which the server redirects the browser after a sign-in provider. */
export function ProviderPage() {
  const [search] = useSearchParams()
  const error = search.get('error')
  const linked = search.get('linked')
  if (error !== null) return <Trouble>{troubleText(error)}</Trouble>
  if (linked !== null) return <Linked />
  if (search.get('proven') !== null) return <Proven />
  return <Confirmed />
}

const getTicket = (client: Client, options: CallOptions) => client.api(Identities).getTicket(options)

function Confirmed() {
  const { answer } = useAnswer(getTicket, providerWords)
  if (answer.state === 'loading') return <AuthLayout title="Foyer" isPending />
  if (answer.state === 'failed') return <Trouble>{answer.message}</Trouble>
  return <Ticket ticket={answer.value} />
}

function Ticket({ ticket }: { ticket: SignInTicket }) {
  const [, navigate] = useLocation()
  const goToSignIn = () => navigate('/', { replace: true })
  const open = (login: LoginAnswer) => arrive(login, ticket.next)
  if (ticket.state === 'applied') return <ApplicationSent onSignIn={goToSignIn} />
  if (ticket.state === 'linked') return <LinkedIdentity ticket={ticket} onSignedIn={open} />
  return <NewIdentity ticket={ticket} onSignedIn={open} onBack={goToSignIn} />
}

function Trouble({ children }: { children: ReactNode }) {
  return (
    <AuthLayout title={t('Signing in didn’t work')} lead={children} takesFocus>
      <Link href="/" className="button button-primary">
        {t('Back to Foyer')}
      </Link>
    </AuthLayout>
  )
}

/** The page in a window that a form opened for a proof of presence. */
function Proven() {
  useEffect(() => {
    announceProof()
    window.close()
  }, [])
  return (
    <AuthLayout
      title={t('Confirmed')}
      lead={t('You can close this window and continue in the previous one.')}
      takesFocus
    />
  )
}

function Linked() {
  return (
    <AuthLayout
      title={t('Linked')}
      lead={t('From now on, you can sign in to your account with this provider.')}
      takesFocus
    >
      <Link href="/" className="button button-primary">
        {t('Continue to Foyer')}
      </Link>
    </AuthLayout>
  )
}
