import type { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import type { RemoteAddress } from './addresses.ts'
import { fetchFeed, type RemoteFeed } from './feed.ts'
import type { Change } from './feed-changes.ts'

/** Pages read together, so that messages keep their order: a message edited in the meantime appears on a later page. */
const PAGES = 10

export interface Batch {
  /** The feed without its changes, as of the first page. */
  feed: Omit<RemoteFeed, 'changes'>
  /** In the order of their numbers, each message once. */
  changes: Change[]
  /** All changes up to this number were read. */
  readTo: number
  isLast: boolean
}

/**
 * Reads up to 500 changes after a given change number.
 * @param options no further page is begun after `until`, by `performance.now()`
 * @throws FeedError, or the signal's reason
 */
export async function readBatch(
  outgoing: Outgoing,
  room: RemoteAddress,
  { after, until, signal }: { after: number; until: number; signal: AbortSignal },
): Promise<Batch> {
  const { changes: first, ...feed } = await fetchFeed(outgoing, room, { after, signal })
  const latest = new Map<string, Change>()
  let [readTo, page, head] = [after, first, feed.head]
  for (let count = 1; ; count += 1) {
    for (const change of page) latest.set(change.id, change)
    const last = page.at(-1)?.number ?? after
    const isStuck = last <= readTo
    readTo = Math.max(readTo, last)
    const isLast = isStuck || readTo >= head
    if (isLast || count === PAGES || performance.now() > until)
      return { feed, changes: ordered(latest.values()), readTo, isLast }
    const next = await fetchFeed(outgoing, room, { after: readTo, signal })
    page = next.changes
    head = next.head
  }
}

function ordered(changes: Iterable<Change>): Change[] {
  return [...changes].toSorted((one, other) => one.number - other.number)
}
