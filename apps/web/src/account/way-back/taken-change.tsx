import type { AccountChange, WayBack } from '@foyer/protocol/way-back'
import { t } from '#src/language/texts.ts'
import { formatFull } from '#src/ui/time/time.ts'
import { deviceName } from '../device.ts'

const sentences: Readonly<Record<AccountChange, string>> = {
  password_changed: t('The password was changed.'),
  password_reset: t('A new password was set with a link from an email.'),
  email_changed: t('The email address was changed.'),
  second_factor_on: t('Two-step login was turned on.'),
  second_factor_replaced: t('The authenticator app was replaced.'),
  second_factor_off: t('Two-step login was turned off.'),
  recovery_codes_renewed: t('New recovery codes were created.'),
  passkey_added: t('A passkey was added.'),
  signed_in: t('A new device signed in.'),
}

/** One of the account changes that the mailed link undoes. */
export function TakenChange({ change }: { change: WayBack['changes'][number] }) {
  return (
    <li>
      <p className="taken-change">{sentences[change.change]}</p>
      <p className="taken-change-origin">
        <span title={change.device}>{deviceName(change.device)}</span> · {change.address} ·{' '}
        <time dateTime={change.created_at}>{formatFull(change.created_at)}</time>
      </p>
    </li>
  )
}
