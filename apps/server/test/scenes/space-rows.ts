// Writes rows of a space without its endpoints, and publishes the events that keep the caches up to date.
import type { Role, RoomOverwrite, UpsertOverwriteBody } from '@foyer/protocol/roles'
import { newId } from '#src/kernel/ids.ts'
import { type Topic, topicOf } from '#src/kernel/journal/bus.ts'
import { type Query, sql } from '#src/kernel/sql/sql.ts'
import { accessChange } from '#src/spaces/access-change.ts'
import { listMemberships } from '#src/spaces/queries.ts'
import type { RunningServer } from '#src/start.ts'

export type NewRole = Pick<Role, 'permissions' | 'position'> & Partial<Pick<Role, 'capabilities'>>

export async function insertRole(server: RunningServer, spaceId: string, role: NewRole): Promise<string> {
  const id = newId()
  await change(
    server,
    spaceId,
    sql`
      insert into roles (space_id, id, name, permissions, capabilities, position)
      values (${spaceId}, ${id}, 'role', ${role.permissions}, ${role.capabilities ?? 0}, ${role.position})`,
  )
  return id
}

/** Sets the permissions of @everyone. */
export async function setEveryone(server: RunningServer, spaceId: string, flags: number): Promise<void> {
  await change(
    server,
    spaceId,
    sql`update roles set permissions = ${flags} where space_id = ${spaceId} and id = ${spaceId}`,
  )
}

export interface Assignment {
  spaceId: string
  userId: string
  roleId: string
}

export async function assignRole(server: RunningServer, given: Assignment): Promise<void> {
  const { spaceId, userId, roleId } = given
  await change(
    server,
    spaceId,
    sql`
      with assigned as (
        insert into member_roles (space_id, user_id, role_id) values (${spaceId}, ${userId}, ${roleId})
      )
      update members set top_role_id = ${roleId} where space_id = ${spaceId} and user_id = ${userId}`,
    userId,
  )
}

/** Capabilities of an overwrite that neither allows nor denies any. */
export const noCapabilities = { allow_capabilities: 0, deny_capabilities: 0 }

export async function insertOverwrite(
  server: RunningServer,
  spaceId: string,
  overwrite: UpsertOverwriteBody & Pick<RoomOverwrite, 'room_id'>,
): Promise<void> {
  const { room_id, target_id, target_type, allow_flags, deny_flags } = overwrite
  const { allow_capabilities = 0, deny_capabilities = 0 } = overwrite
  await change(
    server,
    spaceId,
    sql`
      insert into room_overwrites
        (space_id, room_id, target_id, target_type, allow_flags, deny_flags, allow_capabilities, deny_capabilities)
      values (${spaceId}, ${room_id}, ${target_id}, ${target_type}, ${allow_flags}, ${deny_flags},
        ${allow_capabilities}, ${deny_capabilities})`,
  )
}

/** Runs the statement, and publishes the events that invalidate cached data of the space and the member. */
async function change(server: RunningServer, spaceId: string, query: Query, userId?: string): Promise<void> {
  const topic = topicOf.space(spaceId)
  await server.deps.database.transaction(async (transaction) => {
    await transaction.query(query)
    transaction.publish(accessChange(spaceId))
    if (userId === undefined) return
    const [member] = await listMemberships(transaction, userId, [spaceId])
    transaction.publish({ topic, name: 'SPACE_MEMBER_UPDATE', data: JSON.stringify(member) })
  })
}

export interface JournalEntry {
  name: string
  audience: number
  data: unknown
}

/** Returns the events published to the topic, oldest first, without audit log events. */
export async function listJournal(server: RunningServer, topic: Topic): Promise<JournalEntry[]> {
  const events = await listWholeJournal(server, topic)
  return events.filter(({ name }) => name !== 'AUDIT_LOG_ENTRY_CREATE')
}

export async function listWholeJournal(server: RunningServer, topic: Topic): Promise<JournalEntry[]> {
  const rows = await server.deps.database.query<{ name: string; audience: number; data: string }>(sql`
    select name, audience, data from events
    where kind = ${topic.kind} and tenant_id = ${topic.tenantId} and channel_id = ${topic.channelId}
    order by id`)
  return rows.map((row) => ({ ...row, data: JSON.parse(row.data) }))
}
