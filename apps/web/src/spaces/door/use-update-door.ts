import type { UpdateDoorBody } from '@foyer/protocol/door'
import { useSession } from '#src/session/context.ts'

/** Returns a function that changes the door of a space, and shows the change before its event arrives. */
export function useUpdateDoor(spaceId: string): (body: UpdateDoorBody) => Promise<void> {
  const { client, store } = useSession()
  return async (body) => store.adopt('SPACE_DOOR_UPDATE', await client.door.update(spaceId, body))
}
