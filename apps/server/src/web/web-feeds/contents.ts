import { createHmac } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { makeFeed } from '#src/web/web-pages/making/feeds.ts'
import { feedLinks } from '#src/web/web-pages/making/paths.ts'
import { findReadableRoom } from '#src/web/web-pages/readable.ts'
import { feedUrl } from './addresses.ts'
import { type FeedDeps, JSON_TYPE, makeDocument } from './documents.ts'
import type { DueRow } from './subscriptions.ts'

/** The content of a feed as it is pushed to subscribers. */
export interface FeedContent {
  readonly type: string
  readonly links: string
  readonly body: Buffer
}

/** Maximum feeds cached for pushes, and the time for which a cached feed is used. */
const MAX_KEPT = 20
const KEPT_MS = 5000

/** Makes the content of a push once for all subscribers of a feed. */
export class FeedContents {
  readonly #deps: Omit<FeedDeps, 'origin'>
  readonly #kept = new LRUCache<string, Promise<FeedContent | undefined>>({ max: MAX_KEPT, ttl: KEPT_MS })

  constructor(deps: Omit<FeedDeps, 'origin'>) {
    this.#deps = deps
  }

  /** @returns undefined if the room cannot be read now */
  async of(due: DueRow): Promise<FeedContent | undefined> {
    const room = await findReadableRoom(this.#deps, due.space_id, due.room_id)
    if (room?.room.announces !== true) return undefined
    const key = `${due.origin} ${due.room_id} ${due.kind} ${due.head}`
    const content = this.#kept.get(key) ?? this.#make(due, room)
    this.#kept.set(key, content)
    return content.catch((error: unknown) => {
      this.#kept.delete(key)
      throw error
    })
  }

  async #make(
    { origin, kind, space_id: spaceId, room_id: roomId }: DueRow,
    room: Parameters<typeof makeFeed>[1],
  ): Promise<FeedContent | undefined> {
    const deps = { ...this.#deps, origin }
    if (kind === 'feed.atom') {
      const { type, text, path } = await makeFeed(deps, room)
      return { type, links: feedLinks(origin, `${origin}${path}`), body: Buffer.from(text) }
    }
    const document = await makeDocument(deps, room)
    const links = feedLinks(origin, feedUrl(origin, { spaceId, roomId }, kind))
    return document && { type: JSON_TYPE, links, body: Buffer.from(JSON.stringify(document)) }
  }
}

/** Returns the headers of a push: https://www.w3.org/TR/websub/#signing-content. */
export function pushHeaders(
  { type, links, body }: FeedContent,
  secret: string | null,
): Record<string, string> {
  const headers = { 'content-type': type, link: links }
  if (secret === null) return headers
  return {
    ...headers,
    'x-hub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }
}
