import type { FollowRemoteRoomBody, FollowRoomBody, RoomFollowers } from '@foyer/protocol/follows'
import type { CreateRoomBody, Room, UpdateRoomBody } from '@foyer/protocol/rooms'
import type { Webhook } from '@foyer/protocol/webhooks'
import { type CallOptions, path, type Rest } from '../rest.ts'

export class Rooms {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Lists the rooms of the space that the caller may view. */
  list(spaceId: string, options?: CallOptions): Promise<Room[]> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/spaces/${spaceId}/rooms` })
  }

  create(spaceId: string, body: CreateRoomBody, options?: CallOptions): Promise<Room> {
    return this.#rest.request({ ...options, method: 'POST', path: path`/api/spaces/${spaceId}/rooms`, body })
  }

  /** Omitted fields stay unchanged; null clears a field. */
  update(spaceId: string, roomId: string, body: UpdateRoomBody, options?: CallOptions): Promise<Room> {
    return this.#rest.request({
      ...options,
      method: 'PATCH',
      path: path`/api/spaces/${spaceId}/rooms/${roomId}`,
      body,
    })
  }

  delete(spaceId: string, roomId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({
      ...options,
      method: 'DELETE',
      path: path`/api/spaces/${spaceId}/rooms/${roomId}`,
    })
  }

  /**
   * Follows an announcement room: its new messages are copied into the target. Needs ManageSpaceWebhooks in the target.
   * Deleting the returned webhook ends the follow.
   */
  follow(sourceId: string, targetId: string, options?: CallOptions): Promise<Webhook> {
    const body: FollowRoomBody = { room_id: targetId }
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: path`/api/rooms/${sourceId}/followers`,
      body,
    })
  }

  /**
   * Follows an announcement room of another Foyer server: its new messages are copied into the target. Needs
   * ManageSpaceWebhooks in the target. Deleting the returned webhook ends the follow.
   * @param url address of the room's page on the web
   */
  followRemote(targetId: string, url: string, options?: CallOptions): Promise<Webhook> {
    const body: FollowRemoteRoomBody = { url }
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: path`/api/rooms/${targetId}/remote-follows`,
      body,
    })
  }

  /** Returns how many rooms follow an announcement room. Needs ManageChannels. */
  followers(sourceId: string, options?: CallOptions): Promise<RoomFollowers> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/rooms/${sourceId}/followers` })
  }
}
