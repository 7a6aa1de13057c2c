import { Permission } from '@foyer/protocol/permissions'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import { type MouseEvent, useCallback } from 'react'
import { mayInRoom } from '#src/permissions/rights.ts'
import { useSession } from '#src/session/context.ts'
import { isInVoice } from './phases.ts'

/** Joins a voice room if the user may join it and is not in it yet. Call this while handling a click or key press. */
export function useJoinRoom(): (roomId: string) => void {
  const { store, voice } = useSession()
  return useCallback(
    (roomId) => {
      const { status } = voice.api.getState()
      const isThere = isInVoice(status) && status.place?.room_id === roomId
      if (isThere || !mayInRoom(store.get(), roomId, Permission.JoinVoice)) return
      void voice.join({ room_id: roomId })
    },
    [store, voice],
  )
}

/** A click on the link of a voice room also joins it, unless it opens another tab. */
export function useJoinOnClick({ id, type }: Pick<Room, 'id' | 'type'>) {
  const join = useJoinRoom()
  if (type !== RoomType.Voice) return undefined
  return ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) => {
    if (button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey) join(id)
  }
}
