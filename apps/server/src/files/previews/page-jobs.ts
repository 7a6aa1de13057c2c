import { type Embed, EmbedType } from '@foyer/protocol/embeds'
import { limits } from '@foyer/protocol/limits'
import { type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'

/** A downloaded page for the child process to parse. */
export interface PageJob {
  /** The link as written in the message. */
  link: string
  /** The address after redirects. */
  url: string
  /** The headers `Content-Type` and `Content-Encoding`. */
  contentType: string
  encoding: string
  bytes: Uint8Array
  /** Answer of the page's oEmbed endpoint. */
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

/** Schema of a page's embed. It allows less than bots' embeds, in case a child is compromised. */
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

/** Result of parsing a page. */
export interface PageFinding {
  /** Null for a page without metadata. */
  embed: Embed | null
  /** Address of the page's oEmbed data in JSON; null if it has none. */
  oembed: string | null
  /** True if the rest of the page would add nothing. */
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
