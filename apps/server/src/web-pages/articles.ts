import { isInlineSafe } from '#src/kernel/media/inline.ts'
import { type Html, html, nothing } from './html.ts'
import { filePath } from './paths.ts'
import type { ReadableFile, ReadableMessage } from './queries.ts'
import { type Names, renderText } from './text.ts'
import { timeText, type Words } from './words.ts'

/** Everything that the messages of a page have in common. */
export interface ArticleContext {
  readonly words: Words
  readonly names: Names
  readonly spaceId: string
  readonly roomId: string
  readonly channelId: string
  /** The messages that others answer and that may be read. */
  readonly answered: ReadonlySet<string>
  /** The first of a thread is its post, and the others are comments on it. */
  readonly openingId?: string | undefined
}

/** Renders a message, with its meaning as microdata: https://schema.org/Comment. */
export function articleOf(message: ReadableMessage, context: ArticleContext): Html {
  const { words, openingId } = context
  const { id, author_name: name, created_at: createdAt, edited_at: editedAt } = message
  const isComment = openingId !== undefined && id !== openingId
  const text = html`<div itemprop="text">${bodyOf(message, context)}</div>`
  const head = html`<h3>${authorOf(name ?? words.someone)} <a href="#m-${id}"><time itemprop="datePublished" datetime="${createdAt}">${timeText(words, Date.parse(createdAt))}</time></a>${editedAt === null ? nothing : html` <small>(${words.edited})</small>`}</h3>`
  if (openingId === undefined || !isComment) return html`<article id="m-${id}">${head}${text}</article>\n`
  return html`<article id="m-${id}" itemprop="comment" itemscope itemtype="https://schema.org/Comment">${head}${text}</article>\n`
}

function authorOf(name: string): Html {
  return html`<span itemprop="author" itemscope itemtype="https://schema.org/Person"><span itemprop="name">${name}</span></span>`
}

function bodyOf(message: ReadableMessage, context: ArticleContext): Html {
  const { words, names, answered } = context
  const answer =
    message.answered_id !== null && answered.has(message.answered_id)
      ? html`<p><small><a href="#m-${message.answered_id}">${words.answer}</a></small></p>`
      : nothing
  const note = noteOf(message, words)
  const files = message.is_forward
    ? nothing
    : html`${message.files.map((file) => fileOf(message, file, context))}`
  return html`${answer}${renderText(message.content, names)}${note}${files}`
}

function noteOf({ is_forward: isForward, stickers }: ReadableMessage, words: Words): Html {
  if (isForward) return html`<p><small>${words.forwarded}</small></p>`
  return stickers > 0 ? html`<p><small>${words.sticker}</small></p>` : nothing
}

function fileOf({ id: messageId }: ReadableMessage, file: ReadableFile, context: ArticleContext): Html {
  const { spaceId, roomId, channelId } = context
  const path = filePath(channelId, messageId, { spaceId, roomId, fileId: file.id })
  const { filename, width, height, content_type: type } = file
  if (width === null || height === null || !type.startsWith('image/') || !isInlineSafe(type))
    return html`<p><a href="${path}" rel="nofollow">${filename}</a></p>`
  return html`<p><img src="${path}" alt="${filename}" width="${width}" height="${height}" loading="lazy"></p>`
}
