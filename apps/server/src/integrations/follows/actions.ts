import { limits, MAX_FOLLOWERS } from '@foyer/protocol/limits'
import { Permission } from '@foyer/protocol/permissions'
import { keepOrDiscard } from '#src/files/objects/actions.ts'
import { type CopyDeps, copyFiles } from '#src/files/objects/copies.ts'
import { findFile } from '#src/files/objects/queries.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { accessRoom, accessSpace, type HeldSpace, holdSpace, type RoomAccess } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import type { WebhookRow } from '../webhooks/queries.ts'
import { checkNewFollower, insertFollowerWebhook, type NewFollower } from './new-followers.ts'
import { countFollows, holdSource, insertFollow } from './queries.ts'

export type FollowDeps = CopyDeps & { snapshots: Snapshots }

/**
 * Access to an announcement room.
 * @throws ApiError with the errors of `accessRoom`, and 400 for a room that does not announce
 */
export async function accessSource(
  { snapshots }: Pick<FollowDeps, 'snapshots'>,
  caller: Caller,
  roomId: string,
  needed = 0,
): Promise<RoomAccess> {
  const source = await accessRoom(snapshots, caller, roomId, needed)
  if (source.room.announces !== true) throw new ApiError('not_an_announcement_room')
  return source
}

/**
 * Makes the room a follower of the announcement room, by a webhook with the name and icon of the announcement room's space.
 * @throws ApiError 400 if the follower is not another text room, and at the limits of webhooks and followers; 403 if the
 *   caller may not manage webhooks in the follower's space; 409 if the room already follows
 */
export async function followRoom(deps: FollowDeps, source: RoomAccess, roomId: string): Promise<WebhookRow> {
  const { caller } = source
  const spaceId = await deps.snapshots.findSpaceOfRoom(roomId)
  if (spaceId === undefined) throw new ApiError('unfit_follower')
  const access = await accessSpace(deps.snapshots, caller, spaceId, Permission.ManageSpaceWebhooks)
  const id = newId()
  const { name, icon } = source.snapshot.space
  const pictures = await copyIcon(deps, { tenantId: spaceId, ownerId: id }, icon)
  const webhook = {
    ...{ space_id: spaceId, id, room_id: roomId, creator_id: caller.user.id, token: null, secret: null },
    name: Array.from(name).slice(0, limits.nameMax).join(''),
    avatar: pictures[0]?.id ?? null,
    source_space_id: source.spaceId,
    source_room_id: source.room.id,
    source_server: null,
  }
  return keepOrDiscard(deps, pictures, () =>
    deps.database.transactionIn(spaceId, async (transaction) => {
      const held = await holdSpace(transaction, access, Permission.ManageSpaceWebhooks)
      return insertFollower(transaction, held, webhook)
    }),
  )
}

async function insertFollower(
  transaction: Transaction,
  held: HeldSpace,
  webhook: NewFollower,
): Promise<WebhookRow> {
  await checkNewFollower(transaction, held, webhook)
  const source = { spaceId: webhook.source_space_id, roomId: webhook.source_room_id }
  if (!(await holdSource(transaction, source))) throw new ApiError('not_an_announcement_room')
  if ((await countFollows(transaction, source)) >= MAX_FOLLOWERS) throw new ApiError('too_many_followers')
  const inserted = await insertFollowerWebhook(transaction, held, webhook)
  await insertFollow(transaction, source, { webhook_id: webhook.id, follower_space_id: held.spaceId })
  return inserted
}

/** Copies the icon of the announcement room's space. If it cannot be stored, the follow has no picture. */
async function copyIcon(
  deps: CopyDeps,
  home: { tenantId: string; ownerId: string },
  icon: string | null,
): Promise<FileRow[]> {
  const file = icon === null ? undefined : await findFile(deps.database, icon)
  if (file === undefined) return []
  const target = { ...home, purpose: 'avatar', where: 'own' } as const
  return copyFiles(deps, target, [file]).catch((error: unknown) => {
    if (error instanceof ApiError) return []
    throw error
  })
}
