import { RoomType } from '@foyer/protocol/rooms'
import type { Space, TransferSpaceBody, UpdateSpaceBody } from '@foyer/protocol/spaces'
import { nextImage, replaceImages } from '#src/files/images/actions.ts'
import type { NewImages } from '#src/files/images/fields.ts'
import { hideSpaceFiles } from '#src/files/objects/actions.ts'
import { checkTransferredFiles } from '#src/files/objects/owner-room.ts'
import type { OwnLimits } from '#src/files/objects/queries.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { lacksSecondFactor } from '#src/kernel/secrets/second-factor-rule.ts'
import { OWN_REFUSALS, type SecondFactorDeps, withCode } from '#src/people/auth/second-factors/proof.ts'
import { findUsers } from '#src/people/users/queries.ts'
import type { SpaceAccess } from '../access.ts'
import { accessChange } from '../access-change.ts'
import { markSpaceDeleted } from '../deleted-queries.ts'
import { publishWaitingEnd } from '../door/actions.ts'
import { deleteNewcomersOf } from '../door/queries.ts'
import { holdManagedSpace, holdOwnedSpace } from '../management-access.ts'
import { endTimeout, keepMember } from '../membership.ts'
import { type AddedRows, checkOwnerLimits } from '../owner-limits.ts'
import { listMemberships, saveFreeze, saveSpace } from '../queries.ts'
import type { SpaceSnapshot } from '../snapshots.ts'
import { record, targetOf } from './audit.ts'

interface Deps {
  database: Database
}

interface TransferDeps extends SecondFactorDeps {
  ownLimits: Pick<OwnLimits, 'ownerMaxBytes'>
}

/**
 * Changes the given fields; null clears a field. Publishes nothing if nothing changed.
 * @param images stored images that are not shown yet
 * @throws ApiError 400 for an image that is neither in `images` nor the current one, and for a system room that is no text
 * room of the space
 */
export async function updateSpace(
  { database }: Deps,
  access: SpaceAccess,
  body: UpdateSpaceBody,
  images: NewImages = {},
): Promise<Space> {
  return database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdManagedSpace(transaction, access)
    const { space, rooms } = held.snapshot
    checkSystemRoom(rooms, body.system_room_id ?? null)
    checkSecondFactorRule(held, body)
    const saved = await saveSpace(transaction, withChanges(space, body, images))
    if (saved === undefined) return space
    await replaceImages(transaction, space.id, [space.icon, space.banner], [saved.icon, saved.banner])
    transaction.publish(event(topicOf.space(space.id), 'SPACE_UPDATE', saved))
    await record(transaction, held, 'space_update', { ...targetOf(saved), before: space, after: saved })
    return saved
  })
}

/**
 * Marks the space deleted: it can no longer be entered, and the URLs of its files stop working. Operators can bring it back
 * until a job purges it.
 */
export async function deleteSpace({ database }: Deps, access: SpaceAccess): Promise<void> {
  const { spaceId } = access
  await database.transactionIn(spaceId, async (transaction) => {
    await holdOwnedSpace(transaction, access)
    await endSpace(transaction, spaceId)
  })
}

/** Marks a space locked by `lockSpace` as deleted, and publishes this. */
export async function endSpace(transaction: Transaction, spaceId: string): Promise<void> {
  for (const userId of await deleteNewcomersOf(transaction, spaceId))
    publishWaitingEnd(transaction, spaceId, userId)
  await markSpaceDeleted(transaction, spaceId)
  await hideSpaceFiles(transaction, spaceId)
  transaction.publish(event(topicOf.space(spaceId), 'SPACE_DELETE', { space_id: spaceId }))
  transaction.publish(accessChange(spaceId))
}

/**
 * Freezes a space locked by `lockSpace`, or unfreezes it. Members of a frozen space can only read.
 * @returns undefined if nothing changed
 */
export async function changeFreeze(
  transaction: Transaction,
  spaceId: string,
  freeze: { reason: string | null } | null,
): Promise<Space | undefined> {
  const space = await saveFreeze(transaction, spaceId, freeze)
  if (space === undefined) return undefined
  transaction.publish(accessChange(spaceId))
  transaction.publish(event(topicOf.space(spaceId), 'SPACE_UPDATE', space))
  return space
}

/**
 * Transfers the space to another member.
 * @throws ApiError 404 if the new owner is not a member, 400 for a bot, for the current owner, and if the new owner would
 * exceed the limit of rooms or overwrites, 413 if they would exceed the limit of files. Also 400 for a missing code if the
 * caller has a second factor
 */
export async function transferSpace(
  deps: TransferDeps,
  access: SpaceAccess,
  { user_id: userId, code }: TransferSpaceBody,
): Promise<Space> {
  const { database, ownLimits } = deps
  const { spaceId, caller } = access
  const given = { code, refusals: OWN_REFUSALS }
  const transfer = async (transaction: Transaction) => {
    const held = await holdOwnedSpace(transaction, access)
    const { snapshot } = held
    const { space } = snapshot
    if (userId === caller.user.id) throw new ApiError('already_owner')
    // The space's lock keeps the new owner's account, too: an account leaves its spaces before it is deleted.
    const [member] = await listMemberships(transaction, userId, [spaceId])
    if (member === undefined) throw new ApiError('unknown_member')
    const [user] = await findUsers(transaction, [userId])
    if (user?.is_bot !== false) throw new ApiError('bots_cannot_own')
    await checkTransferredFiles(transaction, { spaceId, from: space.owner_id, to: userId }, ownLimits)
    const saved = (await saveSpace(transaction, { ...space, owner_id: userId })) ?? space
    await checkOwnerLimits(transaction, userId, rowsOf(snapshot))
    await keepMember(transaction, spaceId, userId)
    transaction.publish(accessChange(spaceId))
    transaction.publish(event(topicOf.space(spaceId), 'SPACE_UPDATE', saved))
    if (member.timeout_until !== null) {
      await endTimeout(transaction, spaceId, userId)
      const released = { ...member, timeout_until: null }
      transaction.publish(event(topicOf.space(spaceId), 'SPACE_MEMBER_UPDATE', released))
    }
    await record(transaction, held, 'space_transfer', { ...targetOf(saved), before: space, after: saved })
    return saved
  }
  return withCode(deps, caller.user.id, given, (spend) =>
    database.transactionIn(spaceId, async (transaction) => {
      const saved = await transfer(transaction)
      await spend(transaction)
      return saved
    }),
  )
}

function rowsOf({ rooms, overwrites }: SpaceSnapshot): AddedRows {
  return { rooms: rooms.size, overwrites: [...overwrites.values()].flat().length }
}

function checkSystemRoom(rooms: SpaceSnapshot['rooms'], roomId: string | null): void {
  if (roomId !== null && rooms.get(roomId)?.type !== RoomType.Text) throw new ApiError('not_a_text_room')
}

/** Allows a change of `needs_second_factor` only to an owner who has a second factor. */
function checkSecondFactorRule(
  { snapshot: { space }, caller }: SpaceAccess,
  { needs_second_factor = space.needs_second_factor }: UpdateSpaceBody,
): void {
  if (needs_second_factor === space.needs_second_factor) return
  if (space.owner_id !== caller.user.id) throw new ApiError('owner_only')
  if (lacksSecondFactor(caller)) throw new ApiError('second_factor_needed')
}

function withChanges(space: Space, body: UpdateSpaceBody, images: NewImages): Space {
  const { name, description, icon, banner, locale, system_room_id, audit_log_days } = body
  return {
    ...space,
    name: name ?? space.name,
    description: description === undefined ? space.description : description || null,
    icon: nextImage(space.icon, icon, images.icon),
    banner: nextImage(space.banner, banner, images.banner),
    locale: locale === undefined ? space.locale : locale || null,
    system_room_id: system_room_id === undefined ? space.system_room_id : system_room_id || null,
    audit_log_days: audit_log_days === undefined ? space.audit_log_days : audit_log_days,
    retention_days: body.retention_days === undefined ? space.retention_days : body.retention_days,
    needs_second_factor: body.needs_second_factor ?? space.needs_second_factor,
  }
}
