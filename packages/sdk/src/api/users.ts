import type { ChooseStatusBody, ChosenStatus, UserStatus } from '@foyer/protocol/presence'
import type { Space } from '@foyer/protocol/spaces'
import type {
  CurrentUser,
  DeleteCurrentUserBody,
  Mutual,
  UpdateCurrentUserBody,
  User,
} from '@foyer/protocol/users'
import { type WithImages, withImages } from '../image-form.ts'
import { type CallOptions, path, type Rest } from '../rest.ts'

export type UpdateCurrentUserFields = WithImages<UpdateCurrentUserBody, 'avatar' | 'banner'>

const STATUS = '/api/users/@me/status'

export class Users {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  me(options?: CallOptions): Promise<CurrentUser> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/users/@me' })
  }

  /**
   * Omitted fields stay unchanged; null clears a field. A new avatar or banner is a PNG, JPEG, WebP, GIF or AVIF of up
   * to 10 MB.
   */
  updateMe(fields: UpdateCurrentUserFields, options?: CallOptions): Promise<CurrentUser> {
    const body = withImages(fields, ['avatar', 'banner'])
    return this.#rest.request({ ...options, method: 'PATCH', path: '/api/users/@me', body })
  }

  /** Returns the status that the caller chose for all of their devices. READY contains the same. */
  status(options?: CallOptions): Promise<UserStatus> {
    return this.#rest.request({ ...options, method: 'GET', path: STATUS })
  }

  /**
   * Sets the status for all devices of the caller, until its end or until they choose another one.
   * @param chosen the status alone, or with the time (ISO 8601) at which it ends
   */
  chooseStatus(chosen: ChosenStatus | ChooseStatusBody, options?: CallOptions): Promise<UserStatus> {
    const body = typeof chosen === 'string' ? { status: chosen } : chosen
    return this.#rest.request({ ...options, method: 'PUT', path: STATUS, body })
  }

  /** Deletes the account and all personal data in it. Messages stay, under an anonymous name. */
  deleteMe(body: DeleteCurrentUserBody, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: '/api/users/@me', body })
  }

  get(userId: string, options?: CallOptions): Promise<User> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/users/${userId}` })
  }

  /** Returns the spaces and friends that the caller and another user have in common. Only for people. */
  mutual(userId: string, options?: CallOptions): Promise<Mutual> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/users/${userId}/mutual` })
  }

  /** Finds a user by the exact username, ignoring case. Only for people. */
  find(username: string, options?: CallOptions): Promise<User> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/users/by-username/${username}` })
  }

  /** Lists the spaces of the caller. */
  listSpaces(options?: CallOptions): Promise<Space[]> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/users/@me/spaces' })
  }
}
