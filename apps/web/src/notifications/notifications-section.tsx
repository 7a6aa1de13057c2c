import { useEffect, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { SwitchRow } from '#src/ui/fields/switch-row.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { chime } from './chime.ts'
import { type DeviceSettings, keepDevice, readDevice } from './device/device-settings.ts'
import { InstallApp } from './device/install-app.tsx'
import { type Permission, permissionNow } from './device/platform.ts'
import { subscribeDevice, unsubscribeDevice } from './device/subscription.ts'
import { showNotice } from './show-notice.ts'

/** Notification settings of this browser. Spaces, rooms and conversations have their own dialog. */
export function NotificationsSection() {
  const { client } = useSession()
  const action = useAction()
  const permission = usePermission()
  const [device, change] = useDevice()
  const [isPushed, setPushed] = useState(true)
  const isOn = device.isOn && permission.now === 'granted'

  async function turnOn() {
    const answer = await Notification.requestPermission()
    permission.look()
    if (answer !== 'granted') return
    change({ isOn: true })
    setPushed(await subscribeDevice(client))
  }

  async function turnOff() {
    change({ isOn: false })
    await unsubscribeDevice(client)
  }

  return (
    <div className="account-section">
      <section className="settings-block">
        <SwitchRow
          label={t('Desktop notifications')}
          description={t('Get notified about mentions and direct messages, even when Foyer is closed.')}
          checked={isOn}
          disabled={!mayAsk(permission.now)}
          onChange={(checked) => action.run(checked ? turnOn : turnOff)}
        />
        <p role="status" className="settings-note">
          {isOn && !isPushed ? NOT_PUSHED : permissionWords[permission.now]}
        </p>
        {action.error !== null && (
          <p role="alert" className="form-error">
            {action.error}
          </p>
        )}
        <SwitchRow
          label={t('Sounds')}
          description={t('Play a sound for mentions and direct messages.')}
          checked={device.hasSounds}
          onChange={(hasSounds) => {
            change({ hasSounds })
            if (hasSounds) chime()
          }}
        />
        <div className="form-actions">
          <Button disabled={!isOn} onClick={() => void showTest(device).catch(() => undefined)}>
            {t('Send a test notification')}
          </Button>
        </div>
        <p className="settings-note">
          {t('You can fine-tune this per space, room and conversation from its menu → Notifications.')}
        </p>
      </section>
      <InstallApp />
    </div>
  )
}

const NOT_PUSHED = t(
  'This browser can’t receive push notifications. You’ll only get notifications while Foyer is open.',
)

const permissionWords: Readonly<Record<Permission, string>> = {
  default: t('Your browser will ask you to allow notifications.'),
  granted: t('Notifications are allowed in this browser.'),
  denied: t('This browser blocks notifications. To allow them, click the icon next to the site’s address.'),
  insecure: t('Notifications only work over HTTPS. Ask the administrator to enable HTTPS.'),
  unsupported: t('This browser doesn’t support notifications.'),
}

function mayAsk(permission: Permission): boolean {
  return permission === 'default' || permission === 'granted'
}

function useDevice(): [DeviceSettings, (change: Partial<DeviceSettings>) => void] {
  const [device, setDevice] = useState(() => readDevice(window.localStorage))
  const change = (next: Partial<DeviceSettings>) => {
    keepDevice(window.localStorage, next)
    setDevice(readDevice(window.localStorage))
  }
  return [device, change]
}

/** Returns the browser's permission. Checked on focus too, as the user can change it next to the address bar. */
function usePermission() {
  const [now, setNow] = useState(permissionNow)
  const look = () => setNow(permissionNow())
  useEffect(() => {
    const changed = () => setNow(permissionNow())
    window.addEventListener('focus', changed)
    return () => window.removeEventListener('focus', changed)
  }, [])
  return { now, look }
}

async function showTest({ hasSounds }: DeviceSettings): Promise<void> {
  if (hasSounds) chime()
  const test = { title: 'Foyer', body: t('This is how Foyer notifies you about messages.') }
  await showNotice({ ...test, url: '/', tag: 'test', message_id: String(Date.now()) })
}
