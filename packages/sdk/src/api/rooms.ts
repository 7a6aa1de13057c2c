import type { Room } from '@foyer/protocol/rooms'
import { type CallOptions, path, type Rest } from '../rest.ts'

export class Rooms {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** The rooms of the space that the caller may view. */
  list(spaceId: string, options?: CallOptions): Promise<Room[]> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/spaces/${spaceId}/rooms` })
  }
}
