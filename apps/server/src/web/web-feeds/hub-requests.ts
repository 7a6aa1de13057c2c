import { type Topic, topicOf } from './addresses.ts'
import type { NewSubscription } from './subscriptions.ts'

const HOUR_SECONDS = 3600
const MIN_LEASE_SECONDS = HOUR_SECONDS
/** Maximum duration of a subscription: ten days. After that, a subscriber that no longer exists costs nothing. */
export const MAX_LEASE_SECONDS = 240 * HOUR_SECONDS
const MAX_SECRET_BYTES = 199
const MAX_CALLBACK_CHARACTERS = 1024

export interface HubRequest extends NewSubscription {
  readonly mode: 'subscribe' | 'unsubscribe'
  /** The address of the feed as the subscriber wrote it. */
  readonly address: string
}

/** @returns a sentence for a request that is not valid: https://www.w3.org/TR/websub/#subscriber-sends-subscription-request */
export function readHubRequest(form: URLSearchParams, origin: string): HubRequest | string {
  const mode = form.get('hub.mode')
  if (mode !== 'subscribe' && mode !== 'unsubscribe') return 'hub.mode must be subscribe or unsubscribe'
  const address = form.get('hub.topic') ?? ''
  const topic: Topic | undefined = topicOf(origin, address)
  if (topic === undefined) return 'hub.topic must be the address of a feed of this server'
  const callback = callbackIn(form.get('hub.callback') ?? '')
  if (callback === undefined) return 'hub.callback must be an http or https address of up to 1024 characters'
  if (callback.origin === new URL(origin).origin) return 'hub.callback must be on another server'
  const lease = form.get('hub.lease_seconds')
  if (lease !== null && !/^\d{1,15}$/.test(lease)) return 'hub.lease_seconds must be a number'
  const secret = form.get('hub.secret') ?? ''
  if (Buffer.byteLength(secret) > MAX_SECRET_BYTES || secret.includes('\0'))
    return 'hub.secret must have up to 199 bytes'
  return {
    ...{ mode, address, topic, origin, callback },
    secret: secret === '' ? null : secret,
    leaseSeconds: leaseOf(lease),
  }
}

function callbackIn(text: string): URL | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  if (url.username !== '' || url.password !== '' || url.href.length > MAX_CALLBACK_CHARACTERS)
    return undefined
  url.hash = ''
  return url
}

function leaseOf(lease: string | null): number {
  if (lease === null) return MAX_LEASE_SECONDS
  return Math.min(Math.max(Number(lease), MIN_LEASE_SECONDS), MAX_LEASE_SECONDS)
}
