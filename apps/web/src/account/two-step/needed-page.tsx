import { Redirect } from 'wouter'
import { AuthLayout } from '#src/auth/auth-layout.tsx'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Passkeys } from '../passkeys/passkeys.tsx'
import { getOwnFactors } from './own-factors.ts'
import { TwoStep } from './two-step.tsx'

/** The page for users who need a second factor, until they have confirmed their session with it. */
export function NeededPage() {
  const signedIn = useAppState((state) => state.signedIn)
  return signedIn ? <Needed /> : <Redirect to="/" />
}

function Needed() {
  const { client } = useSession()
  const { answer, again } = useAnswer(getOwnFactors)
  if (answer.state === 'loading') return <AuthLayout title="Foyer" isPending />
  const isDone = answer.state === 'here' && answer.value.is_session_confirmed
  return (
    <AuthLayout
      title={isDone ? t('Two-step login is set up') : t('This server requires two-step login')}
      lead={
        isDone
          ? t('From now on, signing in takes a second step.')
          : t('Set up an authenticator app or a passkey, or enter a code if you already have an app.')
      }
    >
      {answer.state === 'failed' && <LoadError message={answer.message} again={again} />}
      <TwoStep onChange={again} />
      <Passkeys onChange={again} />
      <div className="form-actions">
        <Button onClick={() => client.auth.logout().catch(() => undefined)}>{t('Sign out')}</Button>
        {isDone && (
          <Button look="primary" onClick={() => window.location.assign('/')}>
            {t('Continue')}
          </Button>
        )}
      </div>
    </AuthLayout>
  )
}
