import { finished } from 'node:stream/promises'
import type { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { OutgoingError } from '#src/kernel/outgoing/outgoing-error.ts'
import type { OutgoingResponse } from '#src/kernel/outgoing/outgoing-request.ts'
import type { Macs } from '#src/kernel/secrets/macs.ts'
import { encryptPush } from './encryption.ts'
import type { PushHosts } from './hosts.ts'
import type { Outcome } from './outcome.ts'
import type { Subscription } from './subscription-queries.ts'
import type { Vapid } from './vapid.ts'

export interface SenderDeps {
  outgoing: Outgoing
  vapid: Vapid
  pushTopics: Macs
  pushHosts: PushHosts
}

export interface Push {
  text: Buffer
  /** A newer push with the same tag replaces an older one that the browser has not fetched. */
  tag: string
  /** Time for which the push service keeps the push for a browser that is off. */
  ttlSeconds: number
}

const TIMEOUT_MS = 8000
const MAX_ANSWER_BYTES = 4096
const TOPIC_CHARACTERS = 32
const GONE = [404, 410]
const BUSY = 429
const MAX_RETRY_AFTER_SECONDS = 900

/**
 * Encrypts and sends a push once its host has a free connection.
 * @throws the signal's reason once it is aborted
 */
export function sendPush(
  deps: SenderDeps,
  subscription: Subscription,
  push: Push,
  closing: AbortSignal,
): Promise<Outcome> {
  const url = new URL(subscription.endpoint)
  return deps.pushHosts.run(url.hostname, closing, () => request(deps, { subscription, url, push }, closing))
}

interface Addressed {
  subscription: Subscription
  url: URL
  push: Push
}

/** Source: RFC 8030, section 5. */
async function request(
  { outgoing, vapid, pushTopics }: SenderDeps,
  { subscription, url, push: { text, tag, ttlSeconds } }: Addressed,
  closing: AbortSignal,
): Promise<Outcome> {
  const { id, public_key: publicKey, auth_secret: authSecret } = subscription
  const headers = {
    authorization: vapid.authorizationFor(url, Date.now()),
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: String(ttlSeconds),
    urgency: 'high',
    // Unique per browser, so that push services cannot see who shares a channel.
    topic: pushTopics.of(`${id} ${tag}`).slice(0, TOPIC_CHARACTERS),
  }
  const body = encryptPush(text, { publicKey, authSecret })
  const signal = AbortSignal.any([closing, AbortSignal.timeout(TIMEOUT_MS)])
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES, signal }
  try {
    return await outcomeOf(await outgoing.send({ method: 'POST', url, headers, body, ...limits }))
  } catch (error) {
    closing.throwIfAborted()
    const isBlocked = error instanceof OutgoingError && error.reason === 'blocked'
    return isBlocked ? { kind: 'refused', status: undefined } : { kind: 'unanswered' }
  }
}

async function outcomeOf({ status, headers, body }: OutgoingResponse): Promise<Outcome> {
  // Reads the body to its end, so that the connection can be reused, or until the signal aborts it.
  await finished(body.resume()).catch(() => undefined)
  if (GONE.includes(status)) return { kind: 'gone' }
  if (status === BUSY || status >= 500)
    return { kind: 'later', afterSeconds: retryAfter(headers['retry-after']) }
  return status >= 200 && status < 300 ? { kind: 'sent' } : { kind: 'refused', status }
}

/** Reads a Retry-After header, which has seconds or a date. Returns seconds. */
function retryAfter(given: string | undefined): number {
  const seconds = Number(given ?? 0)
  const wanted = Number.isNaN(seconds) ? (Date.parse(given ?? '') - Date.now()) / 1000 : seconds
  return Math.min(Math.max(Number.isNaN(wanted) ? 0 : wanted, 0), MAX_RETRY_AFTER_SECONDS)
}
