import { ContentType, Filename } from '@foyer/protocol/attachments'
import { AutomodTrigger, automodActions, automodModes } from '@foyer/protocol/automod'
import { CreateEmbed } from '@foyer/protocol/embeds'
import { forumLayouts, forumSorts } from '@foyer/protocol/forums'
import {
  limits,
  MAX_AUDIT_LOG_DAYS,
  MAX_AUTOMOD_EXEMPTIONS,
  MAX_AUTOMOD_RULES,
  MAX_AUTOMOD_SENTENCE_CHARACTERS,
  MAX_EMBEDS,
  MAX_EMOJIS,
  MAX_FORUM_GUIDELINES,
  MAX_FORUM_TAGS,
  MAX_FORUM_TEMPLATE,
  MAX_MESSAGE_FILES,
  MAX_MESSAGE_STICKERS,
  MAX_POST_TAGS,
  MAX_REACTIONS,
  MAX_RETENTION_DAYS,
  MAX_ROLES,
  MAX_ROOMS,
  MAX_SENSOR_JOINS,
  MAX_SLOW_MODE_SECONDS,
  MAX_STICKERS,
  MAX_TAG_CHARACTERS,
  MAX_THREAD_TITLE_CHARACTERS,
  MAX_TIMEOUT_DAYS,
  MIN_SENSOR_JOINS,
} from '@foyer/protocol/limits'
import { Int32, Nullable, Text, Timestamp, Uuid } from '@foyer/protocol/schema'
import { SpaceImageName } from '@foyer/protocol/space-images'
import { quietMinutes } from '@foyer/protocol/thread-rooms'
import { type Static, Type } from 'typebox'

/**
 * The format of an exported space, which docs/SPACE-FORMAT.md describes. Its version increases with any change after
 * which an older server would misread an archive.
 */
export const FORMAT = 'foyer-space'
export const FORMAT_VERSION = 4
/** Version given to archives without forums: the last one before forums existed, so that older servers accept them, too. */
export const VERSION_WITHOUT_FORUMS = 3
/** Version given to archives without threads: the last one before threads existed, so that older servers accept them, too. */
export const VERSION_WITHOUT_THREADS = 1

export const MANIFEST_NAME = 'manifest.json'
export const SPACE_NAME = 'space.json'

/** Maximum characters of a message. Above `messageMax`, because mentions become names, which may be longer. */
export const MAX_ARCHIVED_CONTENT = 2 * limits.messageMax
/** Maximum lines of a file of messages or threads. */
export const LINES_PER_FILE = 1000
/** Maximum bytes of a line: enough for a text, ten embeds and the names of files. */
export const MAX_LINE_BYTES = 512 * 1024
/** Maximum JSON values per line: twice those of the largest possible message, which has ten embeds of 25 fields. */
export const MAX_LINE_VALUES = 4000
/** Maximum bytes of space.json: enough for all words of automod in any script, and for all rooms and overwrites. */
export const MAX_SPACE_BYTES = 16 * 1024 * 1024
export const MAX_SPACE_VALUES = 600_000
export const MAX_ENTRIES = 200_000

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** Matches the names of all entries but the manifest. Other names are refused. */
export const ENTRY_NAME = new RegExp(
  `^(?:space\\.json|pictures/(?:icon|banner)|(?:emojis|stickers|files)/${ID}|(?:threads|thread-messages)/[0-9]{6}\\.ndjson|messages/${ID}/[0-9]{6}\\.ndjson)$`,
)

export const messagesName = (roomId: string, number: number) =>
  `messages/${roomId}/${String(number).padStart(6, '0')}.ndjson`
export const threadsName = (number: number) => `threads/${String(number).padStart(6, '0')}.ndjson`
/** Threads share files, because an archive may have more threads than entries (MAX_ENTRIES). */
export const threadMessagesName = (number: number) =>
  `thread-messages/${String(number).padStart(6, '0')}.ndjson`
export const fileName = (id: string) => `files/${id}`

const EntryName = () => Type.String({ maxLength: 100 })
const days = (maximum: number) => Nullable(Type.Integer({ minimum: 1, maximum }))
const oneOf = <Name extends string>(names: readonly Name[]) =>
  Type.Unsafe<Name>({ type: 'string', enum: names })
/** A bitfield. Unknown bits are refused separately. */
const Flags = () => Int32()
const Count = () => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

/** A role. The first of an archive is @everyone; the others follow from the lowest to the highest. */
export const ArchivedRole = Type.Object({
  id: Uuid(),
  name: Text(1, limits.nameMax),
  permissions: Flags(),
  capabilities: Flags(),
  color_from: Nullable(Int32()),
  color_via: Nullable(Int32()),
  color_to: Nullable(Int32()),
  hoisted: Type.Boolean(),
})
export type ArchivedRole = Static<typeof ArchivedRole>

/** An overwrite for a role. An archive has no members, and so no overwrites for them. */
export const ArchivedOverwrite = Type.Object({
  role_id: Uuid(),
  allow_flags: Flags(),
  deny_flags: Flags(),
  allow_capabilities: Flags(),
  deny_capabilities: Flags(),
})
export type ArchivedOverwrite = Static<typeof ArchivedOverwrite>

/** The settings of a forum, which is a room of type 5. */
const ArchivedForum = Type.Object({
  guidelines: Nullable(Text(1, MAX_FORUM_GUIDELINES)),
  template: Nullable(Text(1, MAX_FORUM_TEMPLATE)),
  tags: Type.Array(
    Type.Object({
      id: Uuid(),
      name: Text(1, MAX_TAG_CHARACTERS),
      color: Nullable(Type.Integer({ minimum: 0, maximum: 0xffffff })),
      is_moderated: Type.Boolean(),
    }),
    { maxItems: MAX_FORUM_TAGS },
  ),
  requires_tag: Type.Boolean(),
  sort: oneOf(forumSorts),
  layout: oneOf(forumLayouts),
})

/** A room. An archive lists rooms in display order. */
export const ArchivedRoom = Type.Object({
  id: Uuid(),
  name: Text(1, limits.nameMax),
  type: Type.Integer({ enum: [1, 2, 3, 5] }),
  parent_id: Nullable(Uuid()),
  description: Nullable(Text(0, limits.descriptionMax)),
  slow_mode_seconds: Type.Integer({ minimum: 0, maximum: MAX_SLOW_MODE_SECONDS }),
  retention_days: days(MAX_RETENTION_DAYS),
  replies: Type.Optional(oneOf(['threads'])),
  announces: Type.Optional(Type.Boolean()),
  forum: Type.Optional(ArchivedForum),
  overwrites: Type.Array(ArchivedOverwrite, { maxItems: MAX_ROLES }),
})
export type ArchivedRoom = Static<typeof ArchivedRoom>

export const ArchivedRule = Type.Object({
  name: Text(1, limits.nameMax),
  mode: oneOf(automodModes),
  trigger: AutomodTrigger,
  action: oneOf(automodActions),
  message: Nullable(Text(1, MAX_AUTOMOD_SENTENCE_CHARACTERS)),
  alert_room_id: Nullable(Uuid()),
  timeout_minutes: Nullable(Type.Integer({ minimum: 1, maximum: MAX_TIMEOUT_DAYS * 1440 })),
  exempt_role_ids: Type.Array(Uuid(), { maxItems: MAX_AUTOMOD_EXEMPTIONS }),
  exempt_room_ids: Type.Array(Uuid(), { maxItems: MAX_AUTOMOD_EXEMPTIONS }),
})
export type ArchivedRule = Static<typeof ArchivedRule>

/** An emoji or a sticker. */
export const ArchivedImage = Type.Object({ id: Uuid(), name: SpaceImageName() })
export type ArchivedImage = Static<typeof ArchivedImage>

export const ArchivedSpace = Type.Object({
  name: Text(1, limits.nameMax),
  description: Nullable(Text(0, limits.descriptionMax)),
  locale: Nullable(Type.String({ maxLength: limits.localeMax })),
  system_room_id: Nullable(Uuid()),
  audit_log_days: days(MAX_AUDIT_LOG_DAYS),
  retention_days: days(MAX_RETENTION_DAYS),
  raid_sensor: Type.Boolean(),
  raid_sensor_joins: Type.Integer({ minimum: MIN_SENSOR_JOINS, maximum: MAX_SENSOR_JOINS }),
  roles: Type.Array(ArchivedRole, { minItems: 1, maxItems: MAX_ROLES + 1 }),
  rooms: Type.Array(ArchivedRoom, { maxItems: MAX_ROOMS }),
  automod_rules: Type.Array(ArchivedRule, { maxItems: MAX_AUTOMOD_RULES }),
  emojis: Type.Array(ArchivedImage, { maxItems: MAX_EMOJIS }),
  stickers: Type.Array(ArchivedImage, { maxItems: MAX_STICKERS }),
})
export type ArchivedSpace = Static<typeof ArchivedSpace>

/** A file of a message. Its bytes are the entry `files/<id>`, if there is one. */
const ArchivedFile = Type.Object({
  id: Uuid(),
  filename: Filename(),
  content_type: ContentType(),
  size_bytes: Count(),
  description: Nullable(Type.String({ maxLength: limits.descriptionMax })),
})
export type ArchivedFile = Static<typeof ArchivedFile>

const ArchivedReaction = Type.Object({
  emoji: Type.String({ minLength: 1, maxLength: 64 }),
  count: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
})

/** A copy of the message that was forwarded. */
const ArchivedForward = Type.Object({
  content: Type.String({ maxLength: MAX_ARCHIVED_CONTENT }),
  created_at: Timestamp(),
  edited_at: Nullable(Timestamp()),
})

const { url, title, description, color, timestamp, fields } = CreateEmbed.properties
/** An embed of a bot or webhook, without its pictures, which are on other hosts. */
const ArchivedEmbed = Type.Object({
  ...{ url, title, description, color, timestamp, fields },
  author: Type.Optional(Type.Object({ name: Text(0, 256), url })),
  footer: Type.Optional(Type.Object({ text: Text(0, 2048) })),
})
export type ArchivedEmbed = Static<typeof ArchivedEmbed>

/** One line of a file of messages, sorted by id. Optional fields are omitted when empty. */
export const ArchivedMessage = Type.Object({
  id: Uuid(),
  author: Type.Object({ id: Uuid(), name: Text(1, limits.nameMax) }),
  content: Type.String({ maxLength: MAX_ARCHIVED_CONTENT }),
  created_at: Timestamp(),
  edited_at: Type.Optional(Timestamp()),
  pinned: Type.Optional(Type.Boolean()),
  hides_previews: Type.Optional(Type.Boolean()),
  reply_to: Type.Optional(Uuid()),
  thread_id: Type.Optional(Uuid()),
  forwarded: Type.Optional(ArchivedForward),
  attachments: Type.Optional(Type.Array(ArchivedFile, { maxItems: MAX_MESSAGE_FILES })),
  sticker_ids: Type.Optional(Type.Array(Uuid(), { maxItems: MAX_MESSAGE_STICKERS })),
  reactions: Type.Optional(Type.Array(ArchivedReaction, { maxItems: MAX_REACTIONS })),
  embeds: Type.Optional(Type.Array(ArchivedEmbed, { maxItems: MAX_EMBEDS })),
})
export type ArchivedMessage = Static<typeof ArchivedMessage>

/** One line of a file of thread messages, sorted by thread id, then by message id. */
export const ArchivedThreadMessage = Type.Object({ ...ArchivedMessage.properties, in_thread: Uuid() })
export type ArchivedThreadMessage = Static<typeof ArchivedThreadMessage>

/** One line of a file of threads, sorted by id. */
export const ArchivedThread = Type.Object({
  id: Uuid(),
  room_id: Uuid(),
  title: Text(1, MAX_THREAD_TITLE_CHARACTERS),
  quiet_minutes: Type.Integer({ enum: [...quietMinutes] }),
  created_at: Timestamp(),
  starter_message_id: Type.Optional(Uuid()),
  is_closed: Type.Optional(Type.Boolean()),
  tags: Type.Optional(Type.Array(Uuid(), { maxItems: MAX_POST_TAGS, uniqueItems: true })),
  is_pinned: Type.Optional(Type.Boolean()),
  solved_message_id: Type.Optional(Uuid()),
  opening_message_id: Type.Optional(Uuid()),
  lost_opening: Type.Optional(Type.Boolean()),
})
export type ArchivedThread = Static<typeof ArchivedThread>

export const ManifestEntry = Type.Object({
  name: EntryName(),
  size_bytes: Count(),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})
export type ManifestEntry = Static<typeof ManifestEntry>

/** Numbers of the parts in an archive. */
export const ArchiveCounts = Type.Object({
  rooms: Count(),
  threads: Type.Optional(Count()),
  roles: Count(),
  automod_rules: Count(),
  emojis: Count(),
  stickers: Count(),
  messages: Count(),
  files: Count(),
})
export type ArchiveCounts = Static<typeof ArchiveCounts>

/** Numbers of the parts that the export left out. */
export const ExportLeftOut = Type.Object({
  /** System messages about joins, pins and calls. */
  notices: Count(),
  /** Files beyond the total limits of an archive, and files that could not be read. */
  files: Count(),
  member_overwrites: Count(),
})
export type ExportLeftOut = Static<typeof ExportLeftOut>

/** Read first, because the manifest of another version may differ in all other fields. */
export const ManifestStart = Type.Object({
  format: Type.String({ maxLength: 100 }),
  version: Type.Integer({ minimum: 1 }),
})

/** The last entry, because it has the checksums of all others. */
export const Manifest = Type.Object({
  ...ManifestStart.properties,
  made_at: Timestamp(),
  server_version: Type.String({ maxLength: 100 }),
  counts: ArchiveCounts,
  left_out: ExportLeftOut,
  entries: Type.Array(ManifestEntry, { maxItems: MAX_ENTRIES }),
})
export type Manifest = Static<typeof Manifest>
