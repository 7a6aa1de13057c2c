import { type Static, Type } from 'typebox'
import { limits, MAX_EMBED_FIELDS } from './limits.ts'
import { Nullable, Text, Timestamp, Uuid } from './schema.ts'

const HttpUrl = () =>
  Type.String({
    maxLength: limits.urlMax,
    pattern: '^https?://[^\\s\\u0000-\\u001f\\u007f]+$',
    format: 'web-address',
    description: 'an http or https address',
  })

/** An optional URL. An empty text counts as omitted, because integrations send it when they have no URL. */
const OptionalUrl = () =>
  Type.Optional(
    Nullable(
      Type.String({
        maxLength: limits.urlMax,
        pattern: '^(?:https?://[^\\s\\u0000-\\u001f\\u007f]+)?$',
        format: 'web-address',
        description: 'an http or https address',
      }),
    ),
  )

/** A picture, video or sound of an embed. `attachment_id`, if present, is the server's copy. */
export const EmbedMedia = Type.Object(
  {
    url: Type.String(),
    content_type: Nullable(Type.String()),
    width: Nullable(Type.Integer()),
    height: Nullable(Type.Integer()),
    attachment_id: Nullable(Uuid()),
    proxy_url: Type.Optional(
      Type.String({
        description: 'where browsers load video and sound from: signed, for at least 24 hours',
      }),
    ),
  },
  { title: 'EmbedMedia' },
)
export type EmbedMedia = Static<typeof EmbedMedia>

/** `icon` is the server's copy of the image at `icon_url`. Old messages have no copy. */
const icon = { icon_url: Nullable(Type.String()), icon: Type.Optional(Nullable(EmbedMedia)) }
export const EmbedAuthor = Type.Object({ name: Type.String(), url: Nullable(Type.String()), ...icon })
export const EmbedFooter = Type.Object({ text: Type.String(), ...icon })
export type EmbedFooter = Static<typeof EmbedFooter>
export const EmbedField = Type.Object({ name: Type.String(), value: Type.String(), inline: Type.Boolean() })

export const EmbedType = { Link: 'link', Image: 'image', Video: 'video', Rich: 'rich' } as const

/** A preview of a link, or a card of a bot or webhook. */
export const Embed = Type.Object(
  {
    type: Type.String({ description: 'link, image, video or rich' }),
    url: Nullable(Type.String()),
    title: Nullable(Type.String()),
    description: Nullable(Type.String()),
    color: Nullable(Type.Integer({ description: 'RGB' })),
    timestamp: Nullable(Timestamp()),
    site_name: Nullable(Type.String()),
    author: Nullable(EmbedAuthor),
    image: Nullable(EmbedMedia),
    video: Nullable(EmbedMedia),
    thumbnail: Nullable(EmbedMedia),
    fields: Type.Array(EmbedField),
    footer: Nullable(EmbedFooter),
  },
  { title: 'Embed' },
)
export type Embed = Static<typeof Embed>

/** An http(s) URL, or `attachment://` with the name of one of the message's files, as integrations send it. */
const MediaUrl = () =>
  Type.String({
    maxLength: limits.urlMax,
    pattern: '^(?:(?:https?|attachment)://[^\\s\\u0000-\\u001f\\u007f]+)?$',
    format: 'web-address',
    description: 'an http or https address',
  })

const Media = () => Type.Optional(Nullable(Type.Object({ url: MediaUrl() })))

/** An ISO 8601 time, also as Python writes it: `isoformat()` omits the zone, and `str()` has a space for the T. */
const LOCAL_OR_ZONED =
  '^\\d{4}-\\d{2}-\\d{2}(?:[Tt ]\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:[Zz]|[+-]\\d{2}:\\d{2})?)?$'

/** An embed from a bot or webhook. It gets the type rich. */
export const CreateEmbed = Type.Object({
  url: OptionalUrl(),
  title: Type.Optional(Nullable(Text(0, 256))),
  description: Type.Optional(Nullable(Text(0, 4096))),
  color: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 0xffffff }))),
  timestamp: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 64,
        pattern: LOCAL_OR_ZONED,
        description: 'a valid date-time; without a zone it is UTC',
      }),
    ),
  ),
  author: Type.Optional(
    Nullable(
      Type.Object({
        name: Text(0, 256),
        url: OptionalUrl(),
        icon_url: OptionalUrl(),
      }),
    ),
  ),
  image: Media(),
  thumbnail: Media(),
  video: Media(),
  fields: Type.Optional(
    Nullable(
      Type.Array(
        Type.Object({ name: Text(1, 256), value: Text(1, 1024), inline: Type.Optional(Type.Boolean()) }),
        { maxItems: MAX_EMBED_FIELDS },
      ),
    ),
  ),
  footer: Type.Optional(Nullable(Type.Object({ text: Text(0, 2048), icon_url: OptionalUrl() }))),
})
export type CreateEmbed = Static<typeof CreateEmbed>

/** The address of a video or sound, with a signature unless the user is signed in. */
export const VideoProxyQuery = Type.Object({
  url: HttpUrl(),
  sig: Type.Optional(Type.String()),
  exp: Type.Optional(Type.String()),
})
export type VideoProxyQuery = Static<typeof VideoProxyQuery>
