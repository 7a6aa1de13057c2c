import type { Space, UpdateSpaceBody } from '@foyer/protocol/spaces'
import { topicOf } from '#src/kernel/bus.ts'
import type { Database } from '#src/kernel/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { event } from '#src/kernel/events.ts'
import { findUsers } from '#src/users/queries.ts'
import type { SpaceAccess } from './access.ts'
import { accessChange } from './access-change.ts'
import { holdManagedSpace, holdOwnedSpace } from './management-access.ts'
import { listMemberships, markSpaceDeleted, saveSpace } from './queries.ts'

interface Deps {
  database: Database
}

/**
 * Changes the fields that are given; null clears. What changes nothing tells nobody.
 * @throws ApiError 400 for an image other than the one that is there
 */
export async function updateSpace(
  { database }: Deps,
  access: SpaceAccess,
  body: UpdateSpaceBody,
): Promise<Space> {
  return database.transaction(async (transaction) => {
    const { space } = (await holdManagedSpace(transaction, access)).snapshot
    const saved = await saveSpace(transaction, withChanges(space, body))
    if (saved === undefined) return space
    transaction.publish(event(topicOf.space(space.id), 'SPACE_UPDATE', saved))
    return saved
  })
}

/** From here on nobody is a member; the rows stay. */
export async function deleteSpace({ database }: Deps, access: SpaceAccess): Promise<void> {
  const { spaceId } = access
  await database.transaction(async (transaction) => {
    await holdOwnedSpace(transaction, access)
    await markSpaceDeleted(transaction, spaceId)
    transaction.publish(event(topicOf.space(spaceId), 'SPACE_DELETE', { space_id: spaceId }))
    transaction.publish(accessChange(spaceId))
  })
}

/** @throws ApiError 404 for who is no member, 400 for a bot and for the owner */
export async function transferSpace({ database }: Deps, access: SpaceAccess, userId: string): Promise<Space> {
  const { spaceId, caller } = access
  return database.transaction(async (transaction) => {
    const { space } = (await holdOwnedSpace(transaction, access)).snapshot
    if (userId === caller.user.id) throw new ApiError('already_owner')
    // A member stays one while the space is held: accounts that are deleted leave their spaces first.
    const [member] = await listMemberships(transaction, userId, [spaceId])
    if (member === undefined) throw new ApiError('unknown_member')
    const [user] = await findUsers(transaction, [userId])
    if (user?.is_bot !== false) throw new ApiError('bots_cannot_own')
    const saved = (await saveSpace(transaction, { ...space, owner_id: userId })) ?? space
    transaction.publish(accessChange(spaceId))
    transaction.publish(event(topicOf.space(spaceId), 'SPACE_UPDATE', saved))
    return saved
  })
}

function withChanges(space: Space, { name, description, icon, banner, locale }: UpdateSpaceBody): Space {
  return {
    ...space,
    name: name ?? space.name,
    description: description === undefined ? space.description : description || null,
    icon: keptImage(space.icon, icon),
    banner: keptImage(space.banner, banner),
    locale: locale === undefined ? space.locale : locale,
  }
}

function keptImage(current: string | null, given: string | null | undefined): string | null {
  if (given === undefined || given === current) return current
  if (given === null || given === '') return null
  throw new ApiError('image_needs_multipart')
}
