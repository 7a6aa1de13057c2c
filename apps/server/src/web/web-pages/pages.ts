import type { Room } from '@foyer/protocol/rooms'
import type { Thread } from '@foyer/protocol/thread-rooms'
import { firstIdAt, idTime } from '#src/kernel/ids.ts'
import { type ArticleContext, articleOf, type Topic } from './articles.ts'
import { type Html, html, nothing } from './html.ts'
import { type Layout, layOut } from './layout.ts'
import { namesFor } from './names.ts'
import { monthBounds, monthOf, roomPath, spacePath, threadPath } from './paths.ts'
import {
  findAnswer,
  type ListedThread,
  listMonths,
  listReadable,
  listReadableIds,
  listReadableThreads,
  type ReadableMessage,
  type Stretch,
} from './queries.ts'
import type { ReadableDeps, ReadableRoom, ReadableThread } from './readable.ts'
import { summaryOf } from './text.ts'
import { monthText, type Words, wordsFor } from './words.ts'

/** A page as it is made, before it is compressed. */
export interface MadePage {
  readonly type: string
  readonly text: string
  /** Ids of everything that it shows: a change of one of them makes it stale. */
  readonly shown: readonly string[]
  /** In milliseconds since 1970: what can be read changes then. */
  readonly until?: number | undefined
  /** The one address of the page. */
  readonly path: string
}

export interface MakingDeps extends ReadableDeps {
  /** Public origin of this server, like `https://chat.example.org`. */
  readonly origin: string
}

export const HTML_TYPE = 'text/html; charset=utf-8'

/** Messages looked at for a page, readable or not. */
const LOOKED = 100
/** Characters of HTML of a page's messages, unless one alone has more. */
const MAX_CHARACTERS = 22_000
const THREADS_ON_PAGE = 50
const DESCRIPTION_CHARACTERS = 160
/** Time that a list of threads is kept. */
const LIST_MS = 60_000

/** Makes the page of a space: its rooms that can be read. */
export function makeSpacePage(
  { origin }: MakingDeps,
  { snapshot, rooms }: { snapshot: ReadableRoom['snapshot']; rooms: readonly ReadableRoom[] },
): MadePage {
  const { space } = snapshot
  const words = wordsFor(space.locale)
  const path = spacePath(space)
  const list = rooms.map(
    ({ room }) =>
      html`<li><a href="${roomPath(space.id, room)}">#${room.name}</a> ${room.description ?? ''}</li>\n`,
  )
  const content = html`<h1>${space.name}</h1>
<p>${space.description ?? ''}</p>
<h2>${words.rooms}</h2>
<ul>${list}</ul>`
  const description = summaryOf(space.description ?? space.name, DESCRIPTION_CHARACTERS)
  const text = layOut({ words, title: space.name, description, origin, path, trail: [], content })
  return { type: HTML_TYPE, text, path, shown: [space.id] }
}

/** Makes the page of a room: its months and its threads. */
export async function makeRoomPage(
  deps: MakingDeps,
  readable: ReadableRoom,
  before: string | undefined,
): Promise<MadePage> {
  const { snapshot, room, from } = readable
  const { space } = snapshot
  const words = wordsFor(space.locale)
  const source = { spaceId: space.id, roomId: room.id, channelId: room.id, from }
  const [months, threads] = await Promise.all([
    before === undefined ? listMonths(deps.database, source, firstIdAt(from)) : [],
    listReadableThreads(deps.database, source, { before: before ?? null, limit: THREADS_ON_PAGE }),
  ])
  const path = roomPath(space.id, room)
  const last = threads.length === THREADS_ON_PAGE ? threads.at(-1) : undefined
  const content = html`<h1>#${room.name}</h1>
<p>${room.description ?? ''}</p>
${monthList(months, path, words)}${threadList(threads, room, words)}`
  const layout: Layout = {
    ...framing(deps, readable),
    title: `#${room.name} · ${space.name}`,
    description: summaryOf(room.description ?? `#${room.name} · ${space.name}`, DESCRIPTION_CHARACTERS),
    path: before === undefined ? path : `${path}?before=${before}`,
    earlier: last && `${path}?before=${last.id}`,
    content,
  }
  const shown = [space.id, room.id, ...threads.flatMap(({ id, creator_id }) => [id, creator_id])]
  // A creator who no longer leaves themselves out is not among those who are shown.
  const until = Math.min(readable.wholeFrom ?? Number.POSITIVE_INFINITY, Date.now() + LIST_MS)
  return { type: HTML_TYPE, text: layOut(layout), path: layout.path, shown, until }
}

function monthList(ids: readonly string[], path: string, words: Words): Html {
  if (ids.length === 0) return nothing
  const months = ids.map(
    (id) => html`<li><a href="${path}/${monthOf(idTime(id))}">${monthText(words, idTime(id))}</a></li>\n`,
  )
  return html`<h2>${words.months}</h2>\n<ul>${months}</ul>\n`
}

function threadList(threads: readonly ListedThread[], room: Room, words: Words): Html {
  if (threads.length === 0) return nothing
  const tagNames = new Map(room.forum?.tags.map(({ id, name }) => [id, name]))
  const items = threads.map((thread) => {
    const tags = (thread.tag_ids ?? []).flatMap((id) => tagNames.get(id) ?? [])
    const facts = [...tags, ...(thread.is_solved ? [words.solved] : []), words.messages(thread.message_count)]
    const path = threadPath(room.space_id, room.id, thread)
    return html`<li><a href="${path}">${thread.title}</a> <small>${facts.join(' · ')}</small></li>\n`
  })
  const title = room.forum === undefined ? words.threads : words.posts
  return html`<h2>${title}</h2>\n<ul>${items}</ul>\n`
}

/** Makes a page of a month of a room. Undefined for no month. */
export async function makeMonthPage(
  deps: MakingDeps,
  readable: ReadableRoom,
  { month, after }: { month: string; after: string | undefined },
): Promise<MadePage | undefined> {
  const bounds = monthBounds(month)
  if (bounds === undefined) return undefined
  const { snapshot, room, from } = readable
  const { space } = snapshot
  const first = firstIdAt(Math.max(bounds.start, from))
  const stretch = { first: laterOf(first, after), end: firstIdAt(bounds.end), limit: LOOKED }
  const page = await readPage(deps, readable, { channelId: room.id, stretch, after })
  const path = `${roomPath(space.id, room)}/${month}`
  const title = `#${room.name}, ${monthText(wordsFor(space.locale), bounds.start)} · ${space.name}`
  const content = html`<h1>${title}</h1>\n${page.content}`
  return finish(deps, readable, { page, path, after, title, content })
}

/** Makes a page of a thread. */
export async function makeThreadPage(
  deps: MakingDeps,
  readable: ReadableThread,
  after: string | undefined,
): Promise<MadePage> {
  const { snapshot, room, thread, from } = readable
  const stretch = { first: laterOf(firstIdAt(from), after), end: null, limit: LOOKED }
  const answerId = await findAnswer(deps.database, snapshot.space.id, thread.id)
  const reading = { channelId: thread.id, stretch, after, thread: { answerId } }
  const page = await readPage(deps, readable, reading)
  const path = threadPath(snapshot.space.id, room.id, thread)
  const content = threadContent(page, thread, `${deps.origin}${path}`)
  const made = finish(deps, readable, { page, path, after, title: thread.title, content, isArticle: true })
  return { ...made, shown: [...made.shown, thread.id, thread.creator_id] }
}

/** https://schema.org/QAPage for a post with an answer, https://schema.org/DiscussionForumPosting for others. */
function threadContent({ content, topic }: ReadPage, thread: Thread, url: string): Html {
  if (topic === undefined) return html`<h1>${thread.title}</h1>\n${content}`
  if (topic.answerId === undefined)
    return html`<div itemscope itemtype="https://schema.org/DiscussionForumPosting">
<h1 itemprop="headline">${thread.title}</h1>
<link itemprop="url" href="${url}">
${content}</div>`
  return html`<div itemscope itemtype="https://schema.org/QAPage">
<div itemprop="mainEntity" itemscope itemtype="https://schema.org/Question">
<h1 itemprop="name">${thread.title}</h1>
<meta itemprop="answerCount" content="${Math.max(1, thread.message_count - 1)}">
${content}</div></div>`
}

interface Reading {
  readonly channelId: string
  readonly stretch: Stretch
  readonly after: string | undefined
  /** Undefined for a month of a room. */
  readonly thread?: { readonly answerId: string | undefined }
}

interface ReadPage {
  readonly content: Html
  /** Undefined for a page without the first message of a thread. */
  readonly topic: Topic | undefined
  readonly messages: readonly ReadableMessage[]
  /** The last message on this page, if there are more after it. */
  readonly next: string | undefined
  /** Users whose names or presence decide about the page. */
  readonly users: readonly string[]
}

async function readPage(
  { database }: MakingDeps,
  { snapshot, room, from }: ReadableRoom,
  { channelId, stretch, after, thread }: Reading,
): Promise<ReadPage> {
  const { space } = snapshot
  const source = { spaceId: space.id, channelId, from }
  const found = await listReadable(database, source, stretch)
  const fresh = found.messages.filter(({ id }) => id !== after)
  const answers = fresh.flatMap(({ answered_id: id }) => id ?? [])
  const [answered, { names, named }] = await Promise.all([
    listReadableIds(database, source, answers),
    namesFor(database, snapshot, fresh),
  ])
  const words = wordsFor(space.locale)
  const isOpening = thread !== undefined && after === undefined && fresh[0]?.id === found.earliest
  const topic = isOpening ? topicOf(fresh, thread) : undefined
  const context = { words, names, spaceId: space.id, roomId: room.id, channelId, answered, topic }
  const { articles, messages, isCut } = fit(fresh, context)
  const content = articles.length === 0 ? html`<p>${words.empty}</p>` : html`${articles}`
  return {
    content,
    messages,
    topic,
    users: [...found.authors, ...named],
    next: isCut ? messages.at(-1)?.id : found.last,
  }
}

/** A message that answers is one only if it is on the page. */
function topicOf(
  messages: readonly ReadableMessage[],
  { answerId }: { answerId: string | undefined },
): Topic | undefined {
  const [opening] = messages
  if (opening === undefined) return undefined
  const isHere = messages.some(({ id }) => id === answerId && id !== opening.id)
  return { openingId: opening.id, answerId: isHere ? answerId : undefined }
}

/** Renders as many messages as fit on a page, at least one. */
function fit(messages: readonly ReadableMessage[], context: ArticleContext) {
  const articles: Html[] = []
  let characters = 0
  for (const message of messages) {
    const article = articleOf(message, context)
    characters += article.text.length
    if (articles.length > 0 && characters > MAX_CHARACTERS) break
    articles.push(article)
  }
  const shown = messages.slice(0, articles.length)
  return { articles, messages: shown, isCut: shown.length < messages.length }
}

interface Finishing {
  readonly page: ReadPage
  readonly path: string
  readonly after: string | undefined
  readonly title: string
  readonly content: Html
  readonly isArticle?: boolean
}

function finish(deps: MakingDeps, readable: ReadableRoom, finishing: Finishing): MadePage {
  const { page, path, after, title, content, isArticle = false } = finishing
  const { snapshot, room } = readable
  const own = after === undefined ? path : `${path}?after=${after}`
  const text = layOut({
    ...framing(deps, readable),
    title,
    description: summaryOf(page.messages[0]?.content ?? title, DESCRIPTION_CHARACTERS) || title,
    path: own,
    earlier: after === undefined ? undefined : path,
    later: page.next && `${path}?after=${page.next}`,
    isArticle,
    content,
  })
  const shown = [...new Set([snapshot.space.id, room.id, ...page.users])]
  return { type: HTML_TYPE, text, path: own, shown, until: readable.wholeFrom }
}

function framing({ origin }: MakingDeps, { snapshot, room }: ReadableRoom) {
  const { space } = snapshot
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

function laterOf(first: string, after: string | undefined): string {
  return after !== undefined && after > first ? after : first
}
