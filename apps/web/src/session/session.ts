import type { Client } from '@foyer/sdk/client'
import type { Store } from '#src/store/store.ts'

/** One signed-in or signed-out life of the client: when it ends, all of it is thrown away. */
export interface Session {
  readonly client: Client
  readonly store: Store
  close(): void
}
