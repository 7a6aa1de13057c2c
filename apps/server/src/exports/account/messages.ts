import type { Place } from '#src/channels/place.ts'
import { listMessageFiles } from '#src/files/objects/queries.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import type { ArchiveWriter } from '../archive-writer.ts'
import type { ContentDeps } from '../content-deps.ts'
import type { FileCopier, ListedFile } from './files.ts'
import { messagePage } from './pages.ts'
import { nameOf } from './places.ts'
import {
  FIRST_PLACE,
  listOwnIds,
  listOwnMessages,
  nextPlace,
  type OwnIds,
  type OwnMessage,
} from './queries.ts'
import type { PageFacts, WrittenMessage, WrittenPlace } from './written.ts'

/** Messages per file. No more are in memory at a time. */
const PAGE = 1000

export interface MessageWork {
  deps: ContentDeps
  archive: ArchiveWriter
  userId: string
  files: FileCopier
  signal: AbortSignal
}

/** A channel, and the ids of the person's messages there. */
export interface OwnPlace {
  place: Place
  ids: OwnIds
}

/** Finds the channels in which the person wrote, and the ids of their messages there. */
export async function findOwnPlaces(
  database: Queryable,
  userId: string,
  signal: AbortSignal,
): Promise<OwnPlace[]> {
  const found: OwnPlace[] = []
  let place = await nextPlace(database, userId, FIRST_PLACE)
  while (place !== undefined) {
    signal.throwIfAborted()
    found.push({ place, ids: await listOwnIds(database, userId, place) })
    place = await nextPlace(database, userId, place)
  }
  return found
}

/** Writes the person's messages by channel. Messages that are deleted during the export are omitted. */
export async function writeMessages(work: MessageWork, places: readonly OwnPlace[]): Promise<WrittenPlace[]> {
  const written: WrittenPlace[] = []
  for (const own of places) written.push(await writePlace(work, own))
  return written
}

async function writePlace(work: MessageWork, { place, ids }: OwnPlace): Promise<WrittenPlace> {
  const { deps, userId } = work
  const name = await nameOf(deps, userId, place)
  const folder = `messages/${place.channelId}`
  const pages = Math.ceil(ids.count / PAGE)
  let messages = 0
  for (let number = 1; number <= pages; number += 1) {
    const own = { ...place, ids: ids.slice((number - 1) * PAGE, number * PAGE) }
    const page = await listOwnMessages(deps.database.bulk, userId, own)
    await writePage(work, { name, folder, number, isLast: number === pages }, page)
    messages += page.length
  }
  return { place, name, messages, path: `${folder}/1.html` }
}

async function writePage(work: MessageWork, facts: PageFacts, page: readonly OwnMessage[]): Promise<void> {
  work.signal.throwIfAborted()
  // Checks the disk of the temporary files, which is usually the disk of the database, too.
  await work.deps.formSpace.checkDisk(0)
  const messages = await withFiles(work, page)
  const path = `${facts.folder}/${facts.number}`
  await work.archive.addText(`${path}.json`, `${JSON.stringify(messages, null, 1)}\n`)
  await work.archive.addText(`${path}.html`, messagePage(facts, messages))
}

async function withFiles(
  { deps, files, signal }: MessageWork,
  page: readonly OwnMessage[],
): Promise<WrittenMessage[]> {
  const withSome = page.filter(({ has_files }) => has_files).map(({ id }) => id)
  const [first] = page
  const rows =
    withSome.length === 0 || first === undefined
      ? []
      : await listMessageFiles(deps.database, first.tenant_id, withSome)
  const copied = new Map<string | null, ListedFile[]>()
  for (const row of rows) {
    signal.throwIfAborted()
    copied.set(row.message_id, [...(copied.get(row.message_id) ?? []), await files.copy(row)])
  }
  return page.map((message) => ({ ...message, files: copied.get(message.id) ?? [] }))
}
