import type { Export, ExportDownload } from '@foyer/protocol/exports'
import type { ProofBody } from '@foyer/protocol/second-factors'
import { type CallOptions, path, type Rest } from '../rest.ts'

const root = '/api/users/@me/exports'

/** Copies of a person's messages and data. */
export class Exports {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Requests a copy. A mail says when it is ready. */
  create(body: ProofBody, options?: CallOptions): Promise<Export> {
    return this.#rest.request({ ...options, method: 'POST', path: root, body })
  }

  /** Lists the copies of the last 24 hours. */
  list(options?: CallOptions): Promise<Export[]> {
    return this.#rest.request({ ...options, method: 'GET', path: root })
  }

  /** Returns an address of the ZIP, valid for five minutes. */
  download(exportId: string, options?: CallOptions): Promise<ExportDownload> {
    return this.#rest.request({
      ...options,
      method: 'GET',
      path: path`/api/users/@me/exports/${exportId}/download`,
    })
  }
}
