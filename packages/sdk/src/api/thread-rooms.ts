import type {
  CreateThreadBody,
  FollowLevel,
  ListFollowedThreadsQuery,
  ListThreadsQuery,
  OwnThread,
  ThreadFollow,
  ThreadPage,
  UpdateThreadBody,
} from '@foyer/protocol/thread-rooms'
import { type CallOptions, path, type Rest } from '../rest.ts'

/**
 * Threads of text rooms. In all methods for messages, reactions, pins, typing and read states, a thread's id can take
 * the place of a room's id. The gateway sends events of threads to clients with `capabilities: ['threads']`.
 */
export class ThreadRooms {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Starts a thread, which the caller then follows. With `content`, it begins with a message. */
  create(roomId: string, body: CreateThreadBody, options?: CallOptions): Promise<OwnThread> {
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: path`/api/rooms/${roomId}/threads`,
      body,
    })
  }

  /** Lists the threads of a room, the newest activity first. For the next page, pass `next` as `before`. */
  list(roomId: string, query: ListThreadsQuery = {}, options?: CallOptions): Promise<ThreadPage> {
    return this.#rest.request({
      ...options,
      method: 'GET',
      path: path`/api/rooms/${roomId}/threads`,
      query,
    })
  }

  /** Lists the threads that the caller follows, in all spaces, the newest activity first. */
  listFollowed(query: ListFollowedThreadsQuery = {}, options?: CallOptions): Promise<ThreadPage> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/users/@me/threads', query })
  }

  get(threadId: string, options?: CallOptions): Promise<OwnThread> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/threads/${threadId}` })
  }

  /** Changes a thread. Needs ManageThreads, unless the caller started the thread. */
  update(threadId: string, body: UpdateThreadBody, options?: CallOptions): Promise<OwnThread> {
    return this.#rest.request({ ...options, method: 'PATCH', path: path`/api/threads/${threadId}`, body })
  }

  /** Deletes the thread and its messages. Needs ManageThreads. */
  delete(threadId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: path`/api/threads/${threadId}` })
  }

  /** Moves messages from the thread's room, or from other threads of that room, into the thread. Needs ManageThreads. */
  move(threadId: string, messageIds: string[], options?: CallOptions): Promise<OwnThread> {
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: path`/api/threads/${threadId}/move`,
      body: { message_ids: messageIds },
    })
  }

  /**
   * Moves all messages into another thread of the room, and deletes the emptied thread. The call returns after the
   * first 100 messages; the others follow until THREAD_DELETE of the emptied thread. Needs ManageThreads.
   */
  merge(threadId: string, into: string, options?: CallOptions): Promise<OwnThread> {
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: path`/api/threads/${threadId}/merge`,
      body: { into },
    })
  }

  follow(threadId: string, level: FollowLevel = 'all', options?: CallOptions): Promise<ThreadFollow> {
    return this.#rest.request({
      ...options,
      method: 'PUT',
      path: path`/api/threads/${threadId}/follow`,
      body: { level },
    })
  }

  unfollow(threadId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: path`/api/threads/${threadId}/follow` })
  }
}
