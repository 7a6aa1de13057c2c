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
 * A system message about reading the room without an account. on: new messages can be read from now on. earlier: earlier
 * messages, too, from the given time on. later: earlier messages cannot be read after all. off: messages can no longer be read.
 */
export type WebNotice =
  | { readonly kind: 'on'; readonly wholeFrom: string | null }
  | { readonly kind: 'earlier'; readonly wholeFrom: string }
  | { readonly kind: 'later' | 'off' }

/** Returns the content of the system message: the kind and, if there is one, the time, separated by a space. */
export function webNoticeContent(notice: WebNotice): string {
  const time = 'wholeFrom' in notice ? notice.wholeFrom : null
  return time === null ? notice.kind : `${notice.kind} ${time}`
}
