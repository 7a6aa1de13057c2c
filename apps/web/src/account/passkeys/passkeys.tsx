import { MAX_PASSKEYS } from '@foyer/protocol/limits'
import type { Passkey } from '@foyer/protocol/passkeys'
import { Passkeys as PasskeyRoutes } from '@foyer/sdk/api/passkeys'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { KeyRound } from 'lucide-react'
import { useRef, useState } from 'react'
import { mayUsePasskeys } from '#src/auth/passkeys/place.ts'
import { useInstance } from '#src/auth/use-instance.ts'
import { t } from '#src/language/texts.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import { formatDate } from '#src/ui/time/time.ts'
import '../sessions-section.css'
import './passkeys.css'
import { RemovePasskey } from './remove-passkey.tsx'
import { RenamePasskey } from './rename-passkey.tsx'

const AddPasskey = lazyComponent(() => import('./add-passkey.tsx').then((module) => module.AddPasskey))

type Task = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey }

/** Passkeys of the account. Shows nothing where they do not work. `onChange` is called when the list may have changed. */
export function Passkeys({ onChange }: { onChange?: () => void }) {
  const instance = useInstance()
  if (!mayUsePasskeys(instance)) return null
  return (
    <section className="settings-block">
      <h4>{t('Passkeys')}</h4>
      <p className="settings-note">
        {t('Sign in with your fingerprint, face or PIN, without your password and without a code.')}
      </p>
      <OwnPasskeys onChange={onChange} />
    </section>
  )
}

function OwnPasskeys({ onChange }: { onChange: (() => void) | undefined }) {
  const { answer, again } = useAnswer(listOwn)
  const [task, setTask] = useState<Task | null>(null)
  const list = useRef<HTMLUListElement>(null)
  if (answer.state === 'loading') return <Skeleton />
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  const passkeys = answer.value

  function close() {
    setTask(null)
    again()
    onChange?.()
  }

  return (
    <>
      <ul ref={list} tabIndex={-1} className="session-list" aria-label={t('Passkeys')}>
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} onTask={(kind) => setTask({ kind, passkey })} />
        ))}
      </ul>
      {passkeys.length < MAX_PASSKEYS && (
        <div className="form-actions">
          <Button onClick={() => setTask({ kind: 'add' })}>{t('Add a passkey…')}</Button>
        </div>
      )}
      {task?.kind === 'add' && <AddPasskey onClose={close} />}
      {task?.kind === 'rename' && <RenamePasskey passkey={task.passkey} onClose={close} />}
      {task?.kind === 'remove' && <RemovePasskey passkey={task.passkey} onClose={close} focusAfter={list} />}
    </>
  )
}

interface PasskeyRowProps {
  passkey: Passkey
  onTask: (kind: 'rename' | 'remove') => void
}

function PasskeyRow({ passkey: { name, created_at, last_used_at }, onTask }: PasskeyRowProps) {
  return (
    <li className="session passkey">
      <KeyRound aria-hidden="true" />
      <div className="session-facts">
        <p className="session-device" dir="auto">
          {name}
        </p>
        <p className="session-use">
          {t('Added {date}', { date: formatDate(created_at) })} ·{' '}
          {last_used_at === null ? t('not used yet') : t('last used {ago}', { ago: formatAgo(last_used_at) })}
        </p>
      </div>
      <Button aria-label={t('Rename passkey: {name}', { name })} onClick={() => onTask('rename')}>
        {t('Rename…')}
      </Button>
      <Button aria-label={t('Remove passkey: {name}', { name })} onClick={() => onTask('remove')}>
        {t('Remove…')}
      </Button>
    </li>
  )
}

function listOwn(client: Client, options: CallOptions): Promise<Passkey[]> {
  return client.api(PasskeyRoutes).list(options)
}
