import type { Client } from '@foyer/sdk/client'
import { useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { errorMessage } from '#src/ui/fields/form-errors.ts'
import { AuthLayout } from './auth-layout.tsx'

type Purpose = 'verify' | 'change-email'
type Outcome = { state: 'pending' } | { state: 'done' } | { state: 'failed'; message: string }

const copy = {
  verify: { pending: t('Confirming your email address…'), done: t('Email confirmed') },
  'change-email': { pending: t('Changing your email address…'), done: t('Email address changed') },
} as const

/** The page of links in mails about email addresses. Opening the link is enough to confirm. */
export function ConfirmPage({ purpose }: { purpose: Purpose }) {
  const { client } = useSession()
  const [search] = useSearchParams()
  const [outcome, setOutcome] = useState<Outcome>({ state: 'pending' })
  const token = search.get('token') ?? ''
  const usedToken = useRef<string | null>(null)

  useEffect(() => {
    // A token works only once, but effects may run twice.
    if (usedToken.current === token) return
    usedToken.current = token
    confirm(client, purpose, token).then(
      () => setOutcome({ state: 'done' }),
      (error) => setOutcome({ state: 'failed', message: errorMessage(error) }),
    )
  }, [client, purpose, token])

  if (outcome.state === 'pending') return <AuthLayout title={copy[purpose].pending} />
  const failed = outcome.state === 'failed'
  return (
    <AuthLayout
      title={failed ? t('This link doesn’t work') : copy[purpose].done}
      lead={failed ? outcome.message : t('Thank you.')}
    >
      <Link href="/" className="button button-primary">
        {t('Continue to Foyer')}
      </Link>
    </AuthLayout>
  )
}

function confirm(client: Client, purpose: Purpose, token: string): Promise<unknown> {
  return purpose === 'verify' ? client.auth.verify({ token }) : client.auth.changeEmail({ token })
}
