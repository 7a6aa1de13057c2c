import type { NotificationSetting, UpdateNotificationSettingBody } from '@foyer/protocol/notifications'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { futureTime } from '#src/kernel/future-time.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import type { TargetAccess } from './access.ts'
import { deleteSetting, upsertSetting } from './queries.ts'

/** Internal event: the users who chose `all` for a channel may have changed. */
export const SETTING_CHANGE = 'SETTING_CHANGE'

/**
 * Changes only the given fields, so that two devices can change different fields at the same time. A setting without a
 * choice is deleted.
 */
export async function updateSetting(
  { database }: { database: Database },
  target: TargetAccess,
  body: UpdateNotificationSettingBody,
): Promise<NotificationSetting> {
  const change = withoutPast(body)
  return database.transaction(async (transaction) => {
    await target.hold(transaction)
    const { place, caller } = target
    const setting = await upsertSetting(transaction, target, caller.user.id, change)
    if (setting.level === null && setting.muted_until === null)
      await deleteSetting(transaction, place, caller.user.id)
    publishSettingChange(transaction, target, setting)
    return setting
  })
}

/** Removes the user's choice, so that the default applies. */
export async function removeSetting(
  { database }: { database: Database },
  target: TargetAccess,
): Promise<void> {
  const { scope, place, caller } = target
  await database.transaction(async (transaction) => {
    const wasThere = await deleteSetting(transaction, place, caller.user.id)
    if (wasThere)
      publishSettingChange(transaction, target, {
        scope,
        id: place.channelId,
        level: null,
        muted_until: null,
      })
  })
}

/** Drops a mute that has already ended. */
function withoutPast(body: UpdateNotificationSettingBody): UpdateNotificationSettingBody {
  const { muted_until } = body
  return muted_until === undefined ? body : { ...body, muted_until: futureTime('muted_until', muted_until) }
}

function publishSettingChange(
  transaction: Transaction,
  { caller, place, isForum }: TargetAccess,
  setting: NotificationSetting,
): void {
  const userId = caller.user.id
  const update = { ...setting, ...(isForum && { of_forum: true }) }
  transaction.publish(event(topicOf.user(userId), 'NOTIFICATION_SETTING_UPDATE', update))
  const data = JSON.stringify({ tenant_id: place.tenantId })
  transaction.publish({ topic: topicOf.account(userId), name: SETTING_CHANGE, data })
}
