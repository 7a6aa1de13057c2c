import type { FollowLevel } from '@foyer/protocol/thread-rooms'
import type { Place } from '#src/channels/place.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { UserPage } from './recipient-queries.ts'

/** Lists a page of followers of a thread with subscriptions, by id. */
export async function listFollowers(
  database: Queryable,
  { tenantId, channelId }: Place,
  { authorId, after, limit }: UserPage & { authorId: string },
): Promise<string[]> {
  const rows = await database.query<{ user_id: string }>(sql`
    select user_id from thread_follows
    where space_id = ${tenantId} and thread_id = ${channelId} and user_id > ${after} and level <> 'muted'
      and user_id <> ${authorId}
      and exists (select from push_subscriptions where push_subscriptions.user_id = thread_follows.user_id)
    order by user_id limit ${limit}`)
  return rows.map(({ user_id }) => user_id)
}

/** A follower, with the settings that decide about a notification. */
export interface FollowerRow {
  user_id: string
  roles: string[]
  last_read_seq: number
  level: FollowLevel
  /** True if the room, its category or its space is muted. */
  is_muted: boolean
}

/** Returns those of the users who are members, follow the thread and do not block the author. */
export async function listFollowing(
  database: Queryable,
  { tenantId, channelId }: Place,
  { authorId, chain, userIds }: { authorId: string; chain: readonly string[]; userIds: readonly string[] },
): Promise<FollowerRow[]> {
  return database.query<FollowerRow>(sql`
    select member.user_id, coalesce(last_read_seq, 0) as last_read_seq, follow.level,
      array(
        select role_id from member_roles
        where member_roles.space_id = ${tenantId} and member_roles.user_id = member.user_id) as roles,
      exists (
        select from notification_settings as setting
        where setting.tenant_id = ${tenantId} and setting.channel_id = any(${chain}::uuid[])
          and setting.user_id = member.user_id and setting.muted_until > now()) as is_muted
    from members as member
      join thread_follows as follow on follow.space_id = member.space_id and follow.user_id = member.user_id
        and follow.thread_id = ${channelId}
      left join read_states on read_states.user_id = member.user_id and read_states.channel_id = ${channelId}
    where member.space_id = ${tenantId} and member.user_id = any(${userIds})
      and not exists (
        select from blocks where blocks.user_id = member.user_id and blocked_id = ${authorId})
    order by member.user_id`)
}
