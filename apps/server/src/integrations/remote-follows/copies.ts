import { isDeepStrictEqual } from 'node:util'
import { EmbedType } from '@foyer/protocol/embeds'
import type { FetchDeps } from '#src/files/images/fetching.ts'
import { deleteMessages } from '#src/messages/actions/messages.ts'
import { lockMessage, lockMessages } from '#src/messages/change-queries.ts'
import { emptyContents } from '#src/messages/contents.ts'
import type { MessageRow } from '#src/messages/rows.ts'
import type { SendDeps } from '#src/messages/writing.ts'
import { changeCopy, writeCopy } from '../follows/copying.ts'
import type { Follower } from '../follows/followers.ts'
import { type CopiedParts, copiedParts } from '../follows/originals.ts'
import { linkButtonsOf } from '../webhooks/link-buttons.ts'
import type { RemoteAddress } from './addresses.ts'
import { ownEmbeds, type ShownChange } from './feed-changes.ts'
import { fetchEach } from './files.ts'
import { clearMarks, listMarks, type MarkRow, raiseMark } from './marks.ts'

export type RemoteCopyDeps = SendDeps & FetchDeps

/** The followed room, with its names. */
export interface RemoteSource extends RemoteAddress {
  space_name: string
  room_name: string
}

/**
 * Copies an announcement of another server, or updates the existing copy.
 * @param waiting `recheck` throws if the room takes no copies anymore
 */
export async function makeRemoteCopy(
  deps: RemoteCopyDeps,
  { follower, source }: { follower: Follower; source: RemoteSource },
  change: ShownChange,
  { recheck, ...waiting }: { mayWait: boolean; recheck: () => Promise<void>; signal: AbortSignal },
): Promise<void> {
  const { id, number, message } = change
  const files = await fetchEach(deps, follower, message.files, { server: source.origin, ...waiting })
  const { origin, spaceId: space_id, roomId: room_id, space_name, room_name } = source
  const names = { url: message.url, server: new URL(origin).host, space_name, room_name }
  const copy_of = { space_id, room_id, message_id: id, ...names }
  const contents = { ...emptyContents, ...partsOf(message, files.leftOut) }
  const copy = { contents, files, copy_of, sourceNumber: number }
  if (await writeCopy(deps, follower, copy, recheck)) return
  // Another process has written a copy, perhaps of an older state.
  const [mark] = await listMarks(deps.database, follower, [id])
  if (mark === undefined || mark.source_number >= number) return
  if (mark.message_id === null) throw new Error('an older deletion was read at the same time')
  await renewRemoteCopy(deps, follower, mark, change)
}

/**
 * Updates a copy to this state of its announcement, unless it shows a newer one already.
 * @throws Error if the copy was moved in the meantime
 */
export async function renewRemoteCopy(
  deps: RemoteCopyDeps,
  follower: Follower,
  mark: MarkRow,
  { number, message }: ShownChange,
): Promise<void> {
  const { room_id, message_id, space_id: tenantId } = mark
  if (room_id === null || message_id === null) return
  const place = { tenantId, channelId: room_id }
  await deps.database.transaction(async (transaction) => {
    const row = await lockMessage(transaction, place, message_id)
    if (row === undefined) {
      const [now] = await listMarks(transaction, follower, [mark.source_message_id])
      if (now !== undefined && now.room_id !== room_id) throw new Error('a copy was moved')
      return
    }
    if (!(await raiseMark(transaction, mark, number))) return
    const parts = keepPictures(row, partsOf(message, mark.left_out))
    await changeCopy(transaction, deps, { place, row }, parts)
  })
}

function partsOf({ content, flags, embeds, components }: ShownChange['message'], leftOut: readonly string[]) {
  return copiedParts({ content, flags, embeds, components: linkButtonsOf(components) }, leftOut)
}

/** Keeps the embeds of a copy, whose pictures this server has stored, unless the announcement's embeds changed. */
function keepPictures(row: MessageRow, parts: CopiedParts): CopiedParts {
  const own = (row.embeds ?? []).filter(({ type }) => type === EmbedType.Rich)
  return isDeepStrictEqual(ownEmbeds(own), parts.embeds) ? { ...parts, embeds: own } : parts
}

/** A message that is gone, with the number of that change, and the mark of its copy. */
interface Gone {
  mark: MarkRow
  number: number
}

/** Deletes the copies of messages that are gone. A message that appears again is copied again. */
export async function deleteRemoteCopies(deps: RemoteCopyDeps, gone: readonly Gone[]): Promise<void> {
  const byRoom = Map.groupBy(gone, ({ mark }) => mark.room_id)
  for (const [channelId, copies] of byRoom)
    if (channelId !== null) await deleteCopiesIn(deps, channelId, copies)
}

/** @throws Error if a copy was moved in the meantime */
async function deleteCopiesIn(
  { database }: RemoteCopyDeps,
  channelId: string,
  gone: readonly Gone[],
): Promise<void> {
  const [first] = gone
  if (first === undefined) return
  const { space_id, webhook_id } = first.mark
  const place = { tenantId: space_id, channelId }
  await database.transaction(async (transaction) => {
    const copyIds = gone.flatMap(({ mark }) => mark.message_id ?? [])
    const locked = new Set(await lockMessages(transaction, place, copyIds))
    const numbers = new Map(gone.map(({ mark, number }) => [mark.source_message_id, number]))
    const marks = await listMarks(transaction, { space_id, id: webhook_id }, [...numbers.keys()])
    if (marks.some(({ room_id }) => room_id !== null && room_id !== channelId))
      throw new Error('a copy was moved')
    // A copy deleted here keeps its mark, so it is not made again. A copy with a newer number stays: its message is
    // there again.
    const ids = marks.flatMap(({ message_id, source_message_id, source_number }) =>
      message_id !== null && locked.has(message_id) && source_number <= (numbers.get(source_message_id) ?? 0)
        ? [message_id]
        : [],
    )
    if (ids.length === 0) return
    await deleteMessages(transaction, place, ids)
    await clearMarks(transaction, first.mark, ids)
  })
}
