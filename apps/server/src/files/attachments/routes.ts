import type { App } from '#src/kernel/http/types.ts'
import { downloadRoutes } from './download-routes.ts'
import type { DownloadDeps } from './downloads.ts'
import { type RelayRouteDeps, relayRoutes } from './relay-routes.ts'
import { type SpaceAttachmentDeps, spaceAttachmentRoutes } from './space-routes.ts'
import { type UploadRouteDeps, uploadRoutes } from './upload-routes.ts'

export type AttachmentDeps = DownloadDeps & UploadRouteDeps & RelayRouteDeps & SpaceAttachmentDeps

export function attachmentRoutes(app: App, deps: AttachmentDeps): void {
  downloadRoutes(app, deps)
  uploadRoutes(app, deps)
  relayRoutes(app, deps)
  spaceAttachmentRoutes(app, deps)
}
