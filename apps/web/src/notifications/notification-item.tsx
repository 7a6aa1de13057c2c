import { Menu } from '@base-ui/react/menu'
import { Bell, BellRing } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { changeSetting } from './change-setting.ts'
import type { NotificationTarget } from './notification-target.ts'

interface NotificationItemProps {
  target: NotificationTarget
  /** Opens the dialog, which stays open after the menu closes. */
  onOpen: () => void
}

/** The menu items to unmute a space, room or conversation and to open its notification settings. */
export function NotificationItem({ target, onOpen }: NotificationItemProps) {
  const session = useSession()
  const isMuted = useAppState(
    ({ notificationSettings }) => notificationSettings[target.id]?.muted_until != null,
  )
  const unmute = () => changeSetting(session, target, { muted_until: null })
  return (
    <>
      {isMuted && (
        // An error needs no message, since the item visibly stays muted.
        <Menu.Item className="menu-item" onClick={() => void unmute().catch(() => undefined)}>
          <BellRing aria-hidden="true" /> {t('Unmute')}
        </Menu.Item>
      )}
      <Menu.Item className="menu-item" onClick={onOpen}>
        <Bell aria-hidden="true" /> {t('Notifications…')}
      </Menu.Item>
    </>
  )
}
