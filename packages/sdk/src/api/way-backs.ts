import type { TakeBackBody, WayBack, WayBackBody } from '@foyer/protocol/way-back'
import type { CallOptions, Rest } from '../rest.ts'

const root = '/api/auth/way-back'

/** The links "This was not me" in mails about changes of an account. They need no login. */
export class WayBacks {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Returns the changes that the link would undo. Nothing changes. */
  find(body: WayBackBody, options?: CallOptions): Promise<WayBack> {
    return this.#rest.request({ ...options, method: 'POST', path: `${root}/find`, body, anonymous: true })
  }

  /** Undoes the change and all later ones, sets the password, and ends all sessions. */
  take(body: TakeBackBody, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'POST', path: root, body, anonymous: true })
  }
}
