import { MAX_PINS } from '@foyer/protocol/limits'
import { RoomType } from '@foyer/protocol/rooms'
import type { FileTarget } from '#src/files/objects/reservation.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { isUniqueViolation } from '#src/kernel/sql/unique-violation.ts'
import { type ArchivedMessage, fileName, messagesName } from '../format.ts'
import type { Archive, PlacedMessage, PlacedThreadMessage } from '../reading/archive.ts'
import { ArchiveError } from '../reading/archive-error.ts'
import { isPastId } from '../reading/derived-ids.ts'
import { keepBuilding } from './keeping.ts'
import { type BuiltRow, rowOf } from './message-rows.ts'
import type { Plan, PlannedThread } from './plan.ts'
import { correctPosts } from './posts.ts'
import {
  type BuiltFile,
  type BuiltMessage,
  insertBuilt,
  insertPins,
  insertReactionCounts,
  showFiles,
} from './queries.ts'
import { EntryStore, type StoringDeps } from './stored-entries.ts'

/** Maximum messages per transaction. */
const BATCH = 500
/** Files after which a batch is written: the sweep deletes stored files that are still unclaimed after an hour. */
const BATCH_FILES = 50

export interface MessageDeps extends StoringDeps {
  config: StoringDeps['config'] & { spaceImportMessages: number }
  database: Database
}

export interface BuiltMessages {
  messages: number
  files: number
  leftOut: { files: number; pins: number }
}

interface Batch {
  rows: BuiltRow[]
  files: BuiltFile[]
}

/** Writes the messages of all rooms, room after room, in the order of the archive. */
export class MessageBuilder {
  readonly #deps: MessageDeps
  readonly #archive: Archive
  readonly #plan: Plan
  readonly #entries: EntryStore
  readonly #usedFiles = new Set<string>()
  readonly built: BuiltMessages = { messages: 0, files: 0, leftOut: { files: 0, pins: 0 } }

  constructor(deps: MessageDeps, archive: Archive, plan: Plan) {
    this.#deps = deps
    this.#archive = archive
    this.#plan = plan
    this.#entries = new EntryStore(deps, archive)
  }

  /** @throws ArchiveError; ApiError 507 if the disk is too full */
  async build(): Promise<BuiltMessages> {
    // Checks the manifest's count first, to fail early. The lines are counted, too.
    this.#checkCount(this.#archive.manifest.counts.messages)
    const forums = new Set(this.#plan.space.rooms.filter(isForum).map(({ id }) => id))
    for (const [archivedId, id] of this.#plan.rooms) {
      const messages = this.#archive.messagesOf(archivedId)
      if (forums.has(archivedId)) await refuseAny(messages)
      else await this.#buildRoom(roomOf(id, null), messages)
    }
    for (const [archivedId, thread] of this.#plan.threads)
      await this.#buildRoom(roomOfThread(thread), this.#archive.messagesOf(archivedId))
    await this.#buildThreads()
    await correctPosts(this.#deps.database, this.#plan.spaceId)
    return this.built
  }

  async #buildRoom(room: Room, messages: AsyncIterable<PlacedMessage>): Promise<void> {
    for await (const placed of messages) await this.#add(room, placed)
    await this.#write(room)
  }

  /**
   * Builds the messages of threads from files that all threads share. Before version 3 of the format, each thread had files
   * of its own.
   */
  async #buildThreads(): Promise<void> {
    let open: OpenThread | undefined
    for await (const placed of this.#archive.threadMessages()) {
      open = await this.#threadOf(placed, open)
      await this.#add(open.room, placed)
    }
    if (open !== undefined) await this.#write(open.room)
  }

  /** Returns the thread of the message. If that is not the open thread, writes the rest of the open thread first. */
  async #threadOf({ message, where }: PlacedThreadMessage, before?: OpenThread): Promise<OpenThread> {
    const { in_thread: id } = message
    if (before?.id === id) return before
    if (before !== undefined && id < before.id)
      throw new ArchiveError(`${where}: threads must be in the order of their ids`)
    if (before !== undefined) await this.#write(before.room)
    return { id, room: this.#openThread(id, where) }
  }

  #openThread(archivedId: string, where: string): Room {
    const thread = this.#plan.threads.get(archivedId)
    if (thread === undefined) throw new ArchiveError(`${where}: its thread is not in the archive`)
    if (this.#archive.has(messagesName(archivedId, 1)))
      throw new ArchiveError(`${where}: its thread has files of its own`)
    return roomOfThread(thread)
  }

  async #add(room: Room, placed: PlacedMessage): Promise<void> {
    this.#deps.signal.throwIfAborted()
    checkOrder(placed, room.before)
    room.before = placed.message.id
    const { rows, files } = room.batch
    rows.push(rowOf(this.#plan, room.id, placed))
    this.#checkCount(this.built.messages + rows.length)
    files.push(...(await this.#storeFiles(placed.message, room.id)))
    if (rows.length >= BATCH || files.length >= BATCH_FILES) await this.#write(room)
  }

  async #storeFiles({ id, attachments = [] }: ArchivedMessage, roomId: string): Promise<BuiltFile[]> {
    const { spaceId: tenantId, ownerId, ids } = this.#plan
    const place = { tenantId, ownerId, channelId: roomId }
    const target: FileTarget = { ...place, purpose: 'message', where: 'bucket-or-own' }
    const stored: BuiltFile[] = []
    for (const file of attachments) {
      const look = { filename: file.filename, contentType: file.content_type }
      const name = fileName(file.id)
      // Checked before the name is kept in memory: an archive can name any number of files that it does not contain.
      if (!this.#archive.has(name)) {
        this.built.leftOut.files += 1
        continue
      }
      if (this.#usedFiles.has(name)) throw new ArchiveError(`${name} is used by two messages`)
      this.#usedFiles.add(name)
      const row = await this.#entries.store(target, { name, look })
      if (row === undefined) this.built.leftOut.files += 1
      else
        stored.push({
          id: row.id,
          message_id: ids.of(roomId, id),
          place: stored.length,
          description: file.description,
        })
    }
    return stored
  }

  /** Writes the batch of the room. */
  async #write(room: Room): Promise<void> {
    const { rows, files } = room.batch
    if (rows.length === 0) return
    room.batch = { rows: [], files: [] }
    const { formSpace, database } = this.#deps
    // Checks the disk of the temporary files, which is usually the disk of the database, too.
    await formSpace.checkDisk(0)
    const { spaceId, ownerId: pinnedBy } = this.#plan
    const withFiles = new Set(files.map(({ message_id }) => message_id))
    const messages = rows.map(({ message }) => this.#placed(room, message, withFiles.has(message.id)))
    const messageIds = messages.filter(({ pinned }) => pinned).map(({ id }) => id)
    const place = { spaceId, roomId: room.id, parentId: room.parentId }
    const write = database.transaction(async (transaction) => {
      await keepBuilding(transaction, spaceId)
      await insertBuilt(transaction, place, messages)
      await insertPins(transaction, place, { messageIds, pinnedBy })
      await insertReactionCounts(
        transaction,
        place,
        rows.flatMap(({ reactions }) => reactions),
      )
      const shown = await showFiles(transaction, place, files)
      if (shown < files.length) throw new Error('a file that was just stored is gone')
    })
    await write.catch((error: unknown) => {
      throw isUniqueViolation(error, 'messages_pkey') ? new ArchiveError('it has a message twice') : error
    })
    this.built.messages += messages.length
    this.built.files += files.length
  }

  #checkCount(messages: number): void {
    const { spaceImportMessages } = this.#deps.config
    if (messages > spaceImportMessages)
      throw new ArchiveError(`it has more than the ${spaceImportMessages} messages that this server imports`)
  }

  /** Assigns the next `seq` to a message, and unpins it if the room already has MAX_PINS pins. */
  #placed(room: Room, message: BuiltRow['message'], has_files: boolean): BuiltMessage {
    room.lastSeq += 1
    const pinned = message.pinned && room.pins < MAX_PINS
    if (pinned) room.pins += 1
    else if (message.pinned) this.built.leftOut.pins += 1
    return { ...message, seq: room.lastSeq, pinned, has_files }
  }
}

interface Room {
  readonly id: string
  /** The room that a thread belongs to; null for a room. */
  readonly parentId: string | null
  lastSeq: number
  pins: number
  /** Archive id of the last message that was added; empty before the first one. */
  before: string
  batch: Batch
}

/** The thread whose messages are being read, by its id in the archive. */
interface OpenThread {
  readonly id: string
  readonly room: Room
}

function isForum({ type }: { type: number }): boolean {
  return type === RoomType.Forum
}

/** @throws ArchiveError for a message in a forum itself, where nobody would see it */
async function refuseAny(messages: AsyncIterable<PlacedMessage>): Promise<void> {
  for await (const { where } of messages)
    throw new ArchiveError(`${where}: a forum has no messages of its own`)
}

function roomOf(id: string, parentId: string | null): Room {
  return { id, parentId, lastSeq: 0, pins: 0, before: '', batch: { rows: [], files: [] } }
}

function roomOfThread({ id, roomId, lastSeq }: PlannedThread): Room {
  return { ...roomOf(id, roomId), lastSeq }
}

function checkOrder({ message: { id }, where }: PlacedMessage, before: string): void {
  if (!isPastId(id, Date.now()))
    throw new ArchiveError(`${where}: its id is from the future or not a UUID of version 7`)
  if (id <= before) throw new ArchiveError(`${where}: messages must be in the order of their ids`)
}
