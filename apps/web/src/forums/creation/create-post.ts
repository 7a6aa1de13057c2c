import type { CreateThreadBody, OwnThread } from '@foyer/protocol/thread-rooms'
import { Forums } from '@foyer/sdk/api/forums'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { cleanName } from '#src/attachments/transfer/file-check.ts'
import type { Session } from '#src/session/session.ts'

function withCleanName(file: File): File {
  return new File([file], cleanName(file.name), { type: file.type })
}

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
      : await client.api(Forums).createWithFiles(forumId, body, files.map(withCleanName))
  store.dispatch('threads_loaded', [thread])
  return thread
}
