import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** An account at a provider. The subject is unique per issuer. */
export interface Subject {
  issuer: string
  subject: string
}

/** Returns the id of the account that the identity is linked to. */
export async function findOwnerOf(
  database: Queryable,
  { issuer, subject }: Subject,
): Promise<string | undefined> {
  const [row] = await database.query<{ user_id: string }>(sql`
    select user_id from identities where issuer = ${issuer} and subject = ${subject}`)
  return row?.user_id
}

export interface LinkedIdentity {
  issuer: string
  name: string | null
  created_at: string
}

/** Lists identities in the order in which they were linked. */
export async function listIdentities(database: Queryable, userId: string): Promise<LinkedIdentity[]> {
  return database.query<LinkedIdentity>(sql`
    select issuer, name, created_at from identities where user_id = ${userId} order by created_at, issuer`)
}

/** @returns the subject of the deleted identity; undefined if there was none */
export async function deleteIdentity(
  transaction: Queryable,
  userId: string,
  issuer: string,
): Promise<string | undefined> {
  const [deleted] = await transaction.query<{ subject: string }>(sql`
    delete from identities where user_id = ${userId} and issuer = ${issuer} returning subject`)
  return deleted?.subject
}

/** Sessions opened by an identity: all of a subject, or those of one session at the provider. */
export interface OpenedBy {
  issuer: string
  subject: string | null
  providerSession: string | null
}

/** @param exceptId a session that stays */
export async function deleteSessionsOpenedBy(
  transaction: Queryable,
  { issuer, subject, providerSession }: OpenedBy,
  exceptId: string | null,
): Promise<{ id: string; user_id: string }[]> {
  return transaction.query<{ id: string; user_id: string }>(sql`
    delete from sessions
    where issuer = ${issuer} and (${subject}::text is null or subject = ${subject}::text)
      and (${providerSession}::text is null or provider_session = ${providerSession}::text)
      and (${exceptId}::uuid is null or id <> ${exceptId}::uuid)
    returning id, user_id`)
}

/** Returns the issuer of the identity that opened the session; null for a login of another kind. */
export async function findSessionIssuer(database: Queryable, sessionId: string): Promise<string | null> {
  const [session] = await database.query<{ issuer: string | null }>(sql`
    select issuer from sessions where id = ${sessionId}`)
  return session?.issuer ?? null
}

/** Notes the provider whose groups made the person an operator. */
export async function noteGroupOperator(
  transaction: Queryable,
  userId: string,
  issuer: string,
): Promise<void> {
  await transaction.query(sql`update operators set issuer = ${issuer} where user_id = ${userId}`)
}

/** Returns whether groups of this provider made the person an operator. */
export async function isGroupOperator(
  transaction: Queryable,
  userId: string,
  issuer: string,
): Promise<boolean> {
  const found = await transaction.query(sql`
    select from operators where user_id = ${userId} and issuer = ${issuer}`)
  return found.length > 0
}

/** Returns the database's current time. It can be compared with `created_at` of group roles, which the same clock sets. */
export async function readTime(database: Queryable): Promise<string> {
  const [row] = await database.query<{ at: string }>(sql`select clock_timestamp()::timestamptz(3) as at`)
  if (row === undefined) throw new Error('the database has no time')
  return row.at
}

/**
 * Returns the person's groups that spaces name, in a fixed order; null if none of the spaces names a group of the
 * provider.
 * @param options `ownerId` limits the search to spaces with this member
 */
export async function listNamedGroups(
  database: Queryable,
  { issuer, ownerId }: { issuer: string; ownerId: string | null },
  groups: readonly string[],
): Promise<string[] | null> {
  const own = await database.query<{ group_name: string }>(sql`
    select distinct group_name from group_roles
    where issuer = ${issuer} and group_name = any(${groups}::text[]) and (${ownerId}::uuid is null
      or space_id in (select space_id from members where user_id = ${ownerId}::uuid))
    order by group_name`)
  if (own.length > 0) return own.map(({ group_name }) => group_name)
  const any = await database.query(sql`
    select from group_roles where issuer = ${issuer} and (${ownerId}::uuid is null
      or space_id in (select space_id from members where user_id = ${ownerId}::uuid)) limit 1`)
  return any.length > 0 ? [] : null
}

/**
 * Records the time of the newest groups of an identity.
 * @param options `isNew`: true if the identity was linked in this transaction. If false, groups from before the linking
 * are ignored
 * @returns false if the groups are not newer
 */
export async function noteGroupsAt(
  transaction: Queryable,
  { userId, issuer, at, isNew }: { userId: string; issuer: string; at: string; isNew: boolean },
): Promise<boolean> {
  const noted = await transaction.query(sql`
    update identities set groups_at = ${at}::timestamptz where user_id = ${userId} and issuer = ${issuer}
      and (${isNew} or coalesce(groups_at, created_at) < ${at}::timestamptz)
    returning user_id`)
  return noted.length > 0
}
