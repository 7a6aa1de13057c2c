import { type Static, Type } from 'typebox'
import { Nullable, Timestamp } from './schema.ts'

/**
 * How a user appears on pages that are read without an account. name: with name and picture. no_name: without them.
 * none: neither they nor their messages appear.
 */
export const webPresences = ['name', 'no_name', 'none'] as const
export type WebPresence = (typeof webPresences)[number]

export const WebPresenceField = () =>
  Type.Unsafe<WebPresence>({
    type: 'string',
    enum: [...webPresences],
    description: 'on pages that are read without an account',
  })

/** The messages of a room that people without an account can read. */
export const RoomOnWeb = Type.Object(
  {
    since: Timestamp('messages from then on can be read'),
    whole_from: Nullable(Timestamp('from then on all earlier messages, too; null for never')),
    is_indexed: Type.Boolean({ description: 'whether search engines may index its pages' }),
  },
  { title: 'RoomOnWeb', description: 'only while people without an account can read it' },
)
export type RoomOnWeb = Static<typeof RoomOnWeb>
