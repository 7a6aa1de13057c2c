import type { Macs } from '#src/kernel/macs.ts'
import type { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { OutgoingError } from '#src/kernel/outgoing/outgoing-error.ts'
import type { OutgoingResponse } from '#src/kernel/outgoing/outgoing-request.ts'
import { encryptPush } from './encryption.ts'
import type { Subscription } from './subscription-queries.ts'
import type { Vapid } from './vapid.ts'

export interface SenderDeps {
  outgoing: Outgoing
  vapid: Vapid
  pushTopics: Macs
}

export interface Push {
  text: Buffer
  /** What is newer takes the place of what the browser has not fetched yet. */
  tag: string
  /** How long a push service keeps it for a browser that is off. */
  ttlSeconds: number
}

/** What became of it: `gone`, the browser has unsubscribed; `later`, to be tried again; `refused`, never to be tried again. */
export type Outcome =
  | { readonly kind: 'sent' | 'gone' }
  /** Without a status nothing could be sent there. */
  | { readonly kind: 'refused'; readonly status: number | undefined }
  | { readonly kind: 'later'; readonly afterSeconds: number }

const TIMEOUT_MS = 8000
const MAX_ANSWER_BYTES = 4096
const TOPIC_CHARACTERS = 32
const GONE = [404, 410]
const BUSY = 429
const MAX_RETRY_AFTER_SECONDS = 900

/**
 * Source: RFC 8030, section 5.
 * @throws the signal's reason once it is aborted
 */
export async function sendPush(
  { outgoing, vapid, pushTopics }: SenderDeps,
  { id, endpoint, public_key: publicKey, auth_secret: authSecret }: Subscription,
  { text, tag, ttlSeconds }: Push,
  closing: AbortSignal,
): Promise<Outcome> {
  const url = new URL(endpoint)
  const headers = {
    authorization: vapid.authorizationFor(url, Date.now()),
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: String(ttlSeconds),
    urgency: 'high',
    // Of this browser alone: push services are not to see who is in the same place.
    topic: pushTopics.of(`${id} ${tag}`).slice(0, TOPIC_CHARACTERS),
  }
  const body = encryptPush(text, { publicKey, authSecret })
  const signal = AbortSignal.any([closing, AbortSignal.timeout(TIMEOUT_MS)])
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES, signal }
  try {
    return outcomeOf(await outgoing.send({ method: 'POST', url, headers, body, ...limits }))
  } catch (error) {
    closing.throwIfAborted()
    const isBlocked = error instanceof OutgoingError && error.reason === 'blocked'
    return isBlocked ? { kind: 'refused', status: undefined } : { kind: 'later', afterSeconds: 0 }
  }
}

function outcomeOf({ status, headers, body }: OutgoingResponse): Outcome {
  // Read, so that the connection stays of use; it ends with the signal at the latest, and what it says is nothing to us.
  body.on('error', () => undefined).resume()
  if (GONE.includes(status)) return { kind: 'gone' }
  if (status === BUSY || status >= 500)
    return { kind: 'later', afterSeconds: retryAfter(headers['retry-after']) }
  return status >= 200 && status < 300 ? { kind: 'sent' } : { kind: 'refused', status }
}

/** In seconds, or a date. */
function retryAfter(given: string | undefined): number {
  const seconds = Number(given ?? 0)
  const wanted = Number.isNaN(seconds) ? (Date.parse(given ?? '') - Date.now()) / 1000 : seconds
  return Math.min(Math.max(Number.isNaN(wanted) ? 0 : wanted, 0), MAX_RETRY_AFTER_SECONDS)
}
