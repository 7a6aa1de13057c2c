import type { CreateThreadBody, OwnThread } from '@foyer/protocol/thread-rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { ApiError } from '@foyer/sdk/rest'
import { attachedFields, expiredUploads } from '#src/attachments/transfer/attached.ts'
import { giveBack } from '#src/attachments/uploads/give-back.ts'
import type { Session } from '#src/session/session.ts'

/** A post that was made; or else a moderator looks at its text first, or one of its files is refused or removed. */
export type Outcome = OwnThread | 'held' | 'without file'

let sendings = 0

/**
 * Takes the files of a draft out of it, so that the next post does not show them.
 * @returns the key under which they wait
 */
export function takeFiles({ uploads }: Session, forumId: string): string {
  sendings += 1
  const key = `post ${sendings}`
  const ids = uploads.take(forumId)
  uploads.api.setState(({ drafts }) => ({ drafts: { ...drafts, [key]: ids } }))
  return key
}

/** Makes a post with the files under the key, which return to the draft if it fails. A post that is held for review keeps them. */
export async function createPost(
  session: Session,
  { forumId, filesKey, body }: { forumId: string; filesKey: string; body: CreateThreadBody },
): Promise<Outcome> {
  const { uploads } = session
  const uploadIds = uploads.api.getState().drafts[filesKey] ?? []
  const post = await postWith(session, { forumId, uploadIds, body }).catch((error) => {
    giveBack(uploads, uploads.take(filesKey), forumId)
    throw error
  })
  const ids = uploads.take(filesKey)
  if (post === 'without file') giveBack(uploads, ids, forumId)
  else uploads.settle(ids)
  return post
}

async function postWith(
  { client, store, uploads }: Session,
  { forumId, uploadIds, body }: { forumId: string; uploadIds: readonly string[]; body: CreateThreadBody },
): Promise<Outcome> {
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
  if (post !== 'held') store.dispatch('threads_loaded', [post])
  return post
}

function isHeld(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'held_for_review'
}
