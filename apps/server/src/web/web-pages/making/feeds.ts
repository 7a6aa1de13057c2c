import { idTime } from '#src/kernel/ids.ts'
import { type Html, html, nothing } from './html.ts'
import { authorsOf } from './index-pages.ts'
import { endOf, type MadePage } from './made-page.ts'
import { namesFor } from './names.ts'
import type { MakingDeps } from './pages.ts'
import { feedLinks, HUB_PATH, messagePath, monthOf, roomPath, threadPath } from './paths.ts'
import { listMonths, listNewestReadable, listReadableThreads } from './queries.ts'
import type { ReadableRoom } from './readable-room.ts'
import { renderText, summaryOf } from './text.ts'
import { type Words, wordsFor } from './words.ts'

const ATOM_TYPE = 'application/atom+xml; charset=utf-8'
const XML_TYPE = 'application/xml; charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'

const ENTRIES = 30
/** Maximum messages examined for the entries, readable or not. */
const LOOKED = 200
const TITLE_CHARACTERS = 80
/** Maximum addresses in a file, by the format: https://www.sitemaps.org/protocol.html. */
export const MAX_ADDRESSES = 50_000

/** The rooms that search engines may index, and the spaces that have them. */
export interface SitemapContent {
  readonly roomPaths: readonly string[]
  readonly spaceIds: readonly string[]
}

/** Makes an Atom feed (RFC 4287) of the newest messages of a room, or the newest posts of a forum. */
export async function makeFeed(deps: MakingDeps, readable: ReadableRoom): Promise<MadePage> {
  const { space, room } = readable
  const words = wordsFor(space.locale)
  const roomUrl = `${deps.origin}${roomPath(space.id, room)}`
  const make = room.forum === undefined ? messageEntries : postEntries
  const { entries, newest, shown } = await make(deps, readable, words)
  const path = `${roomPath(space.id, room)}/feed.atom`
  const self = `${deps.origin}${path}`
  const hub = room.announces ? html`<link rel="hub" href="${deps.origin}${HUB_PATH}"/>\n` : nothing
  const links = room.announces ? feedLinks(deps.origin, self) : undefined
  const { text } = html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${words.language}" xml:base="${deps.origin}/">
<id>urn:uuid:${room.id}</id>
<title>#${room.name} · ${space.name}</title>
<link rel="self" href="${self}"/>
${hub}<link href="${roomUrl}"/>
<author><name>${space.name}</name></author>
<updated>${newest ?? room.created_at}</updated>
${entries}</feed>
`
  const ids = [...new Set([space.id, room.id, endOf(room.id), ...shown])]
  const { isIndexed, wholeFrom = Number.POSITIVE_INFINITY } = readable
  const until = room.forum === undefined ? wholeFrom : Math.min(wholeFrom, soon())
  return { type: ATOM_TYPE, text, path, shown: ids, until, isIndexed, links }
}

interface FeedEntries {
  readonly entries: readonly Html[]
  readonly newest: string | undefined
  readonly shown: readonly string[]
}

async function messageEntries(
  { database, origin }: MakingDeps,
  readable: ReadableRoom,
  words: Words,
): Promise<FeedEntries> {
  const { space, room, from } = readable
  const source = { spaceId: space.id, channelId: room.id, from }
  const { messages, authors } = await listNewestReadable(database, source, { limit: ENTRIES, looked: LOOKED })
  const { names, named } = await namesFor(database, readable, messages)
  const roomUrl = `${origin}${roomPath(source.spaceId, room)}`
  const entries = messages.map(
    (message) => html`<entry>
<id>urn:uuid:${message.id}</id>
<title>${summaryOf(message.content, TITLE_CHARACTERS, words.spoiler) || words.sticker}</title>
<link href="${messagePath(roomUrl, message.id)}"/>
<published>${message.created_at}</published>
<updated>${message.edited_at ?? message.created_at}</updated>
<author><name>${message.author_name ?? words.someone}</name></author>
<content type="html">${renderText(message.content, { ...names, leavesOutSpoilers: true }).text}</content>
</entry>
`,
  )
  return { entries, newest: messages[0]?.created_at, shown: [...named, ...authors] }
}

async function postEntries(
  { database, origin }: MakingDeps,
  { space, room, from }: ReadableRoom,
): Promise<FeedEntries> {
  const source = { spaceId: space.id, roomId: room.id, from }
  const posts = await listReadableThreads(database, source, { before: null, limit: ENTRIES })
  const entries = posts.map(
    (post) => html`<entry>
<id>urn:uuid:${post.id}</id>
<title>${post.title}</title>
<link href="${origin}${threadPath(source.spaceId, room.id, post)}"/>
<updated>${post.created_at}</updated>
</entry>
`,
  )
  const shown = posts.flatMap(({ id, creator_id }) => [id, creator_id])
  return { entries, newest: posts[0]?.created_at, shown }
}

/** Makes the sitemap of a room: its months and its newest threads. Undefined for a room that search engines leave out. */
export async function makeRoomSitemap(
  deps: MakingDeps,
  readable: ReadableRoom,
): Promise<MadePage | undefined> {
  if (!readable.isIndexed) return undefined
  const { database, origin } = deps
  const { space, room, from } = readable
  const spaceId = space.id
  const source = { spaceId, roomId: room.id, channelId: room.id, from }
  const [months, threads] = await Promise.all([
    listMonths(database, source),
    listReadableThreads(database, source, { before: null, limit: MAX_ADDRESSES - 1000 }),
  ])
  const path = roomPath(spaceId, room)
  const addresses = [
    html`<url><loc>${origin}${path}</loc></url>\n`,
    ...months.map(({ id }) => html`<url><loc>${origin}${path}/${monthOf(idTime(id))}</loc></url>\n`),
    ...threads.map(
      (thread) =>
        html`<url><loc>${origin}${threadPath(spaceId, room.id, thread)}</loc><lastmod>${thread.created_at}</lastmod></url>\n`,
    ),
  ]
  const { text } = html`<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${addresses}</urlset>
`
  // Addresses contain the titles of threads. These must vanish once the threads' creators hide from the web.
  const people = new Set([...authorsOf(months), ...threads.map(({ creator_id }) => creator_id)])
  const shown = [spaceId, room.id, ...people]
  return { type: XML_TYPE, text, path: `${path}/sitemap.xml`, shown, until: soon() }
}

/**
 * Returns when a list of threads expires: a creator who stops hiding from the web is not in `shown`, so no event
 * drops the list.
 */
function soon(): number {
  return Date.now() + 60_000
}

/** Makes the index of the sitemaps of rooms. */
export function makeSitemap(origin: string, { roomPaths, spaceIds }: SitemapContent): MadePage {
  const maps = roomPaths
    .slice(0, MAX_ADDRESSES)
    .map((path) => html`<sitemap><loc>${origin}${path}/sitemap.xml</loc></sitemap>\n`)
  const { text } = html`<?xml version="1.0" encoding="utf-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${maps}</sitemapindex>
`
  return { type: XML_TYPE, text, path: '/sitemap.xml', shown: spaceIds, until: soon() }
}

/** Makes robots.txt (RFC 9309). */
export function makeRobots(origin: string, isAllowed: boolean): MadePage {
  const open = `User-agent: *\nAllow: /read/\nAllow: /sitemap.xml\nDisallow: /\n\nSitemap: ${origin}/sitemap.xml\n`
  const text = isAllowed ? open : 'User-agent: *\nDisallow: /\n'
  return { type: TEXT_TYPE, text, path: '/robots.txt', shown: [] }
}
