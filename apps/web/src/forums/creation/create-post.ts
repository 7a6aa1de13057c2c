import type { CreateThreadBody, OwnThread } from '@foyer/protocol/thread-rooms'
import { Forums } from '@foyer/sdk/api/forums'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import type { Session } from '#src/session/session.ts'

/** Makes a post, with its files in the same request. */
export async function createPost(
  { client, store }: Session,
  forumId: string,
  body: CreateThreadBody,
  files: readonly File[],
): Promise<OwnThread> {
  const thread =
    files.length === 0
      ? await client.api(ThreadRooms).create(forumId, body)
      : await client.api(Forums).createWithFiles(forumId, body, files)
  store.dispatch('threads_loaded', [thread])
  return thread
}
