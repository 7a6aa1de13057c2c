import { Menu } from '@base-ui/react/menu'
import { Bell, BellRing } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { changeSetting } from './change-setting.ts'
import type { NotificationPlace } from './place.ts'

interface NotificationItemProps {
  place: NotificationPlace
  /** Opens the dialog, which outlives the menu. */
  onOpen: () => void
}

/** In the menu of a space, a room or a conversation: what one is told of it, and the end of its mute. */
export function NotificationItem({ place, onOpen }: NotificationItemProps) {
  const session = useSession()
  const isMuted = useAppState(
    ({ notificationSettings }) => notificationSettings[place.id]?.muted_until != null,
  )
  const unmute = () => changeSetting(session, place, { muted_until: null })
  return (
    <>
      {isMuted && (
        // What did not work shows: it stays muted.
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
