import type {
  AddPasskeyBody,
  Passkey,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  UpdatePasskeyBody,
} from '@foyer/protocol/passkeys'
import type { ProofBody } from '@foyer/protocol/second-factors'
import { type CallOptions, path, type Rest } from '../rest.ts'

const root = '/api/users/@me/passkeys'

/**
 * Keys on the user's devices that log in without a password. A browser creates and uses them, with the options from
 * here.
 */
export class Passkeys {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  list(options?: CallOptions): Promise<Passkey[]> {
    return this.#rest.request({ ...options, method: 'GET', path: root })
  }

  /** Returns the options with which a browser creates a passkey. It is then added with `add`. */
  prepare(body: ProofBody, options?: CallOptions): Promise<PasskeyCreationOptions> {
    return this.#rest.request({ ...options, method: 'POST', path: `${root}/options`, body })
  }

  add(body: AddPasskeyBody, options?: CallOptions): Promise<Passkey> {
    return this.#rest.request({ ...options, method: 'POST', path: root, body })
  }

  update(passkeyId: string, body: UpdatePasskeyBody, options?: CallOptions): Promise<Passkey> {
    const where = path`/api/users/@me/passkeys/${passkeyId}`
    return this.#rest.request({ ...options, method: 'PATCH', path: where, body })
  }

  delete(passkeyId: string, body: ProofBody, options?: CallOptions): Promise<void> {
    const where = path`/api/users/@me/passkeys/${passkeyId}`
    return this.#rest.request({ ...options, method: 'DELETE', path: where, body })
  }

  /** Returns the options with which a browser logs in by a passkey, for `client.auth.loginByPasskey()`. */
  prepareLogin(options?: CallOptions): Promise<PasskeyRequestOptions> {
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: '/api/auth/passkeys/options',
      anonymous: true,
    })
  }
}
