import { idTime } from '#src/kernel/ids.ts'

/** Maximum characters of a name in an address, encoded: a Japanese character takes nine. */
const MAX_SLUG = 90

/** Returns the readable end of an address, like `-how-to-bake`; empty for a name without letters. */
function slugOf(name: string): string {
  const words = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
  let slug = ''
  for (const letter of words) {
    const encoded = encodeURIComponent(letter)
    if (slug.length + encoded.length > MAX_SLUG) break
    slug += encoded
  }
  return slug === '' ? '' : `-${slug.replace(/-$/, '')}`
}

interface Named {
  readonly id: string
  readonly name: string
}

export function spacePath(space: Named): string {
  return `/read/${space.id}${slugOf(space.name)}`
}

/** Returns the path of a room. It omits the name of the space, to stay short. */
export function roomPath(spaceId: string, room: Named): string {
  return `/read/${spaceId}/${room.id}${slugOf(room.name)}`
}

export function threadPath(spaceId: string, roomId: string, thread: { id: string; title: string }): string {
  return `/read/${spaceId}/${roomId}/t/${thread.id}${slugOf(thread.title)}`
}

export function filePath(
  channelId: string,
  messageId: string,
  place: { spaceId: string; roomId: string; fileId: string },
) {
  const { spaceId, roomId, fileId } = place
  return `/read/${spaceId}/${roomId}/files/${channelId}/${messageId}/${fileId}`
}

/** Returns the id at the beginning of a part of an address; undefined if there is none. */
export function idOf(part: string): string | undefined {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=-|$)/.exec(part)?.[0]
}

/** The message at which or after which a page begins; a first page has none. */
export type Start =
  | { readonly kind: 'first'; readonly id?: undefined }
  | { readonly kind: 'at' | 'after'; readonly id: string }

/** Returns the query of a page. Pages have different lengths, so only a page that begins at a message is sure to contain it. */
export function startQuery({ kind, id }: Start): string {
  return kind === 'first' ? '' : `?${kind}=${id}`
}

/** Returns the address of a room's message, on a page that begins at it. */
export function messagePath(roomPath: string, messageId: string): string {
  return `${roomPath}/${monthOf(idTime(messageId))}${startQuery({ kind: 'at', id: messageId })}#m-${messageId}`
}

/** Returns a month in UTC, like `2026-11`. */
export function monthOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 7)
}

/**
 * Returns the beginning of a month and of the next one, in milliseconds since 1970; undefined if the text is not a
 * month.
 */
export function monthBounds(month: string): { start: number; end: number } | undefined {
  if (!/^(19[7-9]\d|2\d{3})-(0[1-9]|1[0-2])$/.test(month)) return undefined
  const [year = 0, number = 0] = month.split('-').map(Number)
  return { start: Date.UTC(year, number - 1), end: Date.UTC(year, number) }
}

/** Path of the WebSub hub, where feeds are subscribed to: https://www.w3.org/TR/websub/. */
export const HUB_PATH = '/read/hub'

/** Returns the Link header of a feed that can be subscribed to. */
export function feedLinks(origin: string, self: string): string {
  return `<${origin}${HUB_PATH}>; rel="hub", <${self}>; rel="self"`
}
