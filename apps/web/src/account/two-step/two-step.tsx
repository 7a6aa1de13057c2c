import type { OwnSecondFactors } from '@foyer/protocol/second-factors'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { counted, t } from '#src/language/texts.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { formatDate } from '#src/ui/time/time.ts'
import { ConfirmSession } from './confirm-session.tsx'
import { getOwnFactors } from './own-factors.ts'
import { RenewCodes } from './renew-codes.tsx'
import { TurnOff } from './turn-off.tsx'

const SetUpApp = lazyComponent(() => import('./set-up-app.tsx').then((module) => module.SetUpApp))

type Task = 'set-up' | 'renew' | 'turn-off'

/** Recovery codes below which the page shows a warning. */
const FEW_CODES = 3

/** Turns the second step of logging in on and off. `onChange` is called when the setting may have changed. */
export function TwoStep({ onChange }: { onChange?: () => void }) {
  const { answer, again } = useAnswer(getOwnFactors)
  const [task, setTask] = useState<Task | null>(null)
  if (answer.state === 'loading') return <Skeleton />
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  const isOn = answer.value.totp_since !== null

  function close() {
    setTask(null)
    again()
    onChange?.()
  }

  return (
    <>
      {isOn ? <Present factors={answer.value} /> : <Absent />}
      {answer.value.is_needed && !answer.value.is_session_confirmed && (
        <p className="settings-note">{t('This server requires you to use two-step login.')}</p>
      )}
      {isOn && !answer.value.is_session_confirmed && <ConfirmSession onConfirmed={close} />}
      <div className="form-actions">
        {isOn && <Button onClick={() => setTask('renew')}>{t('New recovery codes…')}</Button>}
        <Button onClick={() => setTask('set-up')}>
          {isOn ? t('Use another app…') : t('Set up an authenticator app…')}
        </Button>
        {isOn && (
          <Button look="danger" onClick={() => setTask('turn-off')}>
            {t('Turn off…')}
          </Button>
        )}
      </div>
      {task === 'set-up' && <SetUpApp isOn={isOn} onClose={close} />}
      {task === 'renew' && <RenewCodes onClose={close} />}
      {task === 'turn-off' && <TurnOff onClose={close} />}
    </>
  )
}

function Absent() {
  return (
    <p className="settings-note">
      {t(
        'With an authenticator app on your phone, no one can sign in to your account with your password alone.',
      )}
    </p>
  )
}

function Present({ factors: { totp_since, recovery_codes } }: { factors: OwnSecondFactors }) {
  return (
    <>
      <p className="account-state" data-good>
        <CircleCheck aria-hidden="true" />{' '}
        {t('On since {date}.', { date: totp_since === null ? '' : formatDate(totp_since) })}
      </p>
      <p className="settings-note">
        {counted(
          recovery_codes,
          'You have {count} unused recovery code.',
          'You have {count} unused recovery codes.',
        )}
        {recovery_codes < FEW_CODES && ` ${t('Create new codes before you run out.')}`}
      </p>
    </>
  )
}
