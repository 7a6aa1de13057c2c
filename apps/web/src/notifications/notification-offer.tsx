import type { Message } from '@foyer/protocol/messages'
import { useCallback, useState, useSyncExternalStore } from 'react'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { useEvent } from '#src/session/use-event.ts'
import { mentionsMe } from '#src/store/messages/read-states.ts'
import { isChannelMuted } from '#src/store/notification-settings.ts'
import type { State } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { isDeviceChosen, keepDevice, onDeviceChange } from './device/device-settings.ts'
import { permissionNow } from './device/platform.ts'
import { subscribeDevice } from './device/subscription.ts'
import { shouldNotify } from './should-notify.ts'

/**
 * Offers notifications once, after the first mention or direct message. The browser asks for permission only if the
 * user accepts. The answer, yes or no, is stored in this browser.
 */
export function NotificationOffer() {
  const { store } = useSession()
  const [isNewlyAddressed, setIsNewlyAddressed] = useState(false)
  const isWaiting = useAppState(hasUnread)
  const look = useCallback(
    (message: Message) => {
      if (isAddressed(store.get(), message)) setIsNewlyAddressed(true)
    },
    [store],
  )
  useEvent('MESSAGE_CREATE', look)
  // Only `Offer` reads the permission, which is slow: the browser asks another process for it.
  return isNewlyAddressed || isWaiting ? <Offer /> : null
}

function Offer() {
  const { client } = useSession()
  const isOpen = useSyncExternalStore(onDeviceChange, mayOffer)
  const action = useAction()

  async function turnOn() {
    const isGranted = (await Notification.requestPermission()) === 'granted'
    keepDevice(window.localStorage, { isOn: isGranted })
    if (isGranted) await subscribeDevice(client)
  }

  if (!isOpen) return null
  return (
    <section aria-label={t('Notifications')}>
      <p>
        {action.error ?? t('Get notified when someone mentions or messages you?')}
        <Button look="text" onClick={() => action.run(turnOn)}>
          {t('Turn on notifications')}
        </Button>
        <Button look="text" onClick={() => keepDevice(window.localStorage, { isOn: false })}>
          {t('Not now')}
        </Button>
      </p>
    </section>
  )
}

/** Returns true if the user has not chosen yet and the browser would show notifications. */
function mayOffer(): boolean {
  return !isDeviceChosen(window.localStorage) && ['default', 'granted'].includes(permissionNow())
}

function isAddressed(state: State, message: Message): boolean {
  const isDirect = message.conversation_id !== null
  return shouldNotify(state, message) && (isDirect || mentionsMe(state, message))
}

/** Returns true if there are unread mentions or direct messages. */
function hasUnread(state: State): boolean {
  return Object.entries(state.readStates).some(([id, { unread_count, mention_count }]) => {
    const isAddressed = mention_count > 0 || (unread_count > 0 && id in state.conversations)
    return isAddressed && !isChannelMuted(state, id)
  })
}
