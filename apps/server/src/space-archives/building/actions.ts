import { MAX_SPACES } from '@foyer/protocol/limits'
import type { Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { accessChange } from '#src/spaces/access-change.ts'
import { record, targetOf } from '#src/spaces/actions/audit.ts'
import { countSpacesOf, insertMember } from '#src/spaces/membership.ts'
import { checkOwnerLimits } from '#src/spaces/owner-limits.ts'
import { listSpaceStates } from '#src/spaces/state.ts'
import { keepBuilding } from './keeping.ts'
import type { BuiltPictures } from './pictures.ts'
import { newIdOrNull, type Plan } from './plan.ts'
import { markFinished } from './queries.ts'

/**
 * Turns the built space into a normal one. Its owner is the only member, and has read all imported messages.
 * @throws ApiError 400 if the owner would exceed a limit, 401 if the owner's account was deleted; BuildingEnded if the space
 * was given up
 */
export async function finishSpace(
  transaction: Transaction,
  plan: Plan,
  { icon, banner }: BuiltPictures,
): Promise<void> {
  const { spaceId, ownerId, space } = plan
  await keepBuilding(transaction, spaceId)
  const systemRoomId = newIdOrNull(plan.rooms, space.system_room_id)
  await markFinished(transaction, spaceId, { icon, banner, systemRoomId })
  if (!(await insertMember(transaction, spaceId, ownerId))) throw new ApiError('authentication_required')
  if ((await countSpacesOf(transaction, ownerId)) > MAX_SPACES) throw new ApiError('too_many_spaces')
  const overwrites = space.rooms.reduce((sum, room) => sum + room.overwrites.length, 0)
  await checkOwnerLimits(transaction, ownerId, { rooms: space.rooms.length, overwrites })
  const [state] = await listSpaceStates(transaction, ownerId, [spaceId], { forums: false })
  if (state === undefined) throw new Error('a space that was just built cannot be read')
  transaction.publish(accessChange(spaceId))
  transaction.publish(event(topicOf.user(ownerId), 'SPACE_CREATE', state))
  const owner = { spaceId, caller: { user: { id: ownerId } } }
  await record(transaction, owner, 'space_create', { ...targetOf(state), after: state })
}
