import { isInlineSafe } from '#src/kernel/media/inline.ts'
import { type Html, html, nothing } from './html.ts'
import { filePath } from './paths.ts'
import type { ReadableFile, ReadableMessage } from './queries.ts'
import { type Names, renderText } from './text.ts'
import { timeText, type Words } from './words.ts'

/** Data shared by all messages of a page. */
export interface ArticleContext {
  readonly words: Words
  readonly names: Names
  readonly spaceId: string
  readonly roomId: string
  readonly channelId: string
  /** Ids of the readable messages to which other messages reply. */
  readonly answered: ReadonlySet<string>
  /** Ids of the messages before this one on the page. */
  readonly onPage: ReadonlySet<string>
  /** Returns the address of a message that is on another page. */
  readonly linkTo: (id: string) => string
  /** Set for a page that has the first message of a thread: its content is marked up as this topic. */
  readonly topic?: Topic | undefined
}

/** The first message of a thread, and its answer. */
export interface Topic {
  readonly openingId: string
  readonly answerId: string | undefined
}

/** Renders a message, with https://schema.org microdata for search engines. */
export function articleOf(message: ReadableMessage, context: ArticleContext): Html {
  const { words, topic } = context
  const { id, author_name: name, created_at: createdAt, edited_at: editedAt } = message
  const text = html`<div itemprop="text">${bodyOf(message, context)}</div>`
  const head = html`<h2>${authorOf(name ?? words.someone)} <a href="#m-${id}"><time itemprop="datePublished" datetime="${createdAt}">${timeText(words, Date.parse(createdAt))}</time></a>${editedAt === null ? nothing : html` <small>(${words.edited})</small>`}${id === topic?.answerId ? html` <strong>✓ ${words.solution}</strong>` : nothing}</h2>`
  return html`<article id="m-${id}"${scopeOf(id, topic)}>${head}${text}</article>\n`
}

/**
 * Returns the microdata of a message. The opening message has none: its properties belong to the item of the whole page.
 * Every other message is an item of its own.
 */
function scopeOf(id: string, topic: Topic | undefined): Html {
  if (topic === undefined) return html` itemscope itemtype="https://schema.org/Comment"`
  if (id === topic.openingId) return nothing
  if (topic.answerId === undefined)
    return html` itemprop="comment" itemscope itemtype="https://schema.org/Comment"`
  const property = id === topic.answerId ? 'acceptedAnswer' : 'suggestedAnswer'
  return html` itemprop="${property}" itemscope itemtype="https://schema.org/Answer"`
}

function authorOf(name: string): Html {
  return html`<span itemprop="author" itemscope itemtype="https://schema.org/Person"><span itemprop="name">${name}</span></span>`
}

function bodyOf(message: ReadableMessage, context: ArticleContext): Html {
  const answer = answerOf(message.answered_id, context)
  const note = noteOf(message, context.words)
  const files = message.is_forward
    ? nothing
    : html`${message.files.map((file) => fileOf(message, file, context))}`
  return html`${answer}${renderText(message.content, context.names)}${note}${files}`
}

function answerOf(id: string | null, { words, answered, onPage, linkTo }: ArticleContext): Html {
  if (id === null || !answered.has(id)) return nothing
  const link = onPage.has(id) ? html`<a href="#m-${id}">` : html`<a href="${linkTo(id)}" rel="nofollow">`
  return html`<p><small>${link}${words.answer}</a></small></p>`
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
