import { isDeepStrictEqual } from 'node:util'
import { EmbedType } from '@foyer/protocol/embeds'
import type { CopiedMessage } from '@foyer/protocol/follows'
import type { Logger } from 'pino'
import type { Place } from '#src/channels/place.ts'
import { discardUnshown, keepOrDiscard } from '#src/files/objects/actions.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { publishChange } from '#src/messages/actions/changes.ts'
import { deleteMessages } from '#src/messages/actions/messages.ts'
import { authorOfWebhook } from '#src/messages/authors.ts'
import { type Edit, lockMessage, updateMessageRow } from '#src/messages/change-queries.ts'
import { type Contents, emptyContents } from '#src/messages/contents.ts'
import { draftMessage } from '#src/messages/draft.ts'
import { hasHead, listStickers } from '#src/messages/queries.ts'
import { storedReference } from '#src/messages/references.ts'
import type { MessageRow } from '#src/messages/rows.ts'
import type { SendDeps } from '#src/messages/writing.ts'
import { markedName } from '../webhooks/names.ts'
import { type CopyRow, findWebhooks, listCopies } from './copies.ts'
import type { CopyTurns } from './copy-turns.ts'
import { type CopiedFiles, copyEach } from './files.ts'
import type { Follower } from './followers.ts'
import { type CopiedParts, copiedParts, findOriginals, type Original } from './originals.ts'

export type CopierDeps = SendDeps & { log: Pick<Logger, 'warn' | 'error'> }

/** @property signal aborted when the process stops */
export type CopyingDeps = CopierDeps & { turns: CopyTurns; signal: AbortSignal }

/** A copy that is about to be written. */
export interface NewCopy {
  contents: Contents
  files: CopiedFiles
  copy_of: CopiedMessage
  /** For an announcement of another server, the number of its change. */
  sourceNumber?: number
}

/**
 * Writes a copy for one follower, unless it has one. Rules and limits of its space do not apply to the copy, and the
 * copy mentions nobody.
 * @param recheck returns the original as it is right before the copy is written, because copying files may take long;
 * undefined if no copy is needed anymore
 */
export async function makeCopy(
  deps: CopyingDeps,
  { follower, original }: { follower: Follower; original: Original },
  recheck: () => Promise<Original | undefined>,
): Promise<void> {
  const { turns, signal } = deps
  const { roomId } = original.source
  const { space_id: tenantId, room_id: channelId, id: ownerId } = follower
  const target = { tenantId, channelId, ownerId, purpose: 'message', where: 'bucket-or-own' } as const
  const copy = () => copyEach(deps, target, original.files, signal)
  const files =
    original.files.length === 0
      ? { copied: [], leftOut: [] }
      : await turns.copyFiles(roomId, follower.space_id, copy)
  const isWritten = await keepOrDiscard(deps, files.copied, () =>
    turns.write(roomId, async () => {
      signal.throwIfAborted()
      const now = await recheck()
      return now !== undefined && (await insertCopy(deps, follower, await copyOf(deps, now, files)))
    }),
  )
  if (!isWritten) await discardUnshown(deps.database, files.copied)
}

async function copyOf(deps: SendDeps, { row, source }: Original, files: CopiedFiles): Promise<NewCopy> {
  const contents = await contentsOf(deps, row, files.leftOut)
  return {
    contents,
    files,
    copy_of: { space_id: source.spaceId, room_id: source.roomId, message_id: row.id },
  }
}

/**
 * Writes a copy. Discards its files if the copy is not needed.
 * @param recheck throws if no copy is needed anymore
 * @returns false if there is a copy already, or the follow has ended
 */
export async function writeCopy(
  deps: SendDeps,
  follower: Follower,
  copy: NewCopy,
  recheck: () => Promise<void>,
): Promise<boolean> {
  const { copied } = copy.files
  const isWritten = await keepOrDiscard(deps, copied, async () => {
    await recheck()
    return insertCopy(deps, follower, copy)
  })
  if (!isWritten) await discardUnshown(deps.database, copied)
  return isWritten
}

/** @returns false if the copy is not needed */
async function insertCopy(
  deps: SendDeps,
  follower: Follower,
  { contents, files: { copied, leftOut }, copy_of, sourceNumber }: NewCopy,
): Promise<boolean> {
  const place = { tenantId: follower.space_id, channelId: follower.room_id }
  const name = await markedName(deps.database, follower.space_id, follower.name)
  const author = authorOfWebhook({ id: follower.id, name, avatar: follower.avatar })
  const forwarded = contents.forward === null ? contents : { ...contents, content: '' }
  const body = { contents: forwarded, files: copied }
  const drafted = draftMessage(deps.downloads, { place, author }, body, { copy_of })
  const written = await deps.messageWriter.write({ ...drafted, leftOut, sourceNumber })
  if (written === undefined) await checkUnneeded(deps, place, follower, copy_of.message_id)
  return written !== undefined
}

async function contentsOf(
  { database }: SendDeps,
  row: MessageRow,
  leftOut: readonly string[],
): Promise<Contents> {
  const stickerIds = row.sticker_ids ?? []
  const stickers = stickerIds.length === 0 ? [] : await listStickers(database, stickerIds)
  const reference = storedReference(row)
  const forward =
    row.snapshot === null || reference === null ? null : { reference, snapshot: row.snapshot, files: [] }
  return { ...emptyContents, ...copiedParts(row, leftOut), stickers, forward }
}

/** @throws Error if a copy was not written although it is needed */
async function checkUnneeded(
  { database }: SendDeps,
  place: Place,
  follower: Follower,
  originalId: string,
): Promise<void> {
  const copies = await listCopies(database, [follower], [originalId])
  const follow = { webhook_id: follower.id, follower_space_id: follower.space_id }
  const webhooks = await findWebhooks(database, [follow])
  const isMissing = copies.length === 0 && webhooks.length > 0 && (await hasHead(database, place))
  if (isMissing) throw new Error('a copy was not written')
}

/**
 * Updates a copy to the current state of its announcement, also in a frozen space, but not in a deleted one. The copy
 * is locked before the announcement is read again, so that the last of several processes writes the newest state.
 */
export async function renewCopy(deps: SendDeps, copy: CopyRow, original: Original): Promise<void> {
  const { room_id, message_id, space_id: tenantId } = copy
  if (room_id === null || message_id === null) return
  if ((await deps.snapshots.find(tenantId)) === undefined) return
  const place = { tenantId, channelId: room_id }
  await deps.database.transaction(async (transaction) => {
    const row = await lockMessage(transaction, place, message_id)
    const now = await findOriginals(transaction, original.source, [original.row.id])
    const found = now.get(original.row.id)
    if (row === undefined || found === undefined || typeof found === 'string') return
    await changeCopy(transaction, deps, { place, row }, copiedParts(found.row, copy.left_out))
  })
}

/** Updates a locked copy, if it differs from these parts. A forward never changes. */
export async function changeCopy(
  transaction: Transaction,
  deps: SendDeps,
  { place, row }: { place: Place; row: MessageRow },
  parts: CopiedParts,
): Promise<void> {
  if (row.snapshot !== null || isDeepStrictEqual(partsOf(row), parts)) return
  const isEdited = parts.content !== row.content
  await updateMessageRow(transaction, place, row.id, { edit: editOf(row, parts), isEdited })
  await publishChange(transaction, deps, place, row.id)
}

function partsOf({ content, flags, embeds, components }: MessageRow): CopiedParts {
  const own = (embeds ?? []).filter(({ type }) => type === EmbedType.Rich)
  return { content, flags, embeds: own, components: components ?? [] }
}

function editOf(row: MessageRow, parts: CopiedParts): Edit {
  // Link previews belong to the text. Previews for a new text are added later.
  const previews = (row.embeds ?? []).filter(({ type }) => type !== EmbedType.Rich)
  const embeds = parts.content === row.content ? [...parts.embeds, ...previews] : parts.embeds
  return { ...parts, embeds, mention_ids: [], mention_role_ids: [], mention_everyone: false }
}

/** Deletes copies, all of which are in one room. */
export async function deleteCopies(deps: SendDeps, copies: readonly CopyRow[]): Promise<void> {
  const [first] = copies
  if (first === undefined || first.room_id === null) return
  const place = { tenantId: first.space_id, channelId: first.room_id }
  const ids = copies.flatMap(({ message_id }) => message_id ?? [])
  await deps.database.transaction((transaction) => deleteMessages(transaction, place, ids))
}
