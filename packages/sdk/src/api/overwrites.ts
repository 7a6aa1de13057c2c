import type { RoomOverwrite, UpsertOverwriteBody } from '@foyer/protocol/roles'
import { type CallOptions, path, type Rest } from '../rest.ts'

export class Overwrites {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  list(spaceId: string, roomId: string, options?: CallOptions): Promise<RoomOverwrite[]> {
    return this.#rest.request({
      ...options,
      method: 'GET',
      path: path`/api/spaces/${spaceId}/rooms/${roomId}/overwrites`,
    })
  }

  /** Sets the permissions of a role or member in the room, replacing their previous overwrite. */
  upsert(
    spaceId: string,
    roomId: string,
    body: UpsertOverwriteBody,
    options?: CallOptions,
  ): Promise<RoomOverwrite> {
    return this.#rest.request({
      ...options,
      method: 'PUT',
      path: path`/api/spaces/${spaceId}/rooms/${roomId}/overwrites`,
      body,
    })
  }

  delete(spaceId: string, roomId: string, targetId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({
      ...options,
      method: 'DELETE',
      path: path`/api/spaces/${spaceId}/rooms/${roomId}/overwrites/${targetId}`,
    })
  }
}
