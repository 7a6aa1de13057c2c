import type {
  NotificationScope,
  NotificationSetting,
  UpdateNotificationSettingBody,
} from '@foyer/protocol/notifications'
import type { Place } from '#src/channels/place.ts'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** The target of a setting: a space or a conversation, which are their own tenants, or a room or category. */
export interface SettingTarget {
  readonly scope: NotificationScope
  readonly place: Place
}

const settingColumns = fragment`scope, channel_id as id, level, muted_until`

/**
 * Lists all settings of the user.
 * @param forums false leaves out the settings of forums
 */
export function listSettings(
  database: Queryable,
  userId: string,
  { forums }: { forums: boolean },
): Promise<NotificationSetting[]> {
  return database.query<NotificationSetting>(sql`
    select ${settingColumns} from notification_settings as setting
    where user_id = ${userId} and (${forums}::boolean or not exists (
      select from rooms
      where rooms.space_id = setting.tenant_id and rooms.id = setting.channel_id and rooms.forum is not null))
    order by channel_id`)
}

/** Lists the users who chose `all` for some channel of the space. */
export function listListeners(
  database: Queryable,
  spaceId: string,
  limit: number,
): Promise<{ channel_id: string; user_id: string }[]> {
  return database.query(sql`
    select channel_id, user_id from notification_settings
    where tenant_id = ${spaceId} and level = 'all' order by channel_id, user_id limit ${limit}`)
}

/** Saves the given fields of a setting. Undefined fields keep their value. */
export async function upsertSetting(
  transaction: Queryable,
  { scope, place }: SettingTarget,
  userId: string,
  { level, muted_until }: UpdateNotificationSettingBody,
): Promise<NotificationSetting> {
  const [setting] = await transaction.query<NotificationSetting>(sql`
    insert into notification_settings as setting (tenant_id, channel_id, user_id, scope, level, muted_until)
    values (${place.tenantId}, ${place.channelId}, ${userId}, ${scope}, ${level ?? null}, ${muted_until ?? null})
    on conflict (tenant_id, channel_id, user_id) do update set
      level = case when ${level !== undefined}::boolean then excluded.level else setting.level end,
      muted_until = case when ${muted_until !== undefined}::boolean then excluded.muted_until else setting.muted_until end
    returning ${settingColumns}`)
  if (setting === undefined) throw new Error('the setting was not saved')
  return setting
}

/** Deletes a setting. Returns false if there was none. */
export async function deleteSetting(
  transaction: Queryable,
  { tenantId, channelId }: Place,
  userId: string,
): Promise<boolean> {
  const rows = await transaction.query(sql`
    delete from notification_settings
    where tenant_id = ${tenantId} and channel_id = ${channelId} and user_id = ${userId}
    returning user_id`)
  return rows.length > 0
}
