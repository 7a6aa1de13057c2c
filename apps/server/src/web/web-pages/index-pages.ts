import type { Room } from '@foyer/protocol/rooms'
import { idTime } from '#src/kernel/ids.ts'
import { type Html, html, nothing, raw } from './html.ts'
import { type Layout, layOut } from './layout.ts'
import { DESCRIPTION_CHARACTERS, framing, HTML_TYPE, type MadePage, type MakingDeps } from './pages.ts'
import { monthOf, roomPath, spacePath, threadPath } from './paths.ts'
import { type FoundMonth, type ListedThread, listMonths, listReadableThreads } from './queries.ts'
import type { ReadableRoom } from './readable.ts'
import { summaryOf } from './text.ts'
import { monthText, type Words, wordsFor } from './words.ts'

const THREADS_ON_PAGE = 50
/** Time for which a list of threads is cached. */
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
    ({ room, isIndexed }) =>
      html`<li><a href="${roomPath(space.id, room)}"${isIndexed ? nothing : raw(' rel="nofollow"')}>#${room.name}</a> ${room.description ?? ''}</li>\n`,
  )
  const content = html`<h1>${space.name}</h1>
${paragraphOf(space.description)}<h2>${words.rooms}</h2>
<ul>${list}</ul>`
  const description = summaryOf(space.description ?? space.name, DESCRIPTION_CHARACTERS, words.spoiler)
  const text = layOut({ words, title: space.name, description, origin, path, trail: [], content })
  const isIndexed = rooms.some((room) => room.isIndexed)
  return { type: HTML_TYPE, text, path, shown: [space.id], isIndexed }
}

function paragraphOf(text: string | null): Html {
  return text === null || text === '' ? nothing : html`<p>${text}</p>\n`
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
    before === undefined ? listMonths(deps.database, source) : [],
    listReadableThreads(deps.database, source, { before: before ?? null, limit: THREADS_ON_PAGE }),
  ])
  const path = roomPath(space.id, room)
  const last = threads.length === THREADS_ON_PAGE ? threads.at(-1) : undefined
  const content = html`<h1>#${room.name}</h1>
${paragraphOf(room.description)}${paragraphOf(room.announces ? words.followable : null)}${monthList(months, path, words)}${threadList(threads, room, words)}`
  const layout: Layout = {
    ...framing(deps, readable),
    title: `#${room.name} · ${space.name}`,
    description: summaryOf(
      room.description ?? `#${room.name} · ${space.name}`,
      DESCRIPTION_CHARACTERS,
      words.spoiler,
    ),
    path: before === undefined ? path : `${path}?before=${before}`,
    earlier: last && `${path}?before=${last.id}`,
    content,
  }
  const shown = [space.id, room.id, ...authorsOf(months), ...threads.flatMap(decidingIds)]
  // A new month, or a creator who stops hiding from the web, is not in `shown`: no event drops the page, so it
  // expires.
  const until = Math.min(readable.wholeFrom ?? Number.POSITIVE_INFINITY, Date.now() + LIST_MS)
  const { isIndexed } = readable
  return { type: HTML_TYPE, text: layOut(layout), path: layout.path, shown, until, isIndexed }
}

/** Ids of the thread, and of the people whose web presence decides what the list shows of it. */
function decidingIds({ id, creator_id: creator, answer_author_id: author }: ListedThread): string[] {
  return [id, creator, ...(author === null ? [] : [author])]
}

/**
 * Returns the authors of the messages by which months are listed. If one hides from the web, another message may be a
 * month's newest, or none.
 */
export function authorsOf(months: readonly FoundMonth[]): string[] {
  return [...new Set(months.map(({ author_id }) => author_id))]
}

function monthList(found: readonly FoundMonth[], path: string, words: Words): Html {
  if (found.length === 0) return nothing
  const months = found.map(
    ({ id }) => html`<li><a href="${path}/${monthOf(idTime(id))}">${monthText(words, idTime(id))}</a></li>\n`,
  )
  return html`<h2>${words.months}</h2>\n<ul>${months}</ul>\n`
}

function factsOf(facts: readonly string[]): Html {
  return facts.length === 0 ? nothing : html` <small>${facts.join(' · ')}</small>`
}

function threadList(threads: readonly ListedThread[], room: Room, words: Words): Html {
  if (threads.length === 0) return nothing
  const tagNames = new Map(room.forum?.tags.map(({ id, name }) => [id, name]))
  const items = threads.map((thread) => {
    const tags = (thread.tag_ids ?? []).flatMap((id) => tagNames.get(id) ?? [])
    const facts = [...tags, ...(thread.is_solved ? [words.solved] : [])]
    const path = threadPath(room.space_id, room.id, thread)
    return html`<li><a href="${path}">${thread.title}</a>${factsOf(facts)}</li>\n`
  })
  const title = room.forum === undefined ? words.threads : words.posts
  return html`<h2>${title}</h2>\n<ul>${items}</ul>\n`
}
