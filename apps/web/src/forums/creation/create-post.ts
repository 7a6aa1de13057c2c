import type { CreateThreadBody, OwnThread } from '@foyer/protocol/thread-rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { ApiError } from '@foyer/sdk/rest'
import { attachedFields, expiredUploads } from '#src/attachments/transfer/attached.ts'
import type { Session } from '#src/session/session.ts'

/**
 * Makes a post with the files of its draft, once all are stored. A post that is held for review keeps them, too.
 * @returns null if a moderator looks at its text first
 * @throws {UploadFailure} if a file is refused or removed
 */
export async function createPost(
  { client, store, uploads }: Session,
  forumId: string,
  body: CreateThreadBody,
): Promise<OwnThread | null> {
  const uploadIds = uploads.api.getState().drafts[forumId] ?? []
  const attached = { uploadIds, attachmentIds: await uploads.stored(uploadIds) }
  const fields = attachedFields(uploads.api.getState(), attached)
  const post = await client
    .api(ThreadRooms)
    .create(forumId, { ...body, ...fields })
    .catch((error) => {
      if (isHeld(error)) return null
      uploads.expire(expiredUploads(attached, error))
      throw error
    })
  uploads.take(forumId)
  uploads.settle(uploadIds)
  if (post !== null) store.dispatch('threads_loaded', [post])
  return post
}

function isHeld(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'held_for_review'
}
