import { useMemo } from 'react'
import { t } from '#src/language/texts.ts'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { roomLabel } from '#src/rooms/names/room-name.ts'
import { useAppState } from '#src/session/context.ts'

/** Returns a function that names rooms. For users who may not view every room, a missing room may just be hidden. */
export function useRoomNames(spaceId: string): (roomId: string) => string {
  const rooms = useAppState((state) => state.rooms)
  const { isAdministrator } = usePermissions(spaceId)
  const missing = isAdministrator ? t('Deleted room') : t('Deleted or hidden room')
  return useMemo(
    () => (roomId) => {
      const room = rooms[roomId]
      return room === undefined ? missing : roomLabel(room)
    },
    [rooms, missing],
  )
}
