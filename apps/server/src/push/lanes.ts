import { isKnownService } from './hosts.ts'
import type { Subscription } from './subscription-queries.ts'

const LANES_OF_KIND = 3

/** Lanes for sending jobs. Jobs of one lane run one after another. Unknown hosts have as many lanes as known ones. */
export const PUSH_LANES = 2 * LANES_OF_KIND

/** Returns a subscription's lane, by user and by kind of host. A slow host delays only the users of the same lane. */
export function laneOf({ endpoint, user_id }: Pick<Subscription, 'endpoint' | 'user_id'>): string {
  const kind = isKnownService(new URL(endpoint).hostname) ? 'known' : 'other'
  return `pushes ${kind} ${Number.parseInt(user_id.slice(-4), 16) % LANES_OF_KIND}`
}
