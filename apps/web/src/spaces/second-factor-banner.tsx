import { ShieldAlert } from 'lucide-react'
import { useOpenSettings } from '#src/account/open-settings.tsx'
import { getOwnFactors } from '#src/account/two-step/own-factors.ts'
import { t } from '#src/language/texts.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import './door/door-banner.css'

/** Banner for moderators of a space that requires two-step login, until this session is confirmed with a code. */
export function SecondFactorBanner() {
  const { answer, again } = useAnswer(getOwnFactors)
  const openSettings = useOpenSettings()
  useEvent('READY', again)
  if (answer.state !== 'here' || answer.value.is_session_confirmed) return null

  return (
    <section className="door-banner" aria-label={t('Two-step login')}>
      <ShieldAlert aria-hidden="true" />
      <p className="door-banner-text" role="status">
        {answer.value.totp_since === null
          ? t(
              'This space requires two-step login for moderators. Until you set it up, you can’t moderate here.',
            )
          : t(
              'This space requires two-step login for moderators. Confirm this device with a code to moderate here.',
            )}
      </p>
      <div className="door-banner-buttons">
        <Button onClick={() => openSettings('account', again)}>
          {answer.value.totp_since === null ? t('Set up') : t('Confirm')}
        </Button>
      </div>
    </section>
  )
}
