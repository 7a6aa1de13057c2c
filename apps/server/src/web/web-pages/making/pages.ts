import type { Thread } from '@foyer/protocol/thread-rooms'
import { firstIdAt, idTime } from '#src/kernel/ids.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { type ArticleContext, articleOf, type Topic } from './articles.ts'
import { type Html, html } from './html.ts'
import { layOut } from './layout.ts'
import { endOf, HTML_TYPE, leadTo, type MadePage } from './made-page.ts'
import { namesFor } from './names.ts'
import { monthBounds, monthOf, roomPath, type Start, spacePath, startQuery, threadPath } from './paths.ts'
import {
  type FoundStretch,
  listReadable,
  listReadableIds,
  type ReadableMessage,
  type Stretch,
} from './queries.ts'
import type { ReadableRoom, ReadableThread } from './readable-room.ts'
import { summaryOf } from './text.ts'
import { monthText, wordsFor } from './words.ts'

export interface MakingDeps {
  readonly database: Queryable
  /** Public origin of this server, like `https://chat.example.org`. */
  readonly origin: string
}

/** Maximum messages examined for a page, readable or not: about as many short messages as fit. */
const LOOKED = 50
/** Maximum bytes of HTML of a page's messages. A message that alone has more gets a page of its own. */
const MAX_BYTES = 22_000
export const DESCRIPTION_CHARACTERS = 160

/** Makes a page of a room's month. Undefined if the text is not a month. */
export async function makeMonthPage(
  deps: MakingDeps,
  readable: ReadableRoom,
  month: string,
  start: Start,
): Promise<MadePage | undefined> {
  const bounds = monthBounds(month)
  if (bounds === undefined) return undefined
  const { space, room, from } = readable
  const first = firstIdAt(Math.max(bounds.start, from))
  const stretch = { first: laterOf(first, start.id), end: firstIdAt(bounds.end), limit: LOOKED }
  const linkTo = (id: string) => `${monthOf(idTime(id))}${startQuery({ kind: 'at', id })}#m-${id}`
  const page = await readPage(deps, readable, { channelId: room.id, stretch, start, linkTo })
  const path = `${roomPath(space.id, room)}/${month}`
  if (page === undefined) return leadTo(path)
  const title = `#${room.name}, ${monthText(wordsFor(space.locale), bounds.start)} · ${space.name}`
  const content = html`<h1>${title}</h1>\n${page.content}`
  return finish(deps, readable, { page, path, start, title, content })
}

/** Makes a page of a thread. */
export async function makeThreadPage(
  deps: MakingDeps,
  readable: ReadableThread,
  start: Start,
): Promise<MadePage> {
  const { space, room, thread, from } = readable
  const stretch = { first: laterOf(firstIdAt(from), start.id), end: null, limit: LOOKED }
  const linkTo = (id: string) => `${startQuery({ kind: 'at', id })}#m-${id}`
  const page = await readPage(deps, readable, { channelId: thread.id, stretch, start, thread, linkTo })
  const path = threadPath(space.id, room.id, thread)
  if (page === undefined) return leadTo(path)
  const content = threadContent(page, thread, `${deps.origin}${path}`)
  const made = finish(deps, readable, { page, path, start, title: thread.title, content, isArticle: true })
  const shown = made.shown.filter((id) => id !== room.id && id !== endOf(room.id))
  return { ...made, shown: [...shown, thread.id, thread.creator_id] }
}

/**
 * Marks a post with an answer up as https://schema.org/QAPage, other threads as
 * https://schema.org/DiscussionForumPosting.
 */
function threadContent({ content, messages, topic }: ReadPage, thread: Thread, url: string): Html {
  if (topic === undefined) return html`<h1>${thread.title}</h1>\n${content}`
  if (topic.answerId === undefined)
    return html`<div itemscope itemtype="https://schema.org/DiscussionForumPosting">
<h1 itemprop="headline">${thread.title}</h1>
<link itemprop="url" href="${url}">
${content}</div>`
  return html`<div itemscope itemtype="https://schema.org/QAPage">
<div itemprop="mainEntity" itemscope itemtype="https://schema.org/Question">
<h1 itemprop="name">${thread.title}</h1>
<meta itemprop="answerCount" content="${messages.length - 1}">
${content}</div></div>`
}

interface Reading {
  readonly channelId: string
  readonly stretch: Stretch
  readonly start: Start
  /** Undefined for a page of a room's month. */
  readonly thread?: Thread
  /** Returns the address of a message that is on another page. */
  readonly linkTo: (id: string) => string
}

interface ReadPage {
  readonly content: Html
  /** Undefined for a page without the first message of a thread. */
  readonly topic: Topic | undefined
  readonly messages: readonly ReadableMessage[]
  /** The last message on this page, if there are more after it. */
  readonly next: string | undefined
  /** Users whose names or web presence decide what the page shows. */
  readonly users: readonly string[]
}

async function readPage(
  { database }: MakingDeps,
  readable: ReadableRoom,
  { channelId, stretch, start, thread, linkTo }: Reading,
): Promise<ReadPage | undefined> {
  const { space, room, from } = readable
  const source = { spaceId: space.id, channelId, from }
  const found = await listReadable(database, source, stretch)
  if (isMadeUp(start, found)) return undefined
  const fresh = start.kind === 'after' ? found.messages.filter(({ id }) => id !== start.id) : found.messages
  const answers = fresh.flatMap(({ answered_id: id }) => id ?? [])
  const [answered, { names, named }] = await Promise.all([
    listReadableIds(database, source, answers),
    namesFor(database, readable, fresh),
  ])
  const words = wordsFor(space.locale)
  const topic = thread && start.kind === 'first' ? topicOf(fresh, thread, found.earliest) : undefined
  const context = { words, names, spaceId: space.id, roomId: room.id, channelId, answered, topic, linkTo }
  const { articles, messages, isCut } = fit(fresh, context)
  const content = articles.length === 0 ? html`<p>${words.empty}</p>` : html`${articles}`
  return {
    content,
    messages,
    topic: shownTopic(topic, messages),
    users: [...found.authors, ...named],
    next: isCut ? messages.at(-1)?.id : found.last,
  }
}

/**
 * Returns true if no page has this start: the message does not exist, or the page would begin with a message that may not
 * be read. A page can begin after an unreadable message.
 */
function isMadeUp({ kind, id }: Start, { earliest, messages }: FoundStretch): boolean {
  if (kind === 'first') return false
  return kind === 'after' ? earliest !== id : messages[0]?.id !== id
}

/** Returns the topic of a page with the opening message. The answer is included only if it is on the page. */
function topicOf(
  messages: readonly ReadableMessage[],
  { solved_message_id: answerId, opening_message_id }: Thread,
  earliest: string | undefined,
): Topic | undefined {
  const openingId = opening_message_id === undefined ? earliest : opening_message_id
  const opening = messages.find(({ id }) => id === openingId)
  const others = messages.filter((message) => message !== opening)
  return opening && { openingId: opening.id, answerId: others.find(({ id }) => id === answerId)?.id }
}

/** Removes the parts of the topic that did not fit on the page. */
function shownTopic(topic: Topic | undefined, messages: readonly ReadableMessage[]): Topic | undefined {
  const isShown = (wanted: string) => messages.some(({ id }) => id === wanted)
  if (topic === undefined || !isShown(topic.openingId)) return undefined
  const { openingId, answerId } = topic
  return { openingId, answerId: answerId !== undefined && isShown(answerId) ? answerId : undefined }
}

/** Renders as many messages as fit on a page, at least one. */
function fit(messages: readonly ReadableMessage[], context: Omit<ArticleContext, 'onPage'>) {
  const onPage = new Set<string>()
  const articles: Html[] = []
  let bytes = 0
  for (const message of messages) {
    const article = articleOf(message, { ...context, onPage })
    bytes += Buffer.byteLength(article.text)
    if (articles.length > 0 && bytes > MAX_BYTES) break
    articles.push(article)
    onPage.add(message.id)
  }
  const shown = messages.slice(0, articles.length)
  return { articles, messages: shown, isCut: shown.length < messages.length }
}

interface Finishing {
  readonly page: ReadPage
  readonly path: string
  readonly start: Start
  readonly title: string
  readonly content: Html
  readonly isArticle?: boolean
}

function finish(deps: MakingDeps, readable: ReadableRoom, finishing: Finishing): MadePage {
  const { page, path, start, title, content, isArticle = false } = finishing
  const { space, room } = readable
  const own = `${path}${startQuery(start)}`
  const { spoiler } = wordsFor(space.locale)
  const text = layOut({
    ...framing(deps, readable),
    title,
    description: summaryOf(page.messages[0]?.content ?? title, DESCRIPTION_CHARACTERS, spoiler) || title,
    path: own,
    earlier: start.kind === 'first' ? undefined : path,
    later: page.next && `${path}${startQuery({ kind: 'after', id: page.next })}`,
    isArticle,
    content,
  })
  const end = page.next === undefined ? [endOf(room.id)] : []
  const shown = [...new Set([space.id, room.id, ...end, ...page.users])]
  // A page that begins at a message repeats other pages. Its address is for people, not for search engines.
  const isIndexed = readable.isIndexed && start.kind !== 'at'
  return { type: HTML_TYPE, text, path: own, shown, until: readable.wholeFrom, isIndexed }
}

export function framing({ origin }: MakingDeps, { space, room }: ReadableRoom) {
  const path = roomPath(space.id, room)
  return {
    words: wordsFor(space.locale),
    origin,
    feed: `${path}/feed.atom`,
    trail: [
      { name: space.name, path: spacePath(space) },
      { name: `#${room.name}`, path },
    ],
  }
}

function laterOf(first: string, id: string | undefined): string {
  return id !== undefined && id > first ? id : first
}
