import type { Client } from '@foyer/sdk/client'
import type { SignedUrls } from '#src/attachments/transfer/signed-urls.ts'
import type { Uploads } from '#src/attachments/transfer/uploads.ts'
import type { Store } from '#src/store/store.ts'
import type { VoiceControl } from '#src/voice/control/voice-control.ts'
import type { Login } from './login.ts'

/** The client's state from one sign-in or sign-out to the next. It is discarded as a whole. */
export interface Session {
  readonly client: Client
  readonly login: Login
  readonly store: Store
  readonly uploads: Uploads
  readonly signedUrls: SignedUrls
  readonly voice: VoiceControl
  close(): void
}
