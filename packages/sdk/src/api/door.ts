import type {
  DecidedNewcomers,
  Door,
  LetInBody,
  ListNewcomersQuery,
  Newcomer,
  RemoveNewcomersBody,
  UpdateDoorBody,
  WaitingSpace,
} from '@foyer/protocol/door'
import { type CallOptions, path, type Rest } from '../rest.ts'

/** The door of a space, for members with KickMembers; and the spaces at whose door the caller waits. */
export class DoorControl {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  get(spaceId: string, options?: CallOptions): Promise<Door> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/spaces/${spaceId}/door` })
  }

  /** Closes or opens the door, and changes its sensor. Omitted fields stay unchanged. */
  update(spaceId: string, body: UpdateDoorBody, options?: CallOptions): Promise<Door> {
    return this.#rest.request({ ...options, method: 'PATCH', path: path`/api/spaces/${spaceId}/door`, body })
  }

  /** Sorted by user id. For the next page, pass the last user's id as `after`. */
  listNewcomers(spaceId: string, query: ListNewcomersQuery = {}, options?: CallOptions): Promise<Newcomer[]> {
    const where = path`/api/spaces/${spaceId}/door/newcomers`
    return this.#rest.request({ ...options, method: 'GET', path: where, query })
  }

  /** Lets in the named newcomers, or all of them. They become members within seconds. */
  letIn(spaceId: string, body: LetInBody = {}, options?: CallOptions): Promise<DecidedNewcomers> {
    const where = path`/api/spaces/${spaceId}/door/newcomers/let-in`
    return this.#rest.request({ ...options, method: 'POST', path: where, body })
  }

  /**
   * Turns away the named newcomers, or all of them. Deletes their invites and the messages they wrote in the space since they
   * joined. Needs ManageMessages besides KickMembers.
   */
  remove(spaceId: string, body: RemoveNewcomersBody = {}, options?: CallOptions): Promise<DecidedNewcomers> {
    const where = path`/api/spaces/${spaceId}/door/newcomers/remove`
    return this.#rest.request({ ...options, method: 'POST', path: where, body })
  }

  listWaitingSpaces(options?: CallOptions): Promise<WaitingSpace[]> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/users/@me/waiting-spaces' })
  }

  /** Stops waiting at the door of a space. */
  leaveDoor(spaceId: string, options?: CallOptions): Promise<void> {
    const where = path`/api/users/@me/waiting-spaces/${spaceId}`
    return this.#rest.request({ ...options, method: 'DELETE', path: where })
  }
}
