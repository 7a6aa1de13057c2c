import { Readable } from 'node:stream'
import { RoomType } from '@foyer/protocol/rooms'
import { findFiles } from '#src/files/objects/queries.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import type { WholeFiles } from '#src/files/objects/whole-files.ts'
import type { Database } from '#src/kernel/database/database.ts'
import type { SnapshotReads } from '#src/kernel/database/snapshot-reads.ts'
import { newId } from '#src/kernel/ids.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { isAuthored, type MessageRow } from '#src/messages/rows.ts'
import {
  type ArchiveCounts,
  type ArchivedSpace,
  type ExportLeftOut,
  FORMAT,
  FORMAT_VERSION,
  fileName,
  LINES_PER_FILE,
  MANIFEST_NAME,
  MAX_ENTRIES,
  type Manifest,
  messagesName,
  SPACE_NAME,
  threadMessagesName,
  threadsName,
  VERSION_WITHOUT_FORUMS,
  VERSION_WITHOUT_THREADS,
} from '../format.ts'
import { LineFiles, textOf } from './line-files.ts'
import { linesOf } from './message-lines.ts'
import { listShownFiles, messagePages } from './queries.ts'
import { ShownNames } from './shown-names.ts'
import { type Picture, readStructure, type Structure } from './structure.ts'
import { threadLineOf, threadMessagePages, threadPages } from './thread-lines.ts'
import { type ArchiveEntry, TrackedEntries } from './tracked-entries.ts'

export interface WritingDeps {
  database: Database
  snapshotReads: SnapshotReads
  files: WholeFiles
  /** Maximum bytes of all files together. The newest files are included first. */
  maxFileBytes: number
  serverVersion: string
}

/** Files listed at a time. */
const FILES_PAGE = 500
/** Types of rooms without messages of their own. A forum's messages are in its posts. */
const WITHOUT_MESSAGES: readonly number[] = [RoomType.Category, RoomType.Forum]

/**
 * Yields the entries of a space's archive: the space and its messages in one snapshot, then the bytes of pictures and
 * files, and finally the manifest. Memory holds at most a page of messages, and a line of the manifest for each entry.
 * @throws Error for a deleted space
 */
export async function* spaceEntries(deps: WritingDeps, spaceId: string): AsyncGenerator<ArchiveEntry> {
  const archive = new SpaceArchive(deps, spaceId)
  const structure = yield* archive.describe()
  yield* archive.pictures(structure.pictures)
  yield* archive.files()
  yield archive.manifest(structure)
}

/** One archive that is being written. */
class SpaceArchive {
  readonly #deps: WritingDeps
  readonly #spaceId: string
  readonly #entries = new TrackedEntries()
  readonly #leftOut: ExportLeftOut = { notices: 0, files: 0, member_overwrites: 0 }
  /** Upper bound of file ids: files uploaded later belong to no message in the archive. */
  readonly #filesBefore = newId()
  #messages = 0
  #threads = 0
  #files = 0
  #fileBytes = 0

  constructor(deps: WritingDeps, spaceId: string) {
    this.#deps = deps
    this.#spaceId = spaceId
  }

  /** Yields everything that is read from the database: the space, its messages and its threads, all from one snapshot. */
  async *describe(): AsyncGenerator<ArchiveEntry, Structure> {
    await using snapshot = await this.#deps.snapshotReads.open()
    const structure = await readStructure(snapshot, this.#spaceId)
    if (structure === undefined) throw new Error('the space was deleted')
    yield this.#entries.ofText(SPACE_NAME, JSON.stringify(structure.space, null, 2))
    const rooms = structure.space.rooms.filter(({ type }) => !WITHOUT_MESSAGES.includes(type))
    const names = new ShownNames(snapshot, this.#spaceId)
    for (const { id } of rooms) yield* this.#messagesOf(snapshot, id, names)
    yield* this.#threadsOf(snapshot, names)
    this.#leftOut.member_overwrites = structure.memberOverwrites
    return structure
  }

  async *#threadsOf(database: Queryable, names: ShownNames): AsyncGenerator<ArchiveEntry> {
    let number = 0
    const messages = new LineFiles(this.#entries, threadMessagesName)
    for await (const threads of threadPages(database, this.#spaceId, LINES_PER_FILE)) {
      number += 1
      yield this.#entries.ofText(threadsName(number), textOf(threads.map(threadLineOf)))
      this.#threads += threads.length
      for await (const rows of threadMessagePages(database, this.#spaceId, threads, LINES_PER_FILE))
        yield* messages.add(await this.#linesOf(database, rows, names))
    }
    yield* messages.end()
  }

  async *#messagesOf(database: Queryable, roomId: string, names: ShownNames): AsyncGenerator<ArchiveEntry> {
    const messages = new LineFiles(this.#entries, (number) => messagesName(roomId, number))
    const place = { tenantId: this.#spaceId, channelId: roomId }
    for await (const rows of messagePages(database, place, LINES_PER_FILE))
      yield* messages.add(await this.#linesOf(database, rows, names))
    yield* messages.end()
  }

  async #linesOf(database: Queryable, rows: readonly MessageRow[], names: ShownNames): Promise<object[]> {
    const written = rows.filter(isAuthored)
    this.#leftOut.notices += rows.length - written.length
    this.#messages += written.length
    return written.length === 0 ? [] : linesOf(database, this.#spaceId, written, names)
  }

  async *pictures(pictures: readonly Picture[]): AsyncGenerator<ArchiveEntry> {
    const ids = pictures.map(({ fileId }) => fileId)
    const files = new Map(
      (await findFiles(this.#deps.database, this.#spaceId, ids)).map((file) => [file.id, file]),
    )
    for (const { entry, fileId } of pictures) {
      const file = files.get(fileId)
      if (file !== undefined) yield* this.#bytesOf(entry, file)
    }
  }

  /** Yields the newest files first, so that an archive at its limit omits the oldest. */
  async *files(): AsyncGenerator<ArchiveEntry> {
    let before: string | undefined = this.#filesBefore
    while (before !== undefined) {
      const page: FileRow[] = await listShownFiles(this.#deps.database, this.#spaceId, {
        before,
        limit: FILES_PAGE,
      })
      before = page[FILES_PAGE - 1]?.id
      for (const file of page) yield* this.#fileOf(file)
    }
  }

  async *#fileOf(file: FileRow): AsyncGenerator<ArchiveEntry> {
    const isTooMuch =
      this.#fileBytes + file.size_bytes > this.#deps.maxFileBytes ||
      this.#entries.done.length >= MAX_ENTRIES - 1
    if (isTooMuch) {
      this.#leftOut.files += 1
      return
    }
    const leftOut = this.#leftOut.files
    yield* this.#bytesOf(fileName(file.id), file)
    if (this.#leftOut.files > leftOut) return
    this.#files += 1
    this.#fileBytes += file.size_bytes
  }

  /** An unreadable file is left out: one broken bucket must not prevent the export of the rest. */
  async *#bytesOf(entry: string, file: FileRow): AsyncGenerator<ArchiveEntry> {
    const content = await this.#deps.files.open(file)
    if (content instanceof Readable) yield this.#entries.ofFile(entry, content)
    else this.#leftOut.files += 1
  }

  #versionOf({ rooms }: ArchivedSpace): number {
    if (rooms.some(({ forum }) => forum !== undefined)) return FORMAT_VERSION
    return this.#threads > 0 ? VERSION_WITHOUT_FORUMS : VERSION_WITHOUT_THREADS
  }

  manifest({ space }: Structure): ArchiveEntry {
    const counts: ArchiveCounts = {
      rooms: space.rooms.length,
      ...(this.#threads > 0 && { threads: this.#threads }),
      roles: space.roles.length,
      automod_rules: space.automod_rules.length,
      emojis: space.emojis.length,
      stickers: space.stickers.length,
      messages: this.#messages,
      files: this.#files,
    }
    const manifest: Manifest = {
      format: FORMAT,
      version: this.#versionOf(space),
      made_at: new Date().toISOString(),
      server_version: this.#deps.serverVersion,
      counts,
      left_out: this.#leftOut,
      entries: [...this.#entries.done],
    }
    return this.#entries.ofText(MANIFEST_NAME, JSON.stringify(manifest, null, 2))
  }
}
