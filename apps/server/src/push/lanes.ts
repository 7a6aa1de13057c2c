import { isKnownService } from './hosts.ts'
import type { Subscription } from './subscription-queries.ts'

const LANES_OF_KIND = 3

/** Sending jobs run one after another within a lane. Unknown hosts have as many lanes as known ones. */
export const PUSH_LANES = 2 * LANES_OF_KIND

/** Assigns a user's pushes to two lanes, independent of their hosts: slow hosts delay few other users. */
export function laneOf({ endpoint, user_id }: Pick<Subscription, 'endpoint' | 'user_id'>): string {
  const kind = isKnownService(new URL(endpoint).hostname) ? 'known' : 'other'
  return `pushes ${kind} ${Number.parseInt(user_id.slice(-4), 16) % LANES_OF_KIND}`
}
