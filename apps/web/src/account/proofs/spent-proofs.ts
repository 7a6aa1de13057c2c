import { OWNER_PROOF_SECONDS } from '@foyer/protocol/limits'
import { ApiError } from '@foyer/sdk/rest'

/** Validity of a proof. */
export const PROOF_MS = OWNER_PROOF_SECONDS * 1000

/** Error codes sent before the server checks a proof, or without spending it. */
const UNSPENT: ReadonlySet<string | null> = new Set(['code_required', 'wrong_code', 'invalid_request'])

/**
 * Returns true if a proof cannot be used again after this failure. After a network error it returns false, because the
 * request may not have reached the server.
 */
export function isSpentBy(failure: unknown): boolean {
  return failure instanceof ApiError && failure.status !== 429 && !UNSPENT.has(failure.code)
}
