import type { User } from '@foyer/protocol/users'
import { isConversation, type Place } from '#src/channels/place.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { userColumns } from '#src/people/users/queries.ts'

/** Returns the users who are members of the space or conversation. */
export async function listMentionable(
  database: Queryable,
  place: Place,
  userIds: readonly string[],
): Promise<User[]> {
  if (isConversation(place)) return listInConversation(database, place.channelId, userIds)
  return database.query<User>(sql`
    select ${userColumns}
    from members join users on users.id = user_id
    where space_id = ${place.tenantId} and user_id = any(${userIds})`)
}

async function listInConversation(
  database: Queryable,
  conversationId: string,
  userIds: readonly string[],
): Promise<User[]> {
  return database.query<User>(sql`
    select ${userColumns}
    from conversation_members join users on users.id = user_id
    where conversation_id = ${conversationId} and user_id = any(${userIds})`)
}
