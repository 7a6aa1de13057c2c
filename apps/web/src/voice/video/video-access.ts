import { Permission } from '@foyer/protocol/permissions'
import { useRoomPermissions } from '#src/permissions/use-permissions.ts'
import { useVoice } from '../use-voice.ts'

/** `none` if the server's voice engine does not support video. */
type Access = 'given' | 'denied' | 'none'

/** Returns whether the user may turn on the camera or share the screen in the room or call of this browser. */
export function useVideoAccess(needed: 'UseVideo' | 'ShareScreen'): Access {
  const roomId = useVoice(({ status }) => status.place?.room_id ?? null)
  // `hasVideo` is unknown until connected. Until then, video counts as supported.
  const isPossible = useVoice(({ status }) => status.hasVideo || status.phase !== 'connected')
  const rights = useRoomPermissions(roomId ?? '')
  if (!isPossible) return 'none'
  return roomId === null || rights.may(needed) ? 'given' : 'denied'
}

/** True if the user may share the sound of a screen, which needs the permission to speak. */
export function useMayShareSound(): boolean {
  const roomId = useVoice(({ status }) => status.place?.room_id ?? null)
  const rights = useRoomPermissions(roomId ?? '')
  return roomId === null || rights.may(Permission.SpeakInVoice)
}
