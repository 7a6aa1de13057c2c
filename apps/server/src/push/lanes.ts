import { isKnownService } from './hosts.ts'
import type { Subscription } from './subscription-queries.ts'

const LANES_OF_KIND = 3

/** Lanes of sending jobs, which run one after another within a lane. Unknown hosts have as many lanes as known ones. */
export const PUSH_LANES = 2 * LANES_OF_KIND

/** Returns the user's lane for known or for other hosts. A slow host delays only the users of the same lane. */
export function laneOf({ endpoint, user_id }: Pick<Subscription, 'endpoint' | 'user_id'>): string {
  const kind = isKnownService(new URL(endpoint).hostname) ? 'known' : 'other'
  return `pushes ${kind} ${Number.parseInt(user_id.slice(-4), 16) % LANES_OF_KIND}`
}
