import { useCallback } from 'react'
import { useAppState, useSession } from '#src/session/context.ts'
import { dropThread } from '#src/threads/open-thread.ts'

/** Whether the messages of a voice room are shown, and what shows and hides them. */
export function useVoiceChat(roomId: string) {
  const session = useSession()
  const isOpen = useAppState(({ openChats }) => openChats[roomId] === true)
  const turn = useCallback(
    (is_open: boolean) => {
      // A thread goes with what it is of.
      if (!is_open) dropThread(session)
      session.store.dispatch('chat_turned', { room_id: roomId, is_open })
    },
    [session, roomId],
  )
  return { isOpen, turn }
}
