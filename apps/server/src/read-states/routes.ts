import { MessageParams } from '@foyer/protocol/messages'
import { Type } from 'typebox'
import type { Database } from '#src/kernel/database.ts'
import type { App } from '#src/kernel/http/types.ts'
import { accessRoom } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { ackMessage } from './actions.ts'

export function readStateRoutes(app: App, deps: { database: Database; snapshots: Snapshots }): void {
  const schema = {
    tags: ['Messages'],
    summary: 'Mark Read Up To Message',
    params: MessageParams,
    response: { 204: Type.Null() },
  }
  app.post('/api/rooms/:roomId/messages/:messageId/ack', { schema }, async (request, reply) => {
    const access = await accessRoom(deps.snapshots, request.caller, request.params.roomId)
    await ackMessage(deps, access, request.params.messageId)
    return reply.code(204).send(null)
  })
}
