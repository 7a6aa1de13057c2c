import type { OwnSecondFactors } from '@foyer/protocol/second-factors'
import { SecondFactors } from '@foyer/sdk/api/second-factors'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { ShieldAlert } from 'lucide-react'
import { UserSettings } from '#src/account/user-settings.tsx'
import { t } from '#src/language/texts.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useOpenDialog } from '#src/ui/dialogs/dialog-outlet.tsx'
import './door/door-banner.css'

/** Says to moderators that the space asks them for two-step login, until this session has it. */
export function SecondFactorBanner() {
  const { answer, again } = useAnswer(readOwn)
  const openDialog = useOpenDialog()
  useEvent('READY', again)
  if (answer.state !== 'here' || answer.value.is_session_confirmed) return null

  function setUp() {
    openDialog((close) => (
      <UserSettings
        sectionId="account"
        onClose={() => {
          close()
          again()
        }}
      />
    ))
  }

  return (
    <section className="door-banner" aria-label={t('Two-step login')}>
      <ShieldAlert aria-hidden="true" />
      <p className="door-banner-text" role="status">
        {answer.value.totp_since === null
          ? t(
              'This space asks its moderators for two-step login. Until you set it up, you can’t moderate here.',
            )
          : t(
              'This space asks its moderators for two-step login. Confirm this device with a code to moderate here.',
            )}
      </p>
      <div className="door-banner-buttons">
        <Button onClick={setUp}>{answer.value.totp_since === null ? t('Set up') : t('Confirm')}</Button>
      </div>
    </section>
  )
}

function readOwn(client: Client, options: CallOptions): Promise<OwnSecondFactors> {
  return client.api(SecondFactors).get(options)
}
