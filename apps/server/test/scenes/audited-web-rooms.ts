import type { AuditAction } from '@foyer/protocol/audit-actions'
import { WebRooms } from '@foyer/sdk/api/web-rooms'
import { type AuditScene, of, type Prepare } from './audit-scene.ts'
import { allowPages } from './web-pages.ts'

const allowed = ({ server }: AuditScene) => allowPages(server)

async function opened(scene: AuditScene): Promise<void> {
  await allowed(scene)
  await scene.owner.client.api(WebRooms).open(scene.space.general)
}

/** Operations on rooms that are on the web. A part of `auditedChanges`. */
export const auditedWebRooms: Readonly<Record<string, [AuditAction, Prepare]>> = {
  'webRooms.open': of('web_room_open', allowed, ({ owner, space }) =>
    owner.client.api(WebRooms).open(space.general),
  ),
  'webRooms.close': of('web_room_close', opened, ({ owner, space }) =>
    owner.client.api(WebRooms).close(space.general),
  ),
}
