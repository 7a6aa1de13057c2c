import { MAX_PAGE } from '@foyer/protocol/limits'
import type { Registration, RegistrationsQuery } from '@foyer/protocol/registration'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** An application for an account. */
export interface NewRegistration {
  id: string
  username: string
  email: string
  /** Null for an application with an identity. */
  passwordHash: string | null
  alias: string | null
  birthdate: string | null
  isEmailVerified?: boolean
  /** Account at a sign-in provider, if the application came with one. */
  identity?: { issuer: string; subject: string; name: string | null } | null
  question: string | null
  answer: string | null
}

export async function insertRegistration(transaction: Queryable, given: NewRegistration): Promise<void> {
  const { issuer = null, subject = null, name = null } = given.identity ?? {}
  await transaction.query(sql`
    insert into registrations (id, username, email, password_hash, alias, birthdate, question, answer, email_verified,
      issuer, subject, identity_name)
    values (${given.id}, ${given.username}, ${given.email}, ${given.passwordHash}, ${given.alias}, ${given.birthdate},
      ${given.question}, ${given.answer}, ${given.isEmailVerified ?? false}, ${issuer}, ${subject}, ${name})`)
}

export async function countRegistrations(transaction: Queryable): Promise<number> {
  const [row] = await transaction.query<{ count: number }>(sql`select count(*) from registrations`)
  return row?.count ?? 0
}

/** Lists applications, oldest first. Only the domain of each email address leaves the database. */
export async function listRegistrations(
  database: Queryable,
  { after, limit = MAX_PAGE }: RegistrationsQuery,
): Promise<Registration[]> {
  return database.query<Registration>(sql`
    select id, username, alias, substring(email from '[^@]*$') as email_domain, question, answer, created_at
    from registrations where ${after}::uuid is null or id > ${after}::uuid
    order by id limit ${limit}`)
}

/** Finds an application by its id, or by its username, ignoring case. */
export async function findRegistration(
  database: Queryable,
  text: string,
): Promise<Pick<Registration, 'id' | 'username'> | undefined> {
  const [found] = await database.query<Pick<Registration, 'id' | 'username'>>(sql`
    select id, username from registrations where id::text = lower(${text}) or lower(username) = lower(${text})
    limit 1`)
  return found
}

/** Deletes and returns an application, for its approval or refusal. */
export async function takeRegistration(
  transaction: Queryable,
  id: string,
): Promise<Omit<NewRegistration, 'question' | 'answer'> | undefined> {
  const [taken] = await transaction.query<Omit<NewRegistration, 'question' | 'answer'>>(sql`
    delete from registrations where id = ${id}
    returning id, username, email, password_hash as "passwordHash", alias, birthdate,
      email_verified as "isEmailVerified",
      case when issuer is not null
        then jsonb_build_object('issuer', issuer, 'subject', subject, 'name', identity_name) end as identity`)
  return taken
}

/** An application with its password hash, for an applicant who tries to log in before the approval. */
export interface PendingLogin {
  id: string
  username: string
  email: string
  password_hash: string
}

export async function findPendingLogin(
  database: Queryable,
  login: string,
): Promise<PendingLogin | undefined> {
  const [pending] = await database.query<PendingLogin>(sql`
    select id, username, email, password_hash from registrations
    where password_hash is not null and (lower(email) = lower(${login}) or lower(username) = lower(${login}))
    limit 1`)
  return pending
}

/** Returns true if an application for an account with this identity is pending. */
export async function isIdentityPending(
  database: Queryable,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<boolean> {
  const found = await database.query(sql`
    select from registrations where issuer = ${issuer} and subject = ${subject}`)
  return found.length > 0
}
