import type { Session } from '@foyer/protocol/auth'
import type { Client } from '@foyer/sdk/client'
import { ApiError, type CallOptions } from '@foyer/sdk/rest'
import { Monitor, Smartphone } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { useFocusAfter } from '#src/ui/focus/use-focus-after.ts'
import { formatAgo } from '#src/ui/time/ago.ts'
import { formatFull } from '#src/ui/time/time.ts'
import { ChangePassword } from './change-password.tsx'
import { deviceName, isHandheld } from './device.ts'
import './sessions-section.css'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import '#src/ui/marks/badge.css'

/** Sessions of the account: this browser first, then by last use. */
export function SessionsSection() {
  const { client } = useSession()
  const { answer, again, change } = useAnswer(listSessions)
  const list = useRef<HTMLUListElement>(null)
  const note = useRef<HTMLParagraphElement>(null)
  const [asking, setAsking] = useState<'end-others' | 'not-me' | null>(null)
  const [isChangingPassword, setIsChangingPassword] = useState(false)
  if (answer.state === 'loading') return <Skeleton />
  if (answer.state === 'failed') {
    return <LoadError message={answer.message} again={again} />
  }
  const others = answer.value.filter((session) => !session.current)

  async function end(session: Session) {
    await endSession(client, session)
    change((sessions) => sessions.filter(({ id }) => id !== session.id))
  }

  async function endOthers() {
    for (const session of others) await end(session)
  }

  async function shutOut() {
    await endOthers()
    setIsChangingPassword(true)
  }

  return (
    <div className="settings-block">
      <p className="settings-note">
        {t('Everywhere you’re signed in. If you don’t recognise a session, end it and change your password.')}
      </p>
      <ul ref={list} tabIndex={-1} className="session-list" aria-label={t('Sessions')}>
        {answer.value.map((session) => (
          <SessionRow key={session.id} session={session} end={end} focusAfter={list} />
        ))}
      </ul>
      {others.length > 0 && (
        <div className="form-actions">
          <Button onClick={() => setAsking('end-others')}>{t('End all other sessions')}</Button>
          <Button look="danger" onClick={() => setAsking('not-me')}>
            {t('This wasn’t me…')}
          </Button>
        </div>
      )}
      {isChangingPassword && (
        <>
          <p ref={note} tabIndex={-1} className="settings-note" role="status">
            {t('All other sessions have ended. Now change your password.')}
          </p>
          <ChangePassword />
        </>
      )}
      {asking === 'not-me' && (
        <Confirm
          open
          onOpenChange={() => setAsking(null)}
          title={t('End all other sessions and change the password?')}
          action={t('End all others')}
          run={shutOut}
          focusAfter={note}
        >
          <p>
            {t(
              'You’ll be signed out on all other browsers and devices. Then choose a new password, so that nobody who knows the old one can sign in.',
            )}
          </p>
        </Confirm>
      )}
      {asking === 'end-others' && (
        <Confirm
          open
          onOpenChange={() => setAsking(null)}
          title={t('End all other sessions?')}
          action={t('End all others')}
          run={endOthers}
          focusAfter={list}
        >
          <p>
            {t('You’ll be signed out on all other browsers and devices. You’ll stay signed in on this one.')}
          </p>
        </Confirm>
      )}
    </div>
  )
}

interface SessionRowProps {
  session: Session
  end: (session: Session) => Promise<void>
  /** Receives the focus when the focused row is removed. */
  focusAfter: RefObject<HTMLElement | null>
}

function SessionRow({ session, end, focusAfter }: SessionRowProps) {
  const action = useAction()
  useFocusAfter(focusAfter)
  const device = deviceName(session.device)
  const Icon = isHandheld(session.device) ? Smartphone : Monitor
  return (
    <li className="session">
      <Icon aria-hidden="true" />
      <div className="session-facts">
        <p className="session-device" title={session.device}>
          {device}
          {session.current && <span className="badge">{t('This browser')}</span>}
        </p>
        <p className="session-use">
          {session.address} ·{' '}
          <time dateTime={session.last_used_at} title={formatFull(session.last_used_at)}>
            {session.current
              ? t('active now')
              : t('last active {ago}', { ago: formatAgo(session.last_used_at) })}
          </time>
        </p>
        {action.error !== null && (
          <p role="alert" className="form-error">
            {action.error}
          </p>
        )}
      </div>
      {!session.current && (
        <Button
          aria-label={t('End session: {device}', { device })}
          pending={action.pending}
          onClick={() => action.run(() => end(session))}
        >
          {t('End')}
        </Button>
      )}
    </li>
  )
}

async function listSessions(client: Client, options: CallOptions): Promise<Session[]> {
  const sessions = await client.auth.listSessions(options)
  return sessions.sort(
    (a, b) =>
      Number(b.current) - Number(a.current) || Date.parse(b.last_used_at) - Date.parse(a.last_used_at),
  )
}

/** Ends a session. A session that has already ended is not an error. */
async function endSession(client: Client, { id }: Session): Promise<void> {
  try {
    await client.auth.deleteSession(id)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'unknown_session') throw error
  }
}
