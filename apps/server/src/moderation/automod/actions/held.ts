import { randomUUID } from 'node:crypto'
import type { HeldMessage } from '@foyer/protocol/automod'
import { Capability } from '@foyer/protocol/capabilities'
import type { Message } from '@foyer/protocol/messages'
import type { User } from '@foyer/protocol/users'
import { accessChannel, type ChannelAccess } from '#src/channels/access.ts'
import type { Place } from '#src/channels/place.ts'
import { discardUnshown } from '#src/files/objects/actions.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { idTime } from '#src/kernel/ids.ts'
import { findOldest } from '#src/messages/queries.ts'
import { findMessage } from '#src/messages/reading.ts'
import { createMessage } from '#src/messages/sending.ts'
import type { SendDeps } from '#src/messages/writing.ts'
import { publishHeld } from '#src/moderation/screening/actions/consequences.ts'
import {
  claimHeld,
  deleteHeld,
  findHeld,
  freeHeldFiles,
  type HeldRow,
  keepHeldFiles,
  listHeldRows,
  releaseHeld,
} from '#src/moderation/screening/held-queries.ts'
import { textsOf } from '#src/moderation/screening/written.ts'
import { findCurrentUser, findUsers } from '#src/people/users/queries.ts'
import { holdSpace, type SpaceAccess } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { viewOf, visibleRooms } from '#src/spaces/snapshots.ts'
import { approvedBeginning } from '#src/thread-rooms/actions/starting.ts'
import { findThread } from '#src/thread-rooms/queries.ts'

/** Returns the messages that wait in rooms that the caller may view, oldest first. */
export async function listHeld(
  { database }: Pick<SendDeps, 'database'>,
  { spaceId, snapshot, member }: SpaceAccess,
): Promise<HeldMessage[]> {
  const roomIds = visibleRooms(snapshot, member).map(({ id }) => id)
  const rows = await listHeldRows(database, spaceId, roomIds)
  const users = await findUsers(database, [...new Set(rows.map(({ user_id }) => user_id))])
  const byId = new Map(users.map((user) => [user.id, user]))
  return rows.flatMap((row) => {
    const author = byId.get(row.user_id)
    return author === undefined ? [] : shown(row, author)
  })
}

function shown(row: HeldRow, author: User): HeldMessage {
  const { id, space_id, room_id, rule_id, rule_name, body, begins, file_ids } = row
  return {
    id,
    space_id,
    room_id,
    rule_id,
    rule_name,
    author,
    content: [...(begins === null ? [] : [begins.title]), ...textsOf(body)].join('\n'),
    file_count: file_ids.length,
    reply_to: body.reference?.message_id ?? null,
    created_at: new Date(idTime(id)).toISOString(),
  }
}

/** @throws ApiError 404 if the message is already decided, of another space, or in a room that the caller may not view */
export async function accessHeld(
  { database }: Pick<SendDeps, 'database'>,
  { spaceId, snapshot, member }: SpaceAccess,
  heldId: string,
): Promise<HeldRow> {
  const row = await findHeld(database, spaceId, heldId)
  if (row === undefined || !viewOf(snapshot, member)(row.room_id)) throw new ApiError('unknown_held_message')
  return row
}

/**
 * Posts a held message for its author, who must still be a member and view the room. The author's right to send and
 * slow mode are ignored, because a moderator decides.
 * @param row from `accessHeld`
 * @throws ApiError 404 if another moderator decides, or with the errors of sending, after which the message waits again
 */
export async function approveHeld(deps: SendDeps, access: SpaceAccess, row: HeldRow): Promise<Message> {
  const { database } = deps
  const claim = randomUUID()
  if (!(await claimHeld(database, row, claim))) throw new ApiError('unknown_held_message')
  try {
    await freeHeldFiles(database, row)
    const message = await post(deps, row)
    await database.transactionIn(row.space_id, (transaction) =>
      settle(transaction, access, row, { action: 'held_message_approve', claim }),
    )
    return message
  } catch (error) {
    await keepHeldFiles(database, row)
    await releaseHeld(database, row, claim)
    throw error
  }
}

/**
 * Discards a held message and its files.
 * @throws ApiError 404 if another moderator decides
 */
export async function rejectHeld(deps: SendDeps, access: SpaceAccess, row: HeldRow): Promise<void> {
  await deps.database.transactionIn(row.space_id, async (transaction) => {
    await settle(transaction, access, row, { action: 'held_message_reject', claim: null })
    await freeHeldFiles(transaction, row)
  })
  const files = row.file_ids.map((id) => ({ tenant_id: row.space_id, id }))
  await discardUnshown(deps.database, files)
}

interface Decision {
  readonly action: 'held_message_approve' | 'held_message_reject'
  readonly claim: string | null
}

async function settle(
  transaction: Transaction,
  access: SpaceAccess,
  row: HeldRow,
  { action, claim }: Decision,
): Promise<void> {
  const { space_id, room_id, user_id, rule_id, rule_name } = row
  const held = await holdSpace(transaction, access, 'ManageAutomod')
  const isOurs = await deleteHeld(transaction, row, claim)
  if (!isOurs) throw new ApiError('unknown_held_message')
  publishHeld(transaction, space_id)
  const target = { type: 'user', id: user_id, roomId: room_id } as const
  await record(transaction, held, action, { ...target, after: { rule_id, rule_name } })
}

/** Posts the message. Because of the nonce, a second try finds the message that the first try has posted. */
async function post(deps: SendDeps, row: HeldRow): Promise<Message> {
  const own = await send(deps, row, row.nonce ?? row.id)
  // If the content differs, the author has since used the nonce for another message.
  return own.content === (row.body.content ?? '') ? own : send(deps, row, row.id)
}

async function send(deps: SendDeps, row: HeldRow, nonce: string): Promise<Message> {
  const enter = () => enterAsAuthor(deps, row)
  const access = await enter()
  if (row.begins !== null && (await isBegun(deps, access.place)))
    return findFirstOf(deps, access.place, nonce)
  const { room } = access
  const begins =
    row.begins === null || room === null ? undefined : approvedBeginning(deps, access, room, row.begins)
  const entry = { access, enter, isApproved: true, ...(begins !== undefined && { begins }) } as const
  return JSON.parse(await createMessage(deps, entry, { body: { ...row.body, nonce }, files: [] }))
}

async function isBegun({ database }: SendDeps, { tenantId, channelId }: Place): Promise<boolean> {
  return (await findThread(database, { space_id: tenantId, id: channelId })) !== undefined
}

/**
 * Returns the first message of a thread that an earlier try has begun. Needed because the message writer recognizes a nonce
 * only for a day.
 * @throws ApiError 404 if the message was deleted since
 */
async function findFirstOf(deps: SendDeps, place: Place, nonce: string): Promise<Message> {
  const oldest = await findOldest(deps.database, place)
  const first = oldest?.nonce === nonce ? await findMessage(deps, place, oldest.id) : undefined
  if (first === undefined) throw new ApiError('unknown_message')
  return first
}

async function enterAsAuthor(
  deps: SendDeps,
  { user_id, room_id, thread_id, begins }: HeldRow,
): Promise<ChannelAccess> {
  const user = await findCurrentUser(deps.database, user_id)
  if (user === undefined) throw new ApiError('author_gone')
  // The author makes no request and so has no session. Callers of kind `bot` need none.
  const roomId = begins === null ? (thread_id ?? room_id) : room_id
  const found = await accessChannel(deps, { kind: 'bot', user }, { roomId }).catch(hideFromModerator)
  const access = begins === null || thread_id === null ? found : inNewThread(found, thread_id)
  const { AttachFiles, EmbedLinks, BypassSlowMode } = Capability
  return { ...access, capabilities: access.capabilities | AttachFiles | EmbedLinks | BypassSlowMode }
}

/**
 * Returns access to the new thread. Its id is stored with the held message, so that a second try finds the thread of
 * the first.
 */
function inNewThread(access: ChannelAccess, id: string): ChannelAccess {
  const { tenantId, channelId: parentId } = access.place
  return { ...access, place: { tenantId, channelId: id, parentId } }
}

/** Replaces errors about the author, which would look as if the moderator were not a member. */
function hideFromModerator(error: unknown): never {
  throw error instanceof ApiError && error.status === 403 ? new ApiError('author_gone') : error
}
