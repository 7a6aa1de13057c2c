import type { InviteCode, InvitePreview } from '@foyer/protocol/invites'
import { MAX_WORKING_INVITES } from '@foyer/protocol/limits'
import type { Space } from '@foyer/protocol/spaces'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { findUsers } from '#src/people/users/queries.ts'

const columns = fragment`
  id, code, space_id, room_id, inviter_id, max_age, max_uses, uses, temporary, expires_at, created_at`

/** Lists valid invites, newest first. */
export async function listWorkingInvites(database: Queryable, spaceId: string): Promise<InviteCode[]> {
  return database.query<InviteCode>(sql`
    select ${columns}
    from invites where space_id = ${spaceId} and (expires_at is null or expires_at > now())
    order by created_at desc, id desc limit ${MAX_WORKING_INVITES}`)
}

export async function countWorkingInvites(database: Queryable, spaceId: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*) from invites
    where space_id = ${spaceId} and (expires_at is null or expires_at > now())`)
  return row?.count ?? 0
}

/** Finds a valid invite by its code or its name. A name matches in any case. */
export async function findWorkingInvite(database: Queryable, code: string): Promise<InviteCode | undefined> {
  const [invite] = await database.query<InviteCode>(sql`
    select ${columns}
    from invites
    where code = any(${spellingsOf(code)}) and (expires_at is null or expires_at > now())
    order by code = ${code} desc, created_at, id limit 1`)
  return invite
}

/** Random codes contain capitals, so the lowercase spelling can only match a name. */
function spellingsOf(code: string): string[] {
  return [code, code.toLowerCase()]
}

/**
 * Returns whether a valid invite of any space has the name. Locks the name, so that no other transaction can take it until
 * this transaction ends.
 */
export async function isNameTaken(transaction: Queryable, name: string): Promise<boolean> {
  await transaction.query(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
  return (await findWorkingInvite(transaction, name)) !== undefined
}

type FoundInvite = InvitePreview & { space: Pick<Space, 'locale'> }

/** Returns the public view of a valid invite, and the language of its space. The inviter may have left. */
export async function findInvitePreview(database: Queryable, code: string): Promise<FoundInvite | undefined> {
  const [row] = await database.query<Omit<FoundInvite, 'inviter'> & { inviter_id: string }>(sql`
    select code, inviter_id, expires_at, member_count, door_closed_at is not null as door_closed,
      json_build_object('id', spaces.id, 'name', spaces.name, 'description', spaces.description,
        'icon', icon, 'banner', banner, 'locale', locale) as space,
      json_build_object('id', rooms.id, 'name', rooms.name, 'type', rooms.type) as room
    from invites
    join spaces on spaces.id = invites.space_id and deleted_at is null
    join rooms on rooms.space_id = invites.space_id and rooms.id = room_id
    where code = any(${spellingsOf(code)}) and (expires_at is null or expires_at > now())
    order by code = ${code} desc, invites.created_at, invites.id limit 1`)
  const [inviter] = row === undefined ? [] : await findUsers(database, [row.inviter_id])
  return row && inviter && { ...row, inviter }
}

export type NewInvite = Omit<InviteCode, 'uses' | 'expires_at' | 'created_at'>

export async function insertInvite(transaction: Queryable, invite: NewInvite): Promise<InviteCode> {
  const [inserted] = await transaction.query<InviteCode>(sql`
    insert into invites (space_id, id, code, room_id, inviter_id, max_uses, temporary, max_age, expires_at)
    values (${invite.space_id}, ${invite.id}, ${invite.code}, ${invite.room_id}, ${invite.inviter_id},
      ${invite.max_uses}, ${invite.temporary}, ${invite.max_age}::integer, now() + make_interval(secs => nullif(${invite.max_age}::integer, 0)))
    returning ${columns}`)
  if (inserted === undefined) throw new Error('an invite that was just inserted cannot be read')
  return inserted
}

/** Counts one use. Returns the invite; undefined if it was revoked. */
export async function countUse(transaction: Queryable, invite: InviteCode): Promise<InviteCode | undefined> {
  const [counted] = await transaction.query<InviteCode>(sql`
    update invites set uses = uses + 1 where space_id = ${invite.space_id} and id = ${invite.id}
    returning ${columns}`)
  return counted
}

/** Deletes an invite. Returns it if it was still valid. */
export async function deleteWorkingInvite(
  transaction: Queryable,
  spaceId: string,
  inviteId: string,
): Promise<InviteCode | undefined> {
  const [invite] = await transaction.query<InviteCode>(sql`
    delete from invites
    where space_id = ${spaceId} and id = ${inviteId} and (expires_at is null or expires_at > now())
    returning ${columns}`)
  return invite
}

/** Deletes the invites that users made, and returns them. */
export async function deleteInvitesOf(
  transaction: Queryable,
  spaceId: string,
  inviterIds: readonly string[],
): Promise<InviteCode[]> {
  return transaction.query<InviteCode>(sql`
    delete from invites where space_id = ${spaceId} and inviter_id = any(${inviterIds})
    returning ${columns}`)
}
