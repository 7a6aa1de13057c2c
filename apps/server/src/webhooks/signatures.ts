import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '#src/kernel/errors.ts'
import type { Sealer } from '#src/kernel/sealing.ts'
import type { WebhookRow } from './queries.ts'

/** As GitHub and Gitea send it. */
const SIGNATURE = /^sha256=([0-9a-f]{64})$/i

/** The secret as it is stored; null for none. */
export function sealSecret(
  sealer: Sealer,
  webhookId: string,
  secret: string | null | undefined,
): Buffer | null {
  return secret === undefined || secret === null ? null : sealer.seal(secret, secretContext(webhookId))
}

/** Of its own, so that no row shows its secret as its token. */
function secretContext(webhookId: string): string {
  return `${webhookId} secret`
}

/**
 * Returns a check of the bytes of a delivery, as they came; undefined where the webhook has no secret.
 * It throws ApiError 401 unless the secret signs them. A secret that was sealed under another SECRET_KEY signs nothing.
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
