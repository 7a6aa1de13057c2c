import type { Block, Friend, FriendRequest, SentFriendRequest } from '@foyer/protocol/friends'
import { type CallOptions, path, type Rest } from '../rest.ts'

/** Friends, friend requests and blocks. Only for people. */
export class Friends {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  list(options?: CallOptions): Promise<Friend[]> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/users/@me/friends' })
  }

  remove(userId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: path`/api/users/@me/friends/${userId}` })
  }

  sendRequest(userId: string, options?: CallOptions): Promise<SentFriendRequest> {
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: '/api/users/@me/friends/requests',
      body: { user_id: userId },
    })
  }

  /** Pending requests that the caller received. */
  listRequests(options?: CallOptions): Promise<FriendRequest[]> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/users/@me/friends/requests' })
  }

  listSentRequests(options?: CallOptions): Promise<FriendRequest[]> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/users/@me/friends/requests/sent' })
  }

  acceptRequest(requestId: string, options?: CallOptions): Promise<Friend> {
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: path`/api/users/@me/friends/requests/${requestId}/accept`,
    })
  }

  /** Rejects a received request, or cancels a sent one. */
  deleteRequest(requestId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({
      ...options,
      method: 'DELETE',
      path: path`/api/users/@me/friends/requests/${requestId}`,
    })
  }

  listBlocks(options?: CallOptions): Promise<Block[]> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/users/@me/blocks' })
  }

  getBlock(userId: string, options?: CallOptions): Promise<Block> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/users/@me/blocks/${userId}` })
  }

  /** Blocks a user, which ends a friendship and requests in either direction. */
  block(userId: string, options?: CallOptions): Promise<Block> {
    return this.#rest.request({ ...options, method: 'PUT', path: path`/api/users/@me/blocks/${userId}` })
  }

  unblock(userId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: path`/api/users/@me/blocks/${userId}` })
  }
}
