import type { CreateThreadBody, OwnThread } from '@foyer/protocol/thread-rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { ApiError } from '@foyer/sdk/rest'
import { attachedFields, expiredUploads } from '#src/attachments/transfer/attached.ts'
import type { Session } from '#src/session/session.ts'

/** A post that was made; or else a moderator looks at its text first, or one of its files is refused or removed. */
export type Outcome = OwnThread | 'held' | 'without file'

/** Makes a post with the files of its draft, once all are stored. A post that is held for review keeps them, too. */
export async function createPost(
  { client, store, uploads }: Session,
  forumId: string,
  body: CreateThreadBody,
): Promise<Outcome> {
  const uploadIds = uploads.api.getState().drafts[forumId] ?? []
  const attachmentIds = await uploads.stored(uploadIds).catch(() => null)
  if (attachmentIds === null) return 'without file'
  const files = attachedFields(uploads.api.getState(), uploadIds, attachmentIds)
  const post = await client
    .api(ThreadRooms)
    .create(forumId, { ...body, ...files })
    .catch((error) => {
      if (isHeld(error)) return 'held' as const
      uploads.expire(expiredUploads(uploadIds, attachmentIds, error))
      throw error
    })
  uploads.take(forumId)
  uploads.settle(uploadIds)
  if (post !== 'held') store.dispatch('threads_loaded', [post])
  return post
}

function isHeld(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'held_for_review'
}
