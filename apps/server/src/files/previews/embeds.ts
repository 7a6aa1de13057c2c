import { type Embed, type EmbedMedia, EmbedType } from '@foyer/protocol/embeds'
import type { PageHead } from './page-parser.ts'
import { cleanText, colorOf, httpUrl, pixelsOf } from './values.ts'

const MAX_TITLE = 256
const MAX_DESCRIPTION = 350
const MAX_NAME = 100

/** Data of a page's oEmbed. */
export interface Oembed {
  title?: string | undefined
  author_name?: string | undefined
  author_url?: string | undefined
  provider_name?: string | undefined
  /** The photo, or a thumbnail. */
  picture?: string | undefined
}

/** The target of a link. */
export interface Target {
  /** The link as written in the message. It identifies its embed. */
  link: string
  /** The address after redirects. */
  url: URL
}

export function emptyEmbed(type: string, link: string): Embed {
  return {
    type,
    url: link,
    title: null,
    description: null,
    color: null,
    timestamp: null,
    site_name: null,
    author: null,
    image: null,
    video: null,
    thumbnail: null,
    fields: [],
    footer: null,
  }
}

/** Returns media of a third party. Pictures are copied before anyone sees them. */
export function mediaAt(url: string, contentType: string | null = null): EmbedMedia {
  return { url, content_type: contentType, width: null, height: null, attachment_id: null }
}

/** Makes an embed from a page's metadata: Open Graph first, then Twitter cards, then HTML. Undefined if it has none. */
export function embedOfPage({ link, url }: Target, head: PageHead, oembed: Oembed): Embed | undefined {
  const first = (...names: string[]) => names.map((name) => head.meta.get(name)).find((text) => text?.trim())
  const title = cleanText(first('og:title', 'twitter:title') ?? oembed.title ?? head.title, MAX_TITLE)
  const description = cleanText(
    first('og:description', 'twitter:description', 'description'),
    MAX_DESCRIPTION,
  )
  const picture = pictureOf(first, url, oembed)
  const video = videoOf(first, url)
  if (title === null && description === null && picture === null && video === null) return undefined
  const isLarge = head.meta.get('twitter:card')?.trim() === 'summary_large_image'
  const isImage = video === null && isLarge
  return {
    ...emptyEmbed(video === null ? EmbedType.Link : EmbedType.Video, link),
    title,
    description,
    color: colorOf(head.meta.get('theme-color')),
    site_name: cleanText(first('og:site_name', 'application-name') ?? oembed.provider_name, MAX_NAME),
    author: authorOf(oembed, url),
    image: isImage ? picture : null,
    thumbnail: isImage ? null : picture,
    video,
  }
}

type First = (...names: string[]) => string | undefined

function pictureOf(first: First, base: URL, oembed: Oembed): EmbedMedia | null {
  const named = first('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src')
  const url = httpUrl(named ?? oembed.picture, base)
  return url === null ? null : mediaAt(url)
}

/** Returns a video file that a player can play itself. Embedded frames do not count. */
function videoOf(first: First, base: URL): EmbedMedia | null {
  const url = httpUrl(first('og:video:secure_url', 'og:video', 'og:video:url', 'twitter:player:stream'), base)
  const type = first('og:video:type', 'twitter:player:stream:content_type')?.trim().toLowerCase()
  const isPlayable =
    url !== null &&
    (type === undefined ? /\.(?:mp4|webm)(?:\?|$)/i.test(url) : /^video\/[\w.+-]+$/.test(type))
  if (!isPlayable) return null
  const [width, height] = [pixelsOf(first('og:video:width')), pixelsOf(first('og:video:height'))]
  return { ...mediaAt(url, type ?? null), width, height }
}

function authorOf({ author_name, author_url }: Oembed, base: URL): Embed['author'] {
  const name = cleanText(author_name, MAX_NAME)
  return name === null ? null : { name, url: httpUrl(author_url, base), icon_url: null }
}
