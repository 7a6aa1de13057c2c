import type { FollowLevel, UpdateThreadBody } from '@foyer/protocol/thread-rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import type { Session } from '#src/session/session.ts'
import type { ThreadEntry } from '#src/store/state.ts'

/** Changes a thread, and shows the change without waiting for its event. */
export async function changeThread(
  { client, store }: Session,
  id: string,
  body: UpdateThreadBody,
): Promise<void> {
  const { own: _, ...thread } = await client.api(ThreadRooms).update(id, body)
  store.adopt('THREAD_UPDATE', thread)
}

/** Follows the thread at a level, or stops following it with null. */
export async function changeFollow(
  { client, store }: Session,
  { id }: ThreadEntry,
  level: FollowLevel | null,
): Promise<void> {
  const threads = client.api(ThreadRooms)
  if (level === null) return threads.unfollow(id)
  store.adopt('THREAD_FOLLOW_UPDATE', { thread_id: id, ...(await threads.follow(id, level)) })
}
