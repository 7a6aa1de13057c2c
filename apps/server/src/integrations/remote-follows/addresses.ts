import { ApiError } from '#src/kernel/errors.ts'
import { idOf } from '#src/web/web-pages/making/paths.ts'

/** A room of another server, by the address of its page. */
export interface RemoteAddress {
  origin: string
  spaceId: string
  roomId: string
}

/** Matches the path of a room: its public page, a page below it, or the room in the web client. */
const PAGE = /^\/(?:read|spaces)\/(?<space>[^/]+)\/(?:rooms\/)?(?<room>[^/]+)/

/** @throws ApiError 400 for anything but the address of a room */
export function remoteAddressOf(text: string): RemoteAddress {
  const url = URL.parse(text.trim())
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:'
  const parts = PAGE.exec(url?.pathname.toLowerCase() ?? '')?.groups
  const [spaceId, roomId] = [idOf(parts?.space ?? ''), idOf(parts?.room ?? '')]
  if (!isHttp || url.username !== '' || url.password !== '') throw new ApiError('invalid_source_url')
  if (spaceId === undefined || roomId === undefined) throw new ApiError('invalid_source_url')
  return { origin: url.origin, spaceId, roomId }
}

export function feedUrlOf(room: RemoteAddress): string {
  return `${pageUrlOf(room)}/announcements.json`
}

export function pageUrlOf({ origin, spaceId, roomId }: RemoteAddress): string {
  return `${origin}/read/${spaceId}/${roomId}`
}

/** Returns true if the address has this origin, and no user name, which could look like the host. */
export function isOfOrigin(address: string, origin: string): boolean {
  const url = URL.parse(address)
  return url?.origin === origin && url.username === '' && url.password === ''
}
