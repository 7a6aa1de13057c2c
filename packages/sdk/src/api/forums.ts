import type { NotificationSetting } from '@foyer/protocol/notifications'
import type { Room } from '@foyer/protocol/rooms'
import type { CreateThreadBody, OwnThread, SimilarThreads } from '@foyer/protocol/thread-rooms'
import { type CallOptions, path, type Rest } from '../rest.ts'

/**
 * Methods for forums only. A forum is a room of type 5, and its posts are threads: see `ThreadRooms` for other methods. The
 * gateway sends their events to clients with `capabilities: ['threads', 'forums']`.
 */
export class Forums {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Lists the rooms of the space that the caller may view, including forums. */
  listRooms(spaceId: string, options?: CallOptions): Promise<Room[]> {
    return this.#rest.request({
      ...options,
      method: 'GET',
      path: path`/api/spaces/${spaceId}/rooms`,
      query: { forums: true },
    })
  }

  /**
   * Lists all notification settings of the caller, including those of forums. READY contains the same for clients with the
   * capability `forums`.
   */
  listNotificationSettings(options?: CallOptions): Promise<NotificationSetting[]> {
    return this.#rest.request({
      ...options,
      method: 'GET',
      path: '/api/users/@me/notification-settings',
      query: { forums: true },
    })
  }

  /**
   * Makes a post with files in the request, less than 32 MiB in total.
   * @param files files; a `Blob` without a name is sent as `blob`
   */
  createWithFiles(
    roomId: string,
    body: CreateThreadBody,
    files: readonly Blob[],
    options?: CallOptions,
  ): Promise<OwnThread> {
    const form = new FormData()
    form.append('payload_json', JSON.stringify(body))
    for (const file of files) form.append('files', file)
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: path`/api/rooms/${roomId}/threads`,
      body: form,
    })
  }

  /** Finds up to five posts of a forum with titles similar to the given one, which has 3 to 100 characters. */
  listSimilar(roomId: string, title: string, options?: CallOptions): Promise<SimilarThreads> {
    return this.#rest.request({
      ...options,
      method: 'GET',
      path: path`/api/rooms/${roomId}/similar`,
      query: { title },
    })
  }

  /**
   * Marks a message of a post as its answer. Allowed for the author of the post and members with ManageThreads. The author of
   * the message may do it, too, while the post has no other answer.
   */
  solve(threadId: string, messageId: string, options?: CallOptions): Promise<OwnThread> {
    return this.#rest.request({
      ...options,
      method: 'PUT',
      path: path`/api/threads/${threadId}/solution`,
      body: { message_id: messageId },
    })
  }

  /** Removes the mark of the answer from a post. */
  unsolve(threadId: string, options?: CallOptions): Promise<OwnThread> {
    return this.#rest.request({
      ...options,
      method: 'DELETE',
      path: path`/api/threads/${threadId}/solution`,
    })
  }
}
