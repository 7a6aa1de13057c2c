import { type Static, Type } from 'typebox'
import { RoomOnWeb } from './on-web.ts'
import { Nullable } from './schema.ts'

export const WebRoom = Type.Object(
  {
    is_allowed: Type.Boolean({ description: 'whether the operators of the server allow such pages' }),
    is_open: Type.Boolean({ description: 'whether @everyone may view the room' }),
    web: Nullable(RoomOnWeb),
  },
  { title: 'WebRoom' },
)
export type WebRoom = Static<typeof WebRoom>

export const OpenWebRoomBody = Type.Object({
  backwards: Type.Optional(
    Type.Boolean({
      description:
        'true: earlier messages can be read as well, a week from now; false: only those since then; omitted: as before',
    }),
  ),
  is_indexed: Type.Optional(
    Type.Boolean({
      description: 'whether search engines may index its pages; omitted: as before, at first true',
    }),
  ),
})
export type OpenWebRoomBody = Static<typeof OpenWebRoomBody>

/** The operators' rule for pages that are read without an account. */
export const PublicPages = Type.Object({ public_pages: Type.Boolean() }, { title: 'PublicPages' })
export type PublicPages = Static<typeof PublicPages>

/**
 * A message that the room can now be read without an account, or no longer. on: new messages can be read from now on. earlier:
 * earlier ones as well, from that time on. later: earlier ones not, after all. off: nothing any longer.
 */
export type WebNotice =
  | { readonly kind: 'on'; readonly wholeFrom: string | null }
  | { readonly kind: 'earlier'; readonly wholeFrom: string }
  | { readonly kind: 'later' | 'off' }

/** The content of its message: the kind, and the time after a space. */
export function webNoticeContent(notice: WebNotice): string {
  const time = 'wholeFrom' in notice ? notice.wholeFrom : null
  return time === null ? notice.kind : `${notice.kind} ${time}`
}
