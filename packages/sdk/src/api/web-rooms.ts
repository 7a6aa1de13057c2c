import type { OpenWebRoomBody, WebRoom } from '@foyer/protocol/web-rooms'
import { type CallOptions, path, type Rest } from '../rest.ts'

/** Rooms that people without an account can read. */
export class WebRooms {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  get(roomId: string, options?: CallOptions): Promise<WebRoom> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/rooms/${roomId}/web` })
  }

  /**
   * Opens the room to readers without an account, for owners of the space. With `backwards`, earlier messages can be read, too,
   * a week from now. Search engines may index the pages unless `is_indexed` is false.
   */
  open(roomId: string, body: OpenWebRoomBody = {}, options?: CallOptions): Promise<WebRoom> {
    return this.#rest.request({ ...options, method: 'PUT', path: path`/api/rooms/${roomId}/web`, body })
  }

  close(roomId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: path`/api/rooms/${roomId}/web` })
  }
}
