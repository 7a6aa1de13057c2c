import { type Static, Type } from 'typebox'
import { ContentType, Filename } from './attachments.ts'
import { ComponentRow } from './components.ts'
import { Embed } from './embeds.ts'
import { limits, MAX_COMPONENT_ROWS, MAX_EMBEDS, MAX_MESSAGE_FILES } from './limits.ts'
import { Nullable, Timestamp, Uuid } from './schema.ts'

/** Maximum number of messages in one page of the feed. */
export const MAX_FEED_MESSAGES = 50
/** Maximum size of one page in bytes. Only a page with a single message may be larger. */
export const FEED_PAGE_BYTES = 192 * 1024
/** Maximum size of any page in bytes: one message with all its embeds, as JSON. */
export const MAX_FEED_BYTES = 256 * 1024

/** A position in a room's log of changes. Positions increase, with gaps. */
const LogNumber = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description })

const Name = () => Type.String({ maxLength: 2 * limits.nameMax })
const Url = (description: string) =>
  Type.String({ maxLength: limits.urlMax, pattern: '^https?://[^\\s\\u0000-\\u001f\\u007f]+$', description })

/** A file of a message, as the server has it now. */
export const FeedFile = Type.Object(
  {
    id: Uuid(),
    filename: Filename(),
    size: Type.Integer({ minimum: 0, description: 'bytes' }),
    content_type: ContentType(),
    description: Nullable(Type.String({ maxLength: limits.descriptionMax })),
    url: Url('address of the file, on the same origin as the feed'),
  },
  { title: 'FeedFile' },
)
export type FeedFile = Static<typeof FeedFile>

const change = {
  number: LogNumber('position of the latest change'),
  id: Uuid(),
}

/** A message that can be read without an account. It names no author, and mentions are plain text. */
export const ShownFeedMessage = Type.Object({
  ...change,
  state: Type.Literal('there'),
  seq: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'position in the room' }),
  content: Type.String({ maxLength: limits.messageMax, description: 'Markdown' }),
  flags: Type.Integer({ minimum: 0 }),
  embeds: Type.Array(Embed, { maxItems: MAX_EMBEDS, description: 'those of type rich' }),
  components: Type.Array(ComponentRow, {
    maxItems: MAX_COMPONENT_ROWS,
    description: 'buttons with addresses',
  }),
  files: Type.Array(FeedFile, { maxItems: MAX_MESSAGE_FILES }),
  sent_at: Timestamp(),
  edited_at: Nullable(Timestamp()),
  url: Url('address of the message on its page'),
})
export type ShownFeedMessage = Static<typeof ShownFeedMessage>

/** A message that cannot be read, for any reason. If it becomes readable again, it gets a higher number. */
export const GoneFeedMessage = Type.Object({ ...change, state: Type.Literal('gone'), seq: Type.Null() })
export type GoneFeedMessage = Static<typeof GoneFeedMessage>

/** The latest state of a message that was written, changed or deleted. */
export const FeedMessage = Type.Union([ShownFeedMessage, GoneFeedMessage])
export type FeedMessage = Static<typeof FeedMessage>

const feed = {
  version: Type.Literal(1),
  server: Type.String({ maxLength: limits.urlMax, description: 'the server: its origin' }),
  url: Url('the address of this document'),
  hub: Url('where changes are subscribed to, by WebSub'),
  space: Type.Object({ id: Uuid(), name: Name(), icon: Nullable(Url('address of a picture')) }),
  room: Type.Object({ id: Uuid(), name: Name() }),
  last_seq: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'seq of the newest message: a new follower starts after it',
  }),
  head: LogNumber('position of the latest change of all messages'),
}

/**
 * The state of an announcement room for other servers. With `?after=<number>` it lists the messages that changed after that
 * position, sorted by number, each once. A page may have fewer than 50: a follower is up to date once it has seen `head`.
 */
export const AnnouncementFeed = Type.Object(
  { ...feed, messages: Type.Optional(Type.Array(FeedMessage, { maxItems: MAX_FEED_MESSAGES })) },
  { title: 'AnnouncementFeed' },
)
export type AnnouncementFeed = Static<typeof AnnouncementFeed>

/** The feed of another server. Its messages are validated one by one, so that a malformed one does not block the others. */
export const ReceivedFeed = Type.Object({
  ...feed,
  messages: Type.Optional(Type.Array(Type.Unknown(), { maxItems: MAX_FEED_MESSAGES })),
})
export type ReceivedFeed = Static<typeof ReceivedFeed>

/** Position and message id of a change. They let a follower continue after a message whose other fields are malformed. */
export const FeedPosition = Type.Object(change)
export type FeedPosition = Static<typeof FeedPosition>
