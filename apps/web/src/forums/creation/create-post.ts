import type { CreateThreadBody, OwnThread } from '@foyer/protocol/thread-rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { ApiError } from '@foyer/sdk/rest'
import { attachedFields, expiredUploads } from '#src/attachments/transfer/attached.ts'
import { giveBack } from '#src/attachments/uploads/give-back.ts'
import type { Session } from '#src/session/session.ts'

/**
 * The created post, or why there is none: the user cancelled it, it is held for review, or one of its files was refused or
 * removed.
 */
export type Outcome = OwnThread | 'cancelled' | 'held' | 'without file'

export interface Sending {
  readonly forumId: string
  readonly filesKey: string
  /** Returns the final post, which can no longer be changed. Called once all files are stored. Throws if it is incomplete. */
  readonly finish: () => CreateThreadBody
  /** Aborted when the user cancels while the files are uploading. */
  readonly cancelled: AbortSignal
}

let sendings = 0

/**
 * Moves the files out of the draft, so that they do not appear in the next post.
 * @returns the key under which they are kept
 */
export function takeFiles({ uploads }: Session, forumId: string): string {
  sendings += 1
  const key = `post ${sendings}`
  const ids = uploads.take(forumId)
  uploads.api.setState(({ drafts }) => ({ drafts: { ...drafts, [key]: ids } }))
  return key
}

/**
 * Creates a post with the files under `filesKey`. If the post cannot be created, the files return to the draft, unless the user
 * cancelled it or it is held for review.
 */
export async function createPost(session: Session, sending: Sending): Promise<Outcome> {
  const { forumId, filesKey } = sending
  const { uploads } = session
  const post = await postWith(session, sending).catch((error) => {
    giveBack(uploads, uploads.take(filesKey), forumId)
    throw error
  })
  const ids = uploads.take(filesKey)
  if (post === 'cancelled') uploads.discard(ids)
  else if (post === 'without file') giveBack(uploads, ids, forumId)
  else uploads.settle(ids)
  return post
}

async function postWith(session: Session, sending: Sending): Promise<Outcome> {
  const { client, store, uploads } = session
  const { forumId, filesKey, finish, cancelled } = sending
  const stored = await storedFiles(session, filesKey)
  if (cancelled.aborted) return 'cancelled'
  if (stored === null) return 'without file'
  const { uploadIds, attachmentIds } = stored
  const files = attachedFields(uploads.api.getState(), uploadIds, attachmentIds)
  const post = await client
    .api(ThreadRooms)
    .create(forumId, { ...finish(), ...files })
    .catch((error) => {
      if (isHeld(error)) return 'held' as const
      uploads.expire(expiredUploads(uploadIds, attachmentIds, error))
      throw error
    })
  if (post !== 'held') store.dispatch('threads_loaded', [post])
  return post
}

interface StoredFiles {
  readonly uploadIds: readonly string[]
  readonly attachmentIds: readonly string[]
}

/** Waits until all files are stored, including files that are added while it waits. Null if one is refused. */
async function storedFiles(session: Session, filesKey: string): Promise<StoredFiles | null> {
  const { uploads } = session
  const list = () => uploads.api.getState().drafts[filesKey] ?? []
  const uploadIds = list()
  const attachmentIds = await uploads.stored(uploadIds).catch(() => null)
  if (list().join() !== uploadIds.join()) return storedFiles(session, filesKey)
  return attachmentIds === null ? null : { uploadIds, attachmentIds }
}

function isHeld(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'held_for_review'
}
