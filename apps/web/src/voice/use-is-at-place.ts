import { useRoute } from 'wouter'
import { useVoice } from './use-voice.ts'

/** Whether the page that is open is of the voice room that one is in, or was to be: it says all there is to say. */
export function useIsAtPlace(): boolean {
  const [, shown] = useRoute('/spaces/:spaceId/rooms/:roomId/:messageId?')
  const roomId = useVoice(({ status }) => status.place?.room_id)
  return roomId !== undefined && roomId === shown?.roomId
}
