import { DEFAULT_PERMISSIONS } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import type { CreateSpaceBody, CreateSpaceResult, SpaceState } from '@foyer/protocol/spaces'
import { topicOf } from '#src/kernel/bus.ts'
import type { Caller } from '#src/kernel/credentials.ts'
import type { Database } from '#src/kernel/database.ts'
import { event } from '#src/kernel/events.ts'
import { newId } from '#src/kernel/ids.ts'
import { insertRooms, insertSpace, type NewRoom } from './queries.ts'
import { listSpaceStates } from './state.ts'

/** Makes a space with the role @everyone and its first rooms; the caller owns it and is its first member. */
export async function createSpace(
  { database }: { database: Database },
  caller: Caller,
  body: CreateSpaceBody,
): Promise<CreateSpaceResult> {
  const spaceId = newId()
  const state = await database.transaction(async (transaction) => {
    await insertSpace(transaction, {
      id: spaceId,
      name: body.name,
      description: body.description || null,
      ownerId: caller.user.id,
      everyonePermissions: DEFAULT_PERMISSIONS,
    })
    await insertRooms(transaction, spaceId, firstRooms())
    const [state] = await listSpaceStates(transaction, caller.user.id, [spaceId])
    if (state === undefined) throw new Error('the new space cannot be read')
    transaction.publish(event(topicOf.user(caller.user.id), 'SPACE_CREATE', state))
    return state
  })
  return resultOf(state)
}

function firstRooms(): NewRoom[] {
  const [texts, voices] = [newId(), newId()]
  return [
    { id: texts, name: 'Text rooms', type: RoomType.Category, parentId: null, position: 0 },
    { id: newId(), name: 'general', type: RoomType.Text, parentId: texts, position: 1 },
    { id: voices, name: 'Voice rooms', type: RoomType.Category, parentId: null, position: 2 },
    { id: newId(), name: 'lounge', type: RoomType.Voice, parentId: voices, position: 3 },
  ]
}

function resultOf(state: SpaceState): CreateSpaceResult {
  const { rooms, roles, member } = state
  return { space: state, rooms, roles, member }
}
