import type { Client } from '@foyer/sdk/client'
import type { SignedUrls } from '#src/attachments/signed-urls.ts'
import type { Uploads } from '#src/attachments/uploads.ts'
import type { Store } from '#src/store/store.ts'

/** One signed-in or signed-out life of the client: when it ends, all of it is thrown away. */
export interface Session {
  readonly client: Client
  readonly store: Store
  readonly uploads: Uploads
  readonly signedUrls: SignedUrls
  close(): void
}
