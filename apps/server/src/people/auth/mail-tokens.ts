import { hashToken, newToken } from '#src/kernel/ids.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { sql } from '#src/kernel/sql/sql.ts'

const HOUR_SECONDS = 60 * 60

/** Purposes of mailed links, which are also their paths, with their validity in seconds. */
export const mailTokenSeconds = {
  verify: 24 * HOUR_SECONDS,
  'reset-password': HOUR_SECONDS,
  'change-email': HOUR_SECONDS,
} as const

export type MailPurpose = keyof typeof mailTokenSeconds

export interface MailTokenOwner {
  user_id: string
  /** Address that the mail was sent to. */
  email: string
}

/** Creates a token, replacing an older one for the same purpose. Only its hash is stored. */
export async function createMailToken(
  database: Queryable,
  purpose: MailPurpose,
  { user_id, email }: MailTokenOwner,
): Promise<string> {
  const token = newToken()
  await database.query(sql`
    insert into mail_tokens (token_hash, user_id, purpose, email, expires_at)
    values (${hashToken(token)}, ${user_id}, ${purpose}, ${email},
      now() + make_interval(secs => ${mailTokenSeconds[purpose]}))
    on conflict (user_id, purpose) do update
    set token_hash = excluded.token_hash, email = excluded.email, expires_at = excluded.expires_at`)
  return token
}

/** Returns true if the token is valid now. Checked first, because hashing the new password is far more expensive. */
export async function isMailToken(
  database: Queryable,
  purpose: MailPurpose,
  token: string,
): Promise<boolean> {
  const found = await database.query(sql`
    select from mail_tokens
    where token_hash = ${hashToken(token)} and purpose = ${purpose} and expires_at > now()`)
  return found.length > 0
}

/**
 * Spends the token. A token for the password or the address also deletes the account's other tokens, because an
 * intruder may have requested those.
 * @returns the account, or undefined for a token that is unknown, used, replaced or expired
 */
export async function spendMailToken(
  database: Queryable,
  purpose: MailPurpose,
  token: string,
): Promise<MailTokenOwner | undefined> {
  const hash = hashToken(token)
  const [owner] = await database.query<MailTokenOwner>(sql`
    with spent as (
      delete from mail_tokens
      where user_id = (
          select user_id from mail_tokens
          where token_hash = ${hash} and purpose = ${purpose} and expires_at > now())
        and (purpose = ${purpose} or ${purpose} <> 'verify')
      returning token_hash, user_id, email
    )
    select user_id, email from spent where token_hash = ${hash}`)
  return owner
}

/** Deletes all tokens of the account. */
export async function deleteMailTokens(database: Queryable, userId: string): Promise<void> {
  await database.query(sql`delete from mail_tokens where user_id = ${userId}`)
}
