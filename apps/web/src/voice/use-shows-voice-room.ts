import { useRoute } from 'wouter'
import { useVoice } from './use-voice.ts'

/** True if the open page is the voice room that the user is in or failed to join. The page then shows the state of voice. */
export function useShowsVoiceRoom(): boolean {
  const [, shown] = useRoute('/spaces/:spaceId/rooms/:roomId/:messageId?')
  const roomId = useVoice(({ status }) => status.place?.room_id)
  return roomId !== undefined && roomId === shown?.roomId
}
