import type { Source } from '#src/integrations/follows/queries.ts'
import { idOf } from '#src/web/web-pages/making/paths.ts'

/** The feeds of a room that can be subscribed to. */
export const feedKinds = ['announcements.json', 'feed.atom'] as const
export type FeedKind = (typeof feedKinds)[number]

export function feedUrl(origin: string, { spaceId, roomId }: Source, kind: FeedKind): string {
  return `${origin}/read/${spaceId}/${roomId}/${kind}`
}

/** A feed of this server. */
export interface Topic extends Source {
  readonly kind: FeedKind
}

/** Returns the feed with this address, which may include readable names; undefined for any other address. */
export function topicOf(origin: string, address: string): Topic | undefined {
  const url = URL.parse(address)
  if (url === null || url.origin !== origin || url.search !== '') return undefined
  const [root, read, space = '', room = '', name, ...rest] = url.pathname.split('/')
  const [spaceId, roomId, kind] = [idOf(space), idOf(room), feedKinds.find((one) => one === name)]
  if (root !== '' || read !== 'read' || rest.length > 0) return undefined
  if (spaceId === undefined || roomId === undefined || kind === undefined) return undefined
  return { spaceId, roomId, kind }
}
