import type { Identity, OwnIdentities, SignInProvider } from '@foyer/protocol/oidc'
import { Identities } from '@foyer/sdk/api/identities'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { formatDate } from '#src/ui/time/time.ts'
import './identities.css'
import { LinkProvider, UnlinkProvider } from './change-identity.tsx'

interface Known {
  readonly providers: readonly SignInProvider[]
  /** False on servers where people can only sign in with a provider. */
  readonly passwords: boolean
  readonly own: OwnIdentities
}

type Task = { readonly kind: 'link' | 'unlink'; readonly provider: SignInProvider }

/** Lists the sign-in providers of the server, marking the linked ones. */
export function LinkedProviders() {
  const { answer, again } = useAnswer(getKnown)
  const [task, setTask] = useState<Task | null>(null)
  if (answer.state === 'loading') return <Skeleton />
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  const { providers, passwords, own } = answer.value

  function close() {
    setTask(null)
    again()
  }

  return (
    <>
      {own.has_password ? (
        <p className="settings-note">{t('You can sign in with these instead of your password.')}</p>
      ) : (
        <NoPassword canSetOne={passwords} />
      )}
      <ul className="identities">
        {providers.map((provider) => (
          <ProviderRow
            key={provider.id}
            provider={provider}
            identity={own.identities.find((identity) => identity.provider.id === provider.id)}
            onTask={(kind) => setTask({ kind, provider })}
          />
        ))}
      </ul>
      {task?.kind === 'link' && <LinkProvider provider={task.provider} onClose={close} />}
      {task?.kind === 'unlink' && <UnlinkProvider provider={task.provider} onClose={close} />}
    </>
  )
}

function NoPassword({ canSetOne }: { canSetOne: boolean }) {
  const { client } = useSession()
  const action = useAction()
  const [sent, setSent] = useState(false)
  const send = async () => {
    await client.auth.sendPasswordReset()
    setSent(true)
  }
  return (
    <>
      <p className="settings-note" role="status">
        {sent ? t('We’ve emailed you a link to set a password.') : t('Your account has no password.')}{' '}
        {canSetOne && !sent && (
          <Button look="text" pending={action.pending} onClick={() => action.run(send)}>
            {t('Email me a link to set one')}
          </Button>
        )}
      </p>
      <ErrorLine message={action.error} />
    </>
  )
}

interface ProviderRowProps {
  provider: SignInProvider
  identity: Identity | undefined
  onTask: (kind: Task['kind']) => void
}

function ProviderRow({ provider: { name }, identity, onTask }: ProviderRowProps) {
  return (
    <li>
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span className="settings-note">{identity === undefined ? t('Not linked') : factsOf(identity)}</span>
      </p>
      {identity === undefined ? (
        <Button aria-label={t('Link {provider}', { provider: name })} onClick={() => onTask('link')}>
          {t('Link…')}
        </Button>
      ) : (
        <Button
          look="danger"
          aria-label={t('Unlink {provider}', { provider: name })}
          onClick={() => onTask('unlink')}
        >
          {t('Unlink…')}
        </Button>
      )}
    </li>
  )
}

function factsOf({ name, created_at }: Identity): string {
  const date = formatDate(created_at)
  return name === null ? t('Linked since {date}', { date }) : t('{name}, linked since {date}', { name, date })
}

async function getKnown(client: Client, options: CallOptions): Promise<Known> {
  const [{ login }, own] = await Promise.all([
    client.instance.get(options),
    client.api(Identities).list(options),
  ])
  return { ...login, own }
}
