import { holds } from '@foyer/protocol/rights'
import type { Room } from '@foyer/protocol/rooms'
import { useMemo } from 'react'
import { useLocation } from 'wouter'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { useNames } from '#src/members/use-names.ts'
import { useRoomPermissions } from '#src/permissions/use-permissions.ts'
import { roomLabel } from '../names/room-name.ts'

/** @param home path of the thread beside the room */
export function useRoomChannel(room: Room, home?: string): OpenChannel {
  const [, navigate] = useLocation()
  const nameOf = useNames(room.space_id)
  const { flags } = useRoomPermissions(room.id)
  const { id, space_id, name, type } = room
  return useMemo(() => {
    const path = `/spaces/${space_id}/rooms/${id}`
    return {
      address: id,
      id,
      spaceId: space_id,
      label: roomLabel({ name, type }),
      path,
      home,
      rights: flags,
      nameOf,
      may: (needed) => holds(flags, needed),
      jumpTo: (messageId) => navigate(`${path}/${messageId}`, { replace: true }),
    }
  }, [id, space_id, name, type, flags, nameOf, navigate, home])
}
