import { useRoute } from 'wouter'
import { useVoice } from './use-voice.ts'

/** True if the open page shows the voice room the user is in or failed to join, and so its state, too. */
export function useShowsVoiceRoom(): boolean {
  const [, shown] = useRoute('/spaces/:spaceId/rooms/:roomId/:messageId?')
  const roomId = useVoice(({ status }) => status.place?.room_id)
  return roomId !== undefined && roomId === shown?.roomId
}
