import { RoomParams } from '@foyer/protocol/rooms'
import { OpenWebRoomBody, WebRoom } from '@foyer/protocol/web-rooms'
import { Type } from 'typebox'
import type { Database } from '#src/kernel/database/database.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, human, putMethods } from '#src/kernel/http/types.ts'
import { accessRoom } from '#src/spaces/access.ts'
import { accessOwnedSpace } from '#src/spaces/management-access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { closeWebRoom, openWebRoom, readWebRoom } from './actions/opening.ts'

interface Deps {
  database: Database
  snapshots: Snapshots
}

const tags = ['Rooms']
const url = '/api/rooms/:roomId/web'
const params = RoomParams
const config = { ...human, limits: ['structureChanges'] } as const

export function webRoomRoutes(app: App, deps: Deps): void {
  const { snapshots } = deps

  const shown = { tags, summary: 'Get Room on Web', params, response: { 200: WebRoom } }
  app.get(url, { schema: shown }, async ({ caller, params }) =>
    readWebRoom(deps, await accessRoom(snapshots, caller, params.roomId)),
  )

  const opened = {
    tags,
    summary: 'Open Room on Web',
    params,
    body: OpenWebRoomBody,
    response: { 200: WebRoom },
  }
  app.route({
    method: putMethods,
    url,
    config,
    schema: opened,
    handler: async (request) => {
      const { caller, params } = request
      const { spaceId } = await accessRoom(snapshots, caller, params.roomId)
      const access = await accessOwnedSpace(snapshots, caller, spaceId)
      return openWebRoom(deps, access, params.roomId, await readBody(request))
    },
  })

  const closed = { tags, summary: 'Close Room on Web', params, response: { 204: Type.Null() } }
  app.delete(url, { config, schema: closed }, async ({ caller, params }, reply) => {
    const { spaceId } = await accessRoom(snapshots, caller, params.roomId)
    const access = await accessOwnedSpace(snapshots, caller, spaceId)
    await closeWebRoom(deps, access, params.roomId)
    return reply.code(204).send(null)
  })
}
