import type { Export, ExportDownload } from '@foyer/protocol/exports'
import type { ProofBody } from '@foyer/protocol/second-factors'
import type { SpaceImport } from '@foyer/protocol/space-imports'
import { type CallOptions, path, type Rest } from '../rest.ts'

const ARCHIVE_TYPE = 'application/zip'

/** Exports of spaces by their owners, and imports as new spaces. */
export class SpaceArchives {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Requests an archive of the space. A mail says when it is ready. Only for the owner. */
  export(spaceId: string, body: ProofBody, options?: CallOptions): Promise<Export> {
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: path`/api/spaces/${spaceId}/exports`,
      body,
    })
  }

  /** Lists the exports of the last 24 hours, of which there is at most one. */
  listExports(spaceId: string, options?: CallOptions): Promise<Export[]> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/spaces/${spaceId}/exports` })
  }

  /** Returns an address of the ZIP, valid for five minutes. */
  download(spaceId: string, exportId: string, options?: CallOptions): Promise<ExportDownload> {
    return this.#rest.request({
      ...options,
      method: 'GET',
      path: path`/api/spaces/${spaceId}/exports/${exportId}/download`,
    })
  }

  /** Uploads an archive, from which the server creates a new space. `getImport` returns its progress. */
  import(archive: Blob, options?: CallOptions): Promise<SpaceImport> {
    const body = archive.slice(0, archive.size, ARCHIVE_TYPE)
    return this.#rest.request({ ...options, method: 'POST', path: '/api/spaces/imports', body })
  }

  /** Lists the caller's imports of the last day, newest first. */
  listImports(options?: CallOptions): Promise<SpaceImport[]> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/spaces/imports' })
  }

  getImport(importId: string, options?: CallOptions): Promise<SpaceImport> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/spaces/imports/${importId}` })
  }
}
