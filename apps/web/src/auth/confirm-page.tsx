import type { Client } from '@foyer/sdk/client'
import { useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { errorMessage } from '#src/ui/form-errors.ts'
import { AuthLayout } from './auth-layout.tsx'

type Matter = 'verify' | 'change-email'
type Outcome = { state: 'pending' } | { state: 'done' } | { state: 'failed'; message: string }

const copy = {
  verify: { pending: t('Confirming your address…'), done: t('Your address is confirmed') },
  'change-email': { pending: t('Changing your address…'), done: t('Your address is changed') },
} as const

/** Where the links in mails about addresses lead: following one is all there is to do. */
export function ConfirmPage({ matter }: { matter: Matter }) {
  const { client } = useSession()
  const [search] = useSearchParams()
  const [outcome, setOutcome] = useState<Outcome>({ state: 'pending' })
  const token = search.get('token') ?? ''
  const usedToken = useRef<string | null>(null)

  useEffect(() => {
    // A token works once, and effects may run twice.
    if (usedToken.current === token) return
    usedToken.current = token
    confirm(client, matter, token).then(
      () => setOutcome({ state: 'done' }),
      (error) => setOutcome({ state: 'failed', message: errorMessage(error) }),
    )
  }, [client, matter, token])

  if (outcome.state === 'pending') return <AuthLayout title={copy[matter].pending} />
  const failed = outcome.state === 'failed'
  return (
    <AuthLayout
      title={failed ? t('This link does not work') : copy[matter].done}
      lead={failed ? outcome.message : t('Thank you.')}
    >
      <Link href="/" className="button button-primary">
        {t('Continue to Foyer')}
      </Link>
    </AuthLayout>
  )
}

function confirm(client: Client, matter: Matter, token: string): Promise<unknown> {
  return matter === 'verify' ? client.auth.verify({ token }) : client.auth.changeEmail({ token })
}
