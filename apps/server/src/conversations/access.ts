import { ConversationType } from '@foyer/protocol/conversations'
import { has, Permission } from '@foyer/protocol/permissions'
import { ApiError } from '#src/kernel/errors.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { lockConversation } from './change-queries.ts'
import type { ConversationFacts } from './facts.ts'
import { type ConversationRow, findConversationRow } from './queries.ts'

export interface ConversationAccessDeps {
  conversationFacts: ConversationFacts
}

const MAY_VIEW = Permission.ViewChannels | Permission.PinMessages
const MAY_SEND = MAY_VIEW | Permission.SendMessages

class Granted {
  readonly #granted = true
  readonly caller: Caller
  readonly id: string
  readonly type: number
  readonly ownerId: string | null
  readonly memberIds: readonly string[]
  /** The caller's permissions in the conversation. */
  readonly permissions: number

  constructor(caller: Caller, row: ConversationRow, permissions: number) {
    this.caller = caller
    this.id = row.id
    this.type = row.type
    this.ownerId = row.owner_id
    this.memberIds = row.memberIds
    this.permissions = permissions
  }

  get isGranted(): boolean {
    return this.#granted
  }
}

/** Proof that the caller is in the conversation. Only `accessConversation` and `holdGroup` make one. */
export type ConversationAccess = Granted

/**
 * @param permission bits that the caller needs in the conversation
 * @throws ApiError 404 for non-members; 403 if a block or the other user's deleted account forbids sending, and for bits that
 * no conversation grants
 */
export async function accessConversation(
  { conversationFacts }: ConversationAccessDeps,
  caller: Caller,
  conversationId: string,
  permission = 0,
): Promise<ConversationAccess> {
  const row = withMember(await conversationFacts.find(conversationId), caller)
  const isOpen = await conversationFacts.isOpenToTalk(row)
  const permissions = isOpen ? MAY_SEND : MAY_VIEW
  if (!has(MAY_SEND, permission)) throw new ApiError('missing_permission')
  if (!has(permissions, permission)) throw new ApiError('blocked_conversation')
  return new Granted(caller, row, permissions)
}

/**
 * Locks the group and checks access again. Changes of a group run one after another, each on the previous result.
 * @throws ApiError 404 for former members, 400 for a direct conversation
 */
export async function holdGroup(
  transaction: Queryable,
  { caller, id }: ConversationAccess,
): Promise<ConversationAccess> {
  await lockConversation(transaction, id)
  const row = withMember(await findConversationRow(transaction, id), caller)
  if (row.type !== ConversationType.Group) throw new ApiError('not_a_group')
  return new Granted(caller, row, MAY_SEND)
}

function withMember(row: ConversationRow | undefined, { user }: Caller): ConversationRow {
  if (row === undefined || !row.memberIds.includes(user.id)) throw new ApiError('unknown_conversation')
  return row
}
