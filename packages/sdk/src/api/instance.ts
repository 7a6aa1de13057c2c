import type { Instance as InstanceInfo } from '@foyer/protocol/instance'
import type { CallOptions, Rest } from '../rest.ts'

/** The server itself. */
export class Instance {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Returns the server's public data. */
  get(options?: CallOptions): Promise<InstanceInfo> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/instance', anonymous: true })
  }
}
