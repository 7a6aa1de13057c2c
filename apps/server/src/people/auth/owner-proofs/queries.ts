import { OWNER_PROOF_SECONDS } from '@foyer/protocol/limits'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { OwnSession } from '../session-of.ts'

/** `passkey`: a device that verifies the person. `provider`: a new login at the provider. */
export type ProofKind = 'passkey' | 'provider'

export interface NewProof extends OwnSession {
  hash: Buffer
  kind: ProofKind
  /** False until the provider has confirmed it. */
  isConfirmed: boolean
  seconds: number
}

/** @returns the time at which the proof expires */
export async function insertProof(
  database: Queryable,
  { hash, userId, sessionId, kind, isConfirmed, seconds }: NewProof,
): Promise<string> {
  const [row] = await database.query<{ expires_at: string }>(sql`
    insert into owner_proofs (hash, user_id, session_id, kind, is_confirmed, expires_at)
    values (${hash}, ${userId}, ${sessionId}, ${kind}, ${isConfirmed}, now() + make_interval(secs => ${seconds}))
    returning expires_at`)
  if (row === undefined) throw new Error('an inserted row is missing')
  return row.expires_at
}

/**
 * Confirms a proof.
 * @returns false for an unknown, expired or already confirmed proof
 */
export async function confirmProof(
  transaction: Queryable,
  { hash, userId, sessionId }: Pick<NewProof, 'hash' | 'userId' | 'sessionId'>,
): Promise<boolean> {
  const confirmed = await transaction.query(sql`
    update owner_proofs
    set is_confirmed = true, expires_at = now() + make_interval(secs => ${OWNER_PROOF_SECONDS})
    where hash = ${hash} and user_id = ${userId} and session_id = ${sessionId}
      and not is_confirmed and expires_at > now()
    returning hash`)
  return confirmed.length > 0
}

/**
 * Spends a proof. Only one of several simultaneous uses succeeds.
 * @returns the kind of the proof; undefined for an invalid proof
 */
export async function spendProof(
  transaction: Queryable,
  { userId, sessionId }: OwnSession,
  hash: Buffer,
): Promise<ProofKind | undefined> {
  const [spent] = await transaction.query<{ kind: ProofKind }>(sql`
    delete from owner_proofs
    where hash = ${hash} and user_id = ${userId} and session_id = ${sessionId}
      and is_confirmed and expires_at > now()
    returning kind`)
  return spent?.kind
}
