import type { WayBack } from '@foyer/protocol/way-back'
import { WayBacks } from '@foyer/sdk/api/way-backs'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { AuthLayout } from '#src/auth/auth-layout.tsx'
import { checkNewPassword } from '#src/auth/check.ts'
import { RichText } from '#src/language/rich-text.tsx'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { PasswordField } from '#src/ui/fields/password-field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { TakenChange } from './taken-change.tsx'
import './way-back.css'

/** The page of the link "This wasn’t me" in mails about an account. Opening it changes nothing. */
export function WayBackPage() {
  const [search] = useSearchParams()
  const token = search.get('token') ?? ''
  return <WayBackOf key={token} token={token} />
}

const linkWords = {
  invalid_request: t('This link is incomplete. Open the whole link from the email.'),
}

function WayBackOf({ token }: { token: string }) {
  const [isDone, setIsDone] = useState(false)
  const find = useCallback(
    (client: Client, options: CallOptions) => client.api(WayBacks).find({ token }, options),
    [token],
  )
  const { answer } = useAnswer(find, linkWords)
  if (isDone) return <Done />
  if (answer.state === 'loading') return <AuthLayout title="Foyer" isPending />
  if (answer.state === 'failed') {
    return (
      <AuthLayout title={t('This link doesn’t work')} lead={answer.message}>
        <ToFoyer />
      </AuthLayout>
    )
  }
  return <TakeBack token={token} wayBack={answer.value} onDone={() => setIsDone(true)} />
}

function Done() {
  return (
    <AuthLayout
      title={t('Changes undone')}
      lead={t('Your new password is set, and you’ve been signed out everywhere.')}
      takesFocus
    >
      <ToFoyer />
    </AuthLayout>
  )
}

function ToFoyer() {
  return (
    <Link href="/" className="button button-primary">
      {t('Continue to Foyer')}
    </Link>
  )
}

const words = {
  former_email_taken: t(
    'Another account now uses your previous email address, so nothing was changed. Ask the administrators of this server for help.',
  ),
}

interface TakeBackProps {
  token: string
  wayBack: WayBack
  onDone: () => void
}

function TakeBack({ token, wayBack, onDone }: TakeBackProps) {
  const { client } = useSession()

  async function take({ password = '' }: Values) {
    await client.api(WayBacks).take({ token, password })
    onDone()
  }

  return (
    <AuthLayout
      title={t('Wasn’t this you?')}
      lead={
        <RichText
          text={t(
            'If you didn’t make these changes to the account <strong>{username}</strong>, undo them here. If you did, just close this page.',
          )}
          values={{ username: wayBack.username }}
          tags={{ strong: (inside) => <strong>{inside}</strong> }}
        />
      }
    >
      <ul className="taken-changes" aria-label={t('Changes')}>
        {wayBack.changes.map((change, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <TakenChange key={index} change={change} />
        ))}
      </ul>
      <p className="auth-note">
        {t(
          'This restores your previous email address and two-step login, and signs you out everywhere. Then sign in with your new password.',
        )}
      </p>
      <SubmitForm
        fields={['password']}
        check={(values) => checkNewPassword(values.password ?? '')}
        submit={take}
        words={words}
      >
        {(pending) => (
          <>
            <PasswordField name="password" label={t('New password')} autoComplete="new-password" />
            <Button type="submit" look="primary" pending={pending}>
              {t('Undo and set password')}
            </Button>
          </>
        )}
      </SubmitForm>
    </AuthLayout>
  )
}
