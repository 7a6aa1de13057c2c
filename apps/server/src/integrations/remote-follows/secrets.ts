import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Sealer } from '#src/kernel/secrets/sealing.ts'

/** Encryption context. It differs from those of the webhook's other secrets, so that columns cannot be exchanged. */
const contextOf = (webhookId: string) => `${webhookId} remote follow`

export function sealRemoteSecret(sealer: Sealer, webhookId: string, secret: string): Buffer {
  return sealer.seal(secret, contextOf(webhookId))
}

/** Returns undefined for a secret that was encrypted with another SECRET_KEY. */
export function openRemoteSecret(sealer: Sealer, webhookId: string, sealed: Buffer): string | undefined {
  try {
    return sealer.open(sealed, contextOf(webhookId))
  } catch {
    return undefined
  }
}

/** Checks the signature of a hub in constant time (WebSub, section 8). */
export function isSignedBy(secret: string, bytes: Buffer, given: string): boolean {
  const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec(given) ?? []
  if (hex === undefined) return false
  return timingSafeEqual(createHmac('sha256', secret).update(bytes).digest(), Buffer.from(hex, 'hex'))
}
