import { MAX_AUDIT_REASON } from '@foyer/protocol/audit-reason'
import { ApiError } from '../errors.ts'
import { isGoodText } from './bodies/body.ts'

const VISIBLE_ASCII = /^[ -~]*$/

/**
 * Returns the reason in a request's header; undefined if there is none.
 * @throws ApiError 400 if the reason is too long, or is not percent-encoded UTF-8
 */
export function givenReason(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  const reason = decoded(String(header))?.trim()
  if (reason === undefined || !isGoodText(reason))
    throw new ApiError('invalid_request', 'X-Audit-Reason must be percent-encoded UTF-8')
  if ([...reason].length > MAX_AUDIT_REASON)
    throw new ApiError('invalid_request', `X-Audit-Reason must have at most ${MAX_AUDIT_REASON} characters`)
  return reason === '' ? undefined : reason
}

function decoded(header: string): string | undefined {
  if (!VISIBLE_ASCII.test(header)) return undefined
  try {
    return decodeURIComponent(header)
  } catch {
    return undefined
  }
}
