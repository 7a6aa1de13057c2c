import { hashToken } from '#src/kernel/ids.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

export interface OnceOnly {
  kind: 'state' | 'ticket' | 'logout'
  value: string
  /** After this time the token is invalid anyway. */
  expiresAt: Date
}

/**
 * Spends a one-time token. Only one process succeeds.
 * @returns false if it was spent before
 */
export async function spendOnce(
  transaction: Queryable,
  { kind, value, expiresAt }: OnceOnly,
): Promise<boolean> {
  const spent = await transaction.query(sql`
    insert into spent_oidc_tokens (hash, expires_at) values (${hashToken(`${kind} ${value}`)}, ${expiresAt})
    on conflict do nothing returning hash`)
  return spent.length > 0
}
