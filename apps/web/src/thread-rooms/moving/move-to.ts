import type { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { ApiError } from '@foyer/sdk/rest'

/** Thread that the messages go to: an existing one, or a new one with a title. */
export type Target = { readonly id: string } | { readonly title: string }

interface Moved {
  readonly roomId: string
  readonly target: Target
  readonly ids: string[]
}

/** Moves messages into a thread, which is created first if it is new. */
export async function moveTo(threads: ThreadRooms, { roomId, target, ids }: Moved): Promise<void> {
  if ('id' in target) {
    await threads.move(target.id, ids)
    return
  }
  const created = await threads.create(roomId, { title: target.title.trim() })
  try {
    await threads.move(created.id, ids)
  } catch (error) {
    // Deletes the new thread only after a refusal. After any other error, it may already contain the messages.
    const isRefused = error instanceof ApiError && error.status < 500
    if (isRefused) await threads.delete(created.id).catch(() => undefined)
    throw error
  }
}
