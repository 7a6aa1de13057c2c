import type { NotificationSetting, UpdateNotificationSettingBody } from '@foyer/protocol/notifications'
import type { Session } from '#src/session/session.ts'
import type { NotificationPlace } from './place.ts'

/** Changes what the reader is told of a place, on all their devices: here at once, and back where the server refuses. */
export async function changeSetting(
  { client, store }: Pick<Session, 'client' | 'store'>,
  { scope, id }: NotificationPlace,
  change: UpdateNotificationSettingBody,
): Promise<void> {
  const before: NotificationSetting = store.get().notificationSettings[id] ?? {
    scope,
    id,
    level: null,
    muted_until: null,
  }
  store.adopt('NOTIFICATION_SETTING_UPDATE', { ...before, ...change })
  try {
    store.adopt('NOTIFICATION_SETTING_UPDATE', await client.notifications.updateSetting(scope, id, change))
  } catch (error) {
    store.adopt('NOTIFICATION_SETTING_UPDATE', before)
    throw error
  }
}
