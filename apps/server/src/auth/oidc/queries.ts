import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** An account at a provider, which is unique for the issuer. */
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

/** Lists them in the order in which they were linked. */
export async function listIdentities(database: Queryable, userId: string): Promise<LinkedIdentity[]> {
  return database.query<LinkedIdentity>(sql`
    select issuer, name, created_at from identities where user_id = ${userId} order by created_at, issuer`)
}

/** @returns the subject; undefined if there was none */
export async function deleteIdentity(
  transaction: Queryable,
  userId: string,
  issuer: string,
): Promise<string | undefined> {
  const [deleted] = await transaction.query<{ subject: string }>(sql`
    delete from identities where user_id = ${userId} and issuer = ${issuer} returning subject`)
  return deleted?.subject
}

/** Sessions that an identity opened: all of its subject, or those of one session at the provider. */
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
