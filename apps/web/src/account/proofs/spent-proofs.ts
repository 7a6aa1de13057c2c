import { OWNER_PROOF_SECONDS } from '@foyer/protocol/limits'
import { ApiError } from '@foyer/sdk/rest'

/** A proof counts for this long after it was given. */
export const PROOF_MS = OWNER_PROOF_SECONDS * 1000

/** Refusals that come before the server checks a proof, or that do not spend it. */
const UNSPENT: ReadonlySet<string | null> = new Set(['code_required', 'wrong_code', 'invalid_request'])

/** Returns whether a proof no longer counts after this failure. Of one that never reached the server, nothing is known. */
export function isSpentBy(failure: unknown): boolean {
  return failure instanceof ApiError && failure.status !== 429 && !UNSPENT.has(failure.code)
}
