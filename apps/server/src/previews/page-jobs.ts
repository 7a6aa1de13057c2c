import { type Embed, EmbedType } from '@foyer/protocol/embeds'
import { limits } from '@foyer/protocol/limits'
import { type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'

/** What came of a page, for a child to read. */
export interface PageJob {
  /** As it stands in the message. */
  link: string
  /** After redirects. */
  url: string
  /** The headers `Content-Type` and `Content-Encoding`. */
  contentType: string
  encoding: string
  bytes: Uint8Array
  /** What the page's oEmbed answered. */
  oembed: Uint8Array | null
}

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Address = () =>
  Type.String({ maxLength: limits.urlMax, pattern: '^https?://[^\\s\\u0000-\\u001f\\u007f]+$' })
const Line = () => orNull(Type.String({ maxLength: 1024 }))

const PageMedia = Type.Object({
  url: Address(),
  content_type: Line(),
  width: orNull(Type.Integer()),
  height: orNull(Type.Integer()),
  attachment_id: Type.Null(),
})

/** The embed of a page, which has less than those of bots: a child that was taken over can make no others. */
const PageEmbed = Type.Object({
  type: Type.Enum([EmbedType.Link, EmbedType.Video]),
  url: Type.String(),
  title: Line(),
  description: Line(),
  color: orNull(Type.Integer({ minimum: 0, maximum: 0xffffff })),
  timestamp: Type.Null(),
  site_name: Line(),
  author: orNull(
    Type.Object({ name: Type.String({ maxLength: 1024 }), url: orNull(Address()), icon_url: Type.Null() }),
  ),
  image: orNull(PageMedia),
  video: orNull(PageMedia),
  thumbnail: orNull(PageMedia),
  fields: Type.Array(Type.Never(), { maxItems: 0 }),
  footer: Type.Null(),
})

/** What a child reads in a page. */
export interface PageFinding {
  /** Null for a page that says nothing. */
  embed: Embed | null
  /** Where its oEmbed is, as JSON. */
  oembed: string | null
  /** Whether more of the page would add nothing. */
  isWhole: boolean
}

const Finding = Type.Object({
  embed: orNull(PageEmbed),
  oembed: orNull(Address()),
  isWhole: Type.Boolean(),
})

export function isPageFinding(value: unknown): value is PageFinding {
  return Check(Finding, value)
}
