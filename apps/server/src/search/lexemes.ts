import type { SearchKind } from '@foyer/protocol/search'
import { wordsOf } from '@foyer/protocol/words'

/** The searchable parts of a message. */
export interface IndexedMessage {
  tenant_id: string
  channel_id: string
  /** The room of the message's thread, under which it is found; null outside of threads. */
  parent_id: string | null
  id: string
  author_id: string
  content: string
  pinned: boolean
  mention_ids: readonly string[] | null
  /** Text of the forwarded message. */
  forwarded: string | null
  has_embeds: boolean
  has_stickers: boolean
  /** Kinds of the files, like `image`; null without files. */
  media: readonly string[] | null
}

const LINK = /\bhttps?:\/\/[^\s<>]/i

/**
 * Returns a message's lexemes. Each begins with the tenant's tag. In lexemes that are not words, a `=` follows, which no
 * word contains.
 */
export function lexemesOf(message: IndexedMessage): string[] {
  const tag = tagOf(message.tenant_id)
  const text = [message.content, message.forwarded ?? ''].join('\n')
  const kinds = [...kindsOf(message, text)]
  return [
    ...wordsOf(text).map((word) => tag + word),
    authorLexeme(tag, message.author_id),
    channelLexeme(tag, message.channel_id),
    ...(message.parent_id === null ? [] : [channelLexeme(tag, message.parent_id)]),
    ...(message.mention_ids ?? []).map((id) => mentionLexeme(tag, id)),
    ...kinds.map((kind) => kindLexeme(tag, kind)),
    ...(message.pinned ? [pinnedLexeme(tag)] : []),
  ]
}

/** Returns a short tag, to keep the index small. Tenants may share a tag, so searches also compare `tenant_id`. */
export function tagOf(tenantId: string): string {
  return idBytes(tenantId).toString('base64url', 13)
}

export function authorLexeme(tag: string, userId: string): string {
  return `${tag}=a${idBytes(userId).toString('base64url')}`
}

export function mentionLexeme(tag: string, userId: string): string {
  return `${tag}=m${idBytes(userId).toString('base64url')}`
}

/** Returns the lexeme of a channel. The random part of the id is enough, because the row has the full channel id. */
export function channelLexeme(tag: string, channelId: string): string {
  return `${tag}=c${idBytes(channelId).toString('base64url', 10)}`
}

export function kindLexeme(tag: string, kind: SearchKind): string {
  return `${tag}=h${kind}`
}

export function pinnedLexeme(tag: string): string {
  return `${tag}=p`
}

function* kindsOf(message: IndexedMessage, text: string): Iterable<SearchKind> {
  if (LINK.test(text)) yield 'link'
  if (message.has_embeds) yield 'embed'
  if (message.has_stickers) yield 'sticker'
  if (message.media === null) return
  yield 'file'
  if (message.media.includes('image')) yield 'image'
  if (message.media.includes('video')) yield 'video'
  if (message.media.includes('audio')) yield 'sound'
}

function idBytes(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}
