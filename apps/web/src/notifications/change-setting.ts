import type { NotificationSetting, UpdateNotificationSettingBody } from '@foyer/protocol/notifications'
import type { Session } from '#src/session/session.ts'
import type { NotificationTarget } from './notification-target.ts'

/** Changes a notification setting on all devices of the user. Applies here immediately, and is undone on an error. */
export async function changeSetting(
  { client, store }: Pick<Session, 'client' | 'store'>,
  { scope, id }: NotificationTarget,
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
