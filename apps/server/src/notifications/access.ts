import type { NotificationScope } from '@foyer/protocol/notifications'
import { accessConversation, type ConversationAccessDeps } from '#src/conversations/access.ts'
import { lockConversation } from '#src/conversations/change-queries.ts'
import { findConversationRow } from '#src/conversations/queries.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { accessRoom, accessSpace, holdRoom, type RoomAccess, type SpaceAccess } from '#src/spaces/access.ts'
import { keepSpace } from '#src/spaces/membership.ts'
import { listMemberships } from '#src/spaces/queries.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import type { SettingTarget } from './queries.ts'

export interface SettingDeps extends ConversationAccessDeps {
  snapshots: Snapshots
}

/** Proof that the caller may see the target of the setting. Only `accessTarget` makes one. */
export interface TargetAccess extends SettingTarget {
  readonly caller: Caller
  /** True for a forum. Only clients that support forums receive its setting. */
  readonly isForum?: boolean
  /**
   * Checks access again within the transaction, and locks the space or conversation until it ends. Anything that would end the
   * access, such as leaving or a deletion, waits for the lock and then deletes the new setting, too.
   */
  hold(transaction: Transaction): Promise<void>
}

/** @throws ApiError with the errors of `accessSpace`, `accessRoom` or `accessConversation`, depending on the scope */
export function accessTarget(
  deps: SettingDeps,
  caller: Caller,
  { scope, id }: { scope: NotificationScope; id: string },
): Promise<TargetAccess> {
  return targets[scope](deps, caller, id)
}

type FindTarget = (deps: SettingDeps, caller: Caller, id: string) => Promise<TargetAccess>

const targets: Record<NotificationScope, FindTarget> = {
  async space({ snapshots }, caller, id) {
    const space = await accessSpace(snapshots, caller, id)
    const place = { tenantId: id, channelId: id }
    return { scope: 'space', caller, place, hold: (transaction) => holdMembership(transaction, space) }
  },
  async room({ snapshots }, caller, id) {
    const room = await accessRoom(snapshots, caller, id)
    const place = { tenantId: room.spaceId, channelId: id }
    const isForum = room.room.forum !== undefined
    return { scope: 'room', caller, place, isForum, hold: (transaction) => holdView(transaction, room) }
  },
  async conversation(deps, caller, id) {
    await accessConversation(deps, caller, id)
    const place = { tenantId: id, channelId: id }
    return {
      scope: 'conversation',
      caller,
      place,
      hold: (transaction) => holdConversation(transaction, caller, id),
    }
  },
}

async function holdMembership(transaction: Transaction, { caller, spaceId }: SpaceAccess): Promise<void> {
  const space = await keepSpace(transaction, spaceId)
  const [member] = await listMemberships(transaction, caller.user.id, [spaceId])
  if (space === undefined || member === undefined) throw new ApiError('not_a_member')
}

async function holdView(transaction: Transaction, room: RoomAccess): Promise<void> {
  await holdRoom(transaction, room)
}

async function holdConversation(transaction: Transaction, { user }: Caller, id: string): Promise<void> {
  await lockConversation(transaction, id)
  const row = await findConversationRow(transaction, id)
  if (row === undefined || !row.memberIds.includes(user.id)) throw new ApiError('unknown_conversation')
}
