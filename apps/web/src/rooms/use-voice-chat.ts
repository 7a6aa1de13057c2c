import { useCallback } from 'react'
import { dropThread } from '#src/messages/reading/open-thread.ts'
import { useAppState, useSession } from '#src/session/context.ts'

/** Returns the state of the chat of a voice room, and a function that opens or closes it. */
export function useVoiceChat(roomId: string) {
  const session = useSession()
  const isOpen = useAppState(({ openChats }) => openChats[roomId] === true)
  const turn = useCallback(
    (is_open: boolean) => {
      // The open thread belongs to the chat, and closes with it.
      if (!is_open) dropThread(session)
      session.store.dispatch('chat_turned', { room_id: roomId, is_open })
    },
    [session, roomId],
  )
  return { isOpen, turn }
}
