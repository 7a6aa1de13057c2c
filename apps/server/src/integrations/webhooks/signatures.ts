import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '#src/kernel/errors.ts'
import type { Sealer } from '#src/kernel/secrets/sealing.ts'
import type { WebhookRow } from './queries.ts'

/** Format of the signatures of GitHub and Gitea. */
const SIGNATURE = /^sha256=([0-9a-f]{64})$/i

/** Encrypts the secret for storage. Returns null if there is no secret. */
export function sealSecret(
  sealer: Sealer,
  webhookId: string,
  secret: string | null | undefined,
): Buffer | null {
  return secret === undefined || secret === null ? null : sealer.seal(secret, secretContext(webhookId))
}

/** Differs from the token's context, so that the columns cannot be exchanged. */
function secretContext(webhookId: string): string {
  return `${webhookId} secret`
}

/**
 * Returns a check of a delivery's raw bytes; undefined if the webhook has no secret. The check throws ApiError 401 for
 * a wrong signature. A secret encrypted with another SECRET_KEY verifies nothing.
 */
export function signatureCheck(
  sealer: Sealer,
  { id, secret }: WebhookRow,
  headers: IncomingHttpHeaders,
): ((bytes: Buffer) => void) | undefined {
  if (secret === null) return undefined
  const opened = openSecret(sealer, id, secret)
  const [, given] = SIGNATURE.exec(`${headers['x-hub-signature-256']}`) ?? []
  if (opened === undefined || given === undefined) throw new ApiError('unsigned_delivery')
  return (bytes) => {
    const right = createHmac('sha256', opened).update(bytes).digest()
    if (!timingSafeEqual(right, Buffer.from(given, 'hex'))) throw new ApiError('unsigned_delivery')
  }
}

function openSecret(sealer: Sealer, id: string, secret: Buffer): string | undefined {
  try {
    return sealer.open(secret, secretContext(id))
  } catch {
    return undefined
  }
}
