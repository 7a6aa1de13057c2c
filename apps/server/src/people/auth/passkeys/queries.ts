import { PASSKEY_CHALLENGE_SECONDS } from '@foyer/protocol/limits'
import type { Passkey } from '@foyer/protocol/passkeys'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** The stored half of a passkey. */
export interface StoredPasskey {
  id: string
  user_id: string
  public_key: Buffer
}

export interface NewPasskey {
  id: string
  userId: string
  credentialId: Buffer
  publicKey: Uint8Array
  counter: number
  transports: readonly string[]
  name: string
  isBackedUp: boolean
}

const passkeyColumns = fragment`id, name, is_backed_up, created_at, last_used_at`

export async function listPasskeys(database: Queryable, userId: string): Promise<Passkey[]> {
  return database.query<Passkey>(sql`
    select ${passkeyColumns} from passkeys where user_id = ${userId} order by created_at, id`)
}

/** The data by which a browser finds a passkey. */
interface Credential {
  credential_id: Buffer
  transports: string[]
}

export async function listCredentials(database: Queryable, userId: string): Promise<Credential[]> {
  return database.query<Credential>(sql`
    select credential_id, transports from passkeys where user_id = ${userId} order by created_at, id`)
}

export async function findByCredential(
  database: Queryable,
  credentialId: Buffer,
): Promise<StoredPasskey | undefined> {
  const [passkey] = await database.query<StoredPasskey>(sql`
    select id, user_id, public_key from passkeys where credential_id = ${credentialId}`)
  return passkey
}

export async function countPasskeys(database: Queryable, userId: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*)::integer as count from passkeys where user_id = ${userId}`)
  return row?.count ?? 0
}

export async function insertPasskey(database: Queryable, passkey: NewPasskey): Promise<Passkey> {
  const [row] = await database.query<Passkey>(sql`
    insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, is_backed_up)
    values (${passkey.id}, ${passkey.userId}, ${passkey.credentialId}, ${Buffer.from(passkey.publicKey)},
      ${passkey.counter}, ${passkey.transports}, ${passkey.name}, ${passkey.isBackedUp})
    returning ${passkeyColumns}`)
  if (row === undefined) throw new Error('an inserted row is missing')
  return row
}

export async function renamePasskey(
  database: Queryable,
  { id, userId, name }: Pick<NewPasskey, 'id' | 'userId' | 'name'>,
): Promise<Passkey | undefined> {
  const [row] = await database.query<Passkey>(sql`
    update passkeys set name = ${name} where id = ${id} and user_id = ${userId} returning ${passkeyColumns}`)
  return row
}

/** @returns the passkey's name, if the user had it */
export async function deletePasskey(
  database: Queryable,
  userId: string,
  id: string,
): Promise<string | undefined> {
  const [row] = await database.query<{ name: string }>(sql`
    delete from passkeys where id = ${id} and user_id = ${userId} returning name`)
  return row?.name
}

/** @returns whether the user had any */
export async function deletePasskeys(database: Queryable, userId: string): Promise<boolean> {
  const deleted = await database.query(sql`delete from passkeys where user_id = ${userId} returning id`)
  return deleted.length > 0
}

export interface Use {
  id: string
  counter: number
  isBackedUp: boolean
}

/**
 * Records a use. A device's counter increases with each use; otherwise, another device has a copy of the passkey.
 * Devices without a counter always send 0.
 */
export async function countUse(
  transaction: Queryable,
  { id, counter, isBackedUp }: Use,
): Promise<'counted' | 'copied' | 'gone'> {
  const [row] = await transaction.query<{ counter: number }>(sql`
    select counter from passkeys where id = ${id} for update`)
  if (row === undefined) return 'gone'
  const counts = row.counter > 0 || counter > 0
  if (counts && counter <= row.counter) return 'copied'
  await transaction.query(sql`
    update passkeys set counter = ${counter}, is_backed_up = ${isBackedUp}, last_used_at = now() where id = ${id}`)
  return 'counted'
}

/** The purpose of a challenge: a login (no account), a new passkey (no session), or an owner's proof (both). */
export interface ChallengeFor {
  userId: string | null
  sessionId: string | null
}

export const FOR_LOGIN: ChallengeFor = { userId: null, sessionId: null }

export async function insertChallenge(
  database: Queryable,
  challenge: Buffer,
  { userId, sessionId }: ChallengeFor,
): Promise<void> {
  await database.query(sql`
    insert into passkey_challenges (challenge, user_id, session_id, expires_at)
    values (${challenge}, ${userId}, ${sessionId}, now() + make_interval(secs => ${PASSKEY_CHALLENGE_SECONDS}))`)
}

/**
 * Spends a challenge for its purpose. Only one of several simultaneous uses succeeds.
 * @returns false for a challenge that is unknown, expired or for another purpose
 */
export async function spendChallenge(
  database: Queryable,
  challenge: Buffer,
  { userId, sessionId }: ChallengeFor,
): Promise<boolean> {
  const spent = await database.query(sql`
    delete from passkey_challenges
    where challenge = ${challenge} and user_id is not distinct from ${userId}::uuid
      and session_id is not distinct from ${sessionId}::uuid and expires_at > now()
    returning challenge`)
  return spent.length > 0
}
