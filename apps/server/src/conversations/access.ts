import { ConversationType } from '@foyer/protocol/conversations'
import { has, Permission } from '@foyer/protocol/permissions'
import type { Caller } from '#src/kernel/credentials.ts'
import type { Database } from '#src/kernel/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { type ConversationRow, findConversation, isBlocked } from './queries.ts'

export interface ConversationAccessDeps {
  database: Database
}

const MAY_VIEW = Permission.ViewChannels | Permission.PinMessages
const MAY_SEND = MAY_VIEW | Permission.SendMessages

class Granted {
  readonly #granted = true
  readonly caller: Caller
  readonly id: string
  readonly type: number
  readonly memberIds: readonly string[]
  /** What the caller may do there. */
  readonly permissions: number

  constructor(caller: Caller, { id, type, member_ids }: ConversationRow, permissions: number) {
    this.caller = caller
    this.id = id
    this.type = type
    this.memberIds = member_ids
    this.permissions = permissions
  }

  get isGranted(): boolean {
    return this.#granted
  }
}

/** Proof that the caller is in the conversation. Only `accessConversation` makes one. */
export type ConversationAccess = Granted

/**
 * @param permission bits that the caller must have there
 * @throws ApiError 404 for who is not in it, 403 where a block forbids to send
 */
export async function accessConversation(
  { database }: ConversationAccessDeps,
  caller: Caller,
  conversationId: string,
  permission = 0,
): Promise<ConversationAccess> {
  const row = await findConversation(database, conversationId)
  if (row === undefined || !row.member_ids.includes(caller.user.id)) throw new ApiError('unknown_conversation')
  const isCut = row.type === ConversationType.Direct && (await isBlocked(database, row.member_ids))
  const permissions = isCut ? MAY_VIEW : MAY_SEND
  if (!has(permissions, permission))
    throw new ApiError(isCut ? 'blocked_conversation' : 'missing_permission')
  return new Granted(caller, row, permissions)
}
