import type { OwnerProof, ProveByPasskeyBody, StartedProof, WaysToProve } from '@foyer/protocol/owner-proofs'
import type { PasskeyRequestOptions } from '@foyer/protocol/passkeys'
import { type CallOptions, path, type Rest } from '../rest.ts'

const root = '/api/users/@me/proofs'

/** Fresh proofs that an account's owner is present, for accounts without a password. Each can be used once. */
export class OwnerProofs {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Returns the ways in which the caller can prove their presence. */
  ways(options?: CallOptions): Promise<WaysToProve> {
    return this.#rest.request({ ...options, method: 'GET', path: root })
  }

  /** Starts a proof: returns the page of the provider to open in this browser. */
  start(provider: string, options?: CallOptions): Promise<StartedProof> {
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: path`/api/users/@me/proofs/providers/${provider}/start`,
    })
  }

  /** Returns the options with which a browser uses a passkey of the account. */
  preparePasskey(options?: CallOptions): Promise<PasskeyRequestOptions> {
    return this.#rest.request({ ...options, method: 'POST', path: `${root}/passkey/options` })
  }

  byPasskey(body: ProveByPasskeyBody, options?: CallOptions): Promise<OwnerProof> {
    return this.#rest.request({ ...options, method: 'POST', path: `${root}/passkey`, body })
  }
}
