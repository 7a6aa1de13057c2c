import { hashToken } from '#src/kernel/ids.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** Stores the token of a link for the first operator, as a hash only. */
export async function insertClaim(database: Queryable, token: string): Promise<void> {
  await database.query(sql`
    insert into operator_claims (token_hash) values (${hashToken(token)}) on conflict do nothing`)
}

/** Returns true if the token belongs to a link for the first operator, and there is no operator. */
export async function isClaim(database: Queryable, token: string): Promise<boolean> {
  const found = await database.query(sql`
    select from operator_claims where token_hash = ${hashToken(token)} and not exists (select from operators)`)
  return found.length > 0
}

/** Ends all links, because there is an operator. */
export async function spendClaims(transaction: Queryable): Promise<void> {
  await transaction.query(sql`delete from operator_claims`)
}
