import type { Room } from '@foyer/protocol/rooms'
import { idTime } from '#src/kernel/ids.ts'
import { type Fitted, fitting } from './fitting.ts'
import { type Html, html, nothing, raw } from './html.ts'
import { type Layout, layOut } from './layout.ts'
import { HTML_TYPE, leadTo, type MadePage } from './made-page.ts'
import { DESCRIPTION_CHARACTERS, framing, type MakingDeps } from './pages.ts'
import { monthOf, roomPath, spacePath, threadPath } from './paths.ts'
import { type FoundMonth, type ListedThread, listMonths, listReadableThreads } from './queries.ts'
import type { ReadableRoom, ReadableSpace } from './readable-room.ts'
import { summaryOf } from './text.ts'
import { monthText, type Words, wordsFor } from './words.ts'

const THREADS_ON_PAGE = 50
/** Maximum bytes of HTML per list. With both lists and long names in the rest of the page, a room's page stays below 30 kB. */
const MAX_ROOM_BYTES = 20_000
const MAX_MONTH_BYTES = 8000
const MAX_THREAD_BYTES = 12_000
/** Time for which a list of threads is cached. */
const LIST_MS = 60_000

/**
 * Makes the page of a space: its rooms that can be read.
 * @param after the last room of the page before; undefined for the first page
 */
export function makeSpacePage(
  { origin }: MakingDeps,
  { space, rooms }: ReadableSpace,
  after: string | undefined,
): MadePage {
  const words = wordsFor(space.locale)
  const first = spacePath(space)
  const start = rooms.findIndex(({ room }) => room.id === after) + 1
  const { rows, last } = fitting(rooms.slice(start), MAX_ROOM_BYTES, ({ room, isIndexed }) => {
    const description = summaryOf(room.description ?? '', DESCRIPTION_CHARACTERS, words.spoiler)
    const relation = isIndexed ? nothing : raw(' rel="nofollow"')
    return html`<li><a href="${roomPath(space.id, room)}"${relation}>#${room.name}</a> ${description}</li>\n`
  })
  const content = html`<h1>${space.name}</h1>
${paragraphOf(space.description)}<h2>${words.rooms}</h2>
<ul>${rows}</ul>`
  const path = start === 0 ? first : `${first}?after=${after}`
  const text = layOut({
    ...{ words, title: space.name, origin, path, trail: [], content },
    description: summaryOf(space.description ?? space.name, DESCRIPTION_CHARACTERS, words.spoiler),
    earlier: start === 0 ? undefined : first,
    later: last && `${first}?after=${last.room.id}`,
  })
  const isIndexed = rooms.some((room) => room.isIndexed)
  return { type: HTML_TYPE, text, path, shown: [space.id], isIndexed }
}

function paragraphOf(text: string | null): Html {
  return text === null || text === '' ? nothing : html`<p>${text}</p>\n`
}

/**
 * The end of the previous page: its last thread (`before`), or the newest message of its last month (`months`). Both are
 * undefined for the first page.
 */
export interface RoomStart {
  readonly before: string | undefined
  readonly months: string | undefined
}

/** Makes the page of a room: its months and its threads. Further pages have one of the two. */
export async function makeRoomPage(
  deps: MakingDeps,
  readable: ReadableRoom,
  { before, months: lastMonth }: RoomStart,
): Promise<MadePage> {
  const { space, room } = readable
  const words = wordsFor(space.locale)
  const path = roomPath(space.id, room)
  const [allMonths, found] = await Promise.all([
    before === undefined ? listMonths(deps.database, sourceOf(readable)) : [],
    lastMonth === undefined ? listThreads(deps, readable, before) : [],
  ])
  const from = allMonths.findIndex(({ id }) => id === lastMonth) + 1
  // A page can only begin after a listed month. Any other address leads to the first page.
  if (lastMonth !== undefined && from === 0) return leadTo(path)
  const months = fitting(allMonths.slice(from), MAX_MONTH_BYTES, (month) => monthItem(month, path, words))
  const threads = fitting(found, MAX_THREAD_BYTES, threadItems(room, words))
  const last = threads.last ?? (found.length === THREADS_ON_PAGE ? found.at(-1) : undefined)
  const content = html`<h1>#${room.name}</h1>
${paragraphOf(room.description)}${paragraphOf(room.announces ? words.followable : null)}${monthList(months, path, words)}${threadList(threads.rows, room, words)}`
  const query =
    before === undefined ? (lastMonth === undefined ? '' : `?months=${lastMonth}`) : `?before=${before}`
  const layout: Layout = {
    ...framing(deps, readable),
    title: `#${room.name} · ${space.name}`,
    description: summaryOf(
      room.description ?? `#${room.name} · ${space.name}`,
      DESCRIPTION_CHARACTERS,
      words.spoiler,
    ),
    path: `${path}${query}`,
    earlier: last && `${path}?before=${last.id}`,
    content,
  }
  const shown = [space.id, room.id, ...authorsOf(allMonths), ...threads.items.flatMap(decidingIds)]
  // The page expires soon, because no id in `shown` reports a new month, or a creator who stops hiding from the web.
  const until = Math.min(readable.wholeFrom ?? Number.POSITIVE_INFINITY, Date.now() + LIST_MS)
  const { isIndexed } = readable
  return { type: HTML_TYPE, text: layOut(layout), path: layout.path, shown, until, isIndexed }
}

function sourceOf({ space, room, from }: ReadableRoom) {
  return { spaceId: space.id, roomId: room.id, channelId: room.id, from }
}

function listThreads(
  { database }: MakingDeps,
  readable: ReadableRoom,
  before: string | undefined,
): Promise<ListedThread[]> {
  return listReadableThreads(database, sourceOf(readable), { before: before ?? null, limit: THREADS_ON_PAGE })
}

/** Returns the ids of the thread, and of the users whose web presence decides what the list shows of it. */
function decidingIds({ id, creator_id: creator, answer_author_id: author }: ListedThread): string[] {
  return [id, creator, ...(author === null ? [] : [author])]
}

/**
 * Returns the authors of the messages by which months are listed. If an author hides from the web, another message may
 * be a month's newest, or none.
 */
export function authorsOf(months: readonly FoundMonth[]): string[] {
  return [...new Set(months.map(({ author_id }) => author_id))]
}

function monthItem({ id }: FoundMonth, path: string, words: Words): Html {
  return html`<li><a href="${path}/${monthOf(idTime(id))}">${monthText(words, idTime(id))}</a></li>\n`
}

function monthList({ rows, last }: Fitted<FoundMonth>, path: string, words: Words): Html {
  if (rows.length === 0) return nothing
  const more = last && html`<li><a href="${path}?months=${last.id}">${words.earlier}</a></li>\n`
  return html`<h2>${words.months}</h2>\n<ul>${rows}${more ?? nothing}</ul>\n`
}

function factsOf(facts: readonly string[]): Html {
  return facts.length === 0 ? nothing : html` <small>${facts.join(' · ')}</small>`
}

/** Returns a function that writes a thread as an item of the room's list. */
function threadItems(room: Room, words: Words): (thread: ListedThread) => Html {
  const tagNames = new Map(room.forum?.tags.map(({ id, name }) => [id, name]))
  return (thread) => {
    const tags = (thread.tag_ids ?? []).flatMap((id) => tagNames.get(id) ?? [])
    const facts = [...tags, ...(thread.is_solved ? [words.solved] : [])]
    const path = threadPath(room.space_id, room.id, thread)
    return html`<li><a href="${path}">${thread.title}</a>${factsOf(facts)}</li>\n`
  }
}

function threadList(rows: readonly Html[], room: Room, words: Words): Html {
  if (rows.length === 0) return nothing
  return html`<h2>${room.forum === undefined ? words.threads : words.posts}</h2>\n<ul>${rows}</ul>\n`
}
