import type { SecondFactor } from '@foyer/protocol/second-factors'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

export interface SecondFactors {
  totp_since: string | null
  recovery_codes: number
}

interface TotpRow {
  secret: Buffer | null
  pending: Buffer | null
  last_period: number
}

export async function findSecondFactors(database: Queryable, userId: string): Promise<SecondFactors> {
  const [row] = await database.query<SecondFactors>(sql`
    select (select confirmed_at from totp where user_id = ${userId}) as totp_since,
      (select count(*)::integer from recovery_codes where user_id = ${userId}) as recovery_codes`)
  if (row === undefined) throw new Error('a query without a condition has no row')
  return row
}

/** Locks the user's app until the transaction ends. */
export async function lockTotp(transaction: Queryable, userId: string): Promise<TotpRow | undefined> {
  const [row] = await transaction.query<TotpRow>(sql`
    select secret, pending, last_period from totp where user_id = ${userId} for update`)
  return row
}

export async function savePendingTotp(
  transaction: Queryable,
  userId: string,
  pending: Buffer,
): Promise<void> {
  await transaction.query(sql`
    insert into totp (user_id, pending) values (${userId}, ${pending})
    on conflict (user_id) do update set pending = excluded.pending`)
}

export async function confirmTotp(transaction: Queryable, userId: string, period: number): Promise<void> {
  await transaction.query(sql`
    update totp set secret = pending, pending = null, last_period = ${period}, confirmed_at = now()
    where user_id = ${userId}`)
}

export async function saveLastPeriod(transaction: Queryable, userId: string, period: number): Promise<void> {
  await transaction.query(sql`update totp set last_period = ${period} where user_id = ${userId}`)
}

export async function replaceRecoveryCodes(
  transaction: Queryable,
  userId: string,
  macs: readonly string[],
): Promise<void> {
  await transaction.query(sql`delete from recovery_codes where user_id = ${userId}`)
  await transaction.query(sql`
    insert into recovery_codes (user_id, mac) select ${userId}::uuid, unnest(${macs}::text[])`)
}

/**
 * Deletes the code, also from the account's snapshots, so that no way back restores it.
 * @returns true if the user had the code
 */
export async function deleteRecoveryCode(
  transaction: Queryable,
  userId: string,
  mac: string,
): Promise<boolean> {
  const deleted = await transaction.query(sql`
    delete from recovery_codes where user_id = ${userId} and mac = ${mac} returning mac`)
  if (deleted.length === 0) return false
  await transaction.query(sql`
    update account_snapshots set recovery_codes = array_remove(recovery_codes, ${mac})
    where user_id = ${userId} and ${mac} = any(recovery_codes)`)
  return true
}

export async function deleteSecondFactors(transaction: Queryable, userId: string): Promise<void> {
  await transaction.query(sql`delete from recovery_codes where user_id = ${userId}`)
  await transaction.query(sql`delete from totp where user_id = ${userId}`)
}

/** Returns whether the account has an authenticator app or a passkey. */
export async function hasSecondFactor(database: Queryable, userId: string): Promise<boolean> {
  const found = await database.query(sql`
    select from totp where user_id = ${userId} and secret is not null
    union all select from passkeys where user_id = ${userId} limit 1`)
  return found.length > 0
}

/** Marks a session that proved a second factor. */
export async function markConfirmed(transaction: Queryable, sessionId: string): Promise<void> {
  await transaction.query(sql`update sessions set has_second_factor = true where id = ${sessionId}`)
}

/** @returns the ids of the user's sessions that had a second factor */
export async function markUnconfirmed(transaction: Queryable, userId: string): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>(sql`
    update sessions set has_second_factor = false where user_id = ${userId} and has_second_factor
    returning id`)
  return rows.map(({ id }) => id)
}

export function kindsOf({ totp_since, recovery_codes }: SecondFactors): SecondFactor[] {
  if (totp_since === null) return []
  return recovery_codes === 0 ? ['totp'] : ['totp', 'recovery_code']
}
