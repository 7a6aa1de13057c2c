import type { OwnThread } from '@foyer/protocol/thread-rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { ApiError } from '@foyer/sdk/rest'
import { useLocation } from 'wouter'
import { useSession } from '#src/session/context.ts'
import { nextFrame } from '#src/ui/focus/next-frame.ts'
import { threadPath } from '../list/thread-path.ts'

/** Room of a new thread, and the message that it begins from. */
export interface StartedFrom {
  roomId: string
  spaceId: string
  messageId?: string
}

interface NewThread {
  title: string
  /** Text of the first message; empty for none. */
  content: string
  movesReplies: boolean
}

/**
 * Returns a function that starts a thread and opens its page. If the message already has a thread, it opens that thread.
 * @param onDone closes the surrounding dialog
 */
export function useStartThread({ roomId, spaceId, messageId }: StartedFrom, onDone: () => void) {
  const { client, store } = useSession()
  const [, navigate] = useLocation()

  function adopt(thread: OwnThread): string {
    store.dispatch('threads_loaded', [thread])
    return thread.id
  }

  return async ({ title, content, movesReplies }: NewThread): Promise<void> => {
    const body = {
      title,
      ...(messageId !== undefined && { message_id: messageId }),
      ...(content !== '' && { content }),
      ...(movesReplies && { moves_replies: true }),
    }
    const id = await client.api(ThreadRooms).create(roomId, body).then(adopt, existingId)
    onDone()
    // The dialog restores the focus first. After that, the thread can take it.
    nextFrame(() => nextFrame(() => navigate(threadPath({ space_id: spaceId, id }))))
  }
}

/** Returns the id of the thread that another person has already started from the message. @throws any other error */
function existingId(error: unknown): string {
  if (error instanceof ApiError && error.existingThreadId !== null) return error.existingThreadId
  throw error
}
