import { Bell, BellOff } from 'lucide-react'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { isChannelMuted } from '#src/store/notification-settings.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { NotificationDialog } from './notification-dialog.tsx'
import type { NotificationTarget } from './notification-target.ts'

/** The notifications button in the header of a room or conversation. */
export function NotificationButton({ target }: { target: NotificationTarget }) {
  const isMuted = useAppState((state) => isChannelMuted(state, target.id))
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton
        label={isMuted ? t('Notifications (muted)') : t('Notifications')}
        icon={isMuted ? <BellOff /> : <Bell />}
        className="header-spare"
        onClick={() => setOpen(true)}
      />
      {open && <NotificationDialog target={target} onClose={() => setOpen(false)} />}
    </>
  )
}
