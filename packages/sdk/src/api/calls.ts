import { type CallOptions, path, type Rest } from '../rest.ts'

/** Calls in conversations. `Voice` joins and leaves them. */
export class Calls {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Declines the call: stops ringing on all of the caller's devices. */
  decline(conversationId: string, options?: CallOptions): Promise<void> {
    const where = path`/api/conversations/${conversationId}/call/decline`
    return this.#rest.request({ ...options, method: 'POST', path: where })
  }

  /** Rings everyone who is not in the call. The caller must be in it. */
  ring(conversationId: string, options?: CallOptions): Promise<void> {
    const where = path`/api/conversations/${conversationId}/call/ring`
    return this.#rest.request({ ...options, method: 'POST', path: where })
  }
}
