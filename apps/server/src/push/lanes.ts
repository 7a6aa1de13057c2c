import { isKnownService } from './hosts.ts'
import type { Subscription } from './subscription-queries.ts'

const LANES_OF_KIND = 3

/** Jobs of sending run one after the other in each lane; as many may wait for strangers. */
export const PUSH_LANES = 2 * LANES_OF_KIND

/** A user's pushes go by two lanes, whatever hosts they name: who subscribes with slow ones delays few others. */
export function laneOf({ endpoint, user_id }: Pick<Subscription, 'endpoint' | 'user_id'>): string {
  const kind = isKnownService(new URL(endpoint).hostname) ? 'known' : 'other'
  return `pushes ${kind} ${Number.parseInt(user_id.slice(-4), 16) % LANES_OF_KIND}`
}
