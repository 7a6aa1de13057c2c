import { Permission } from '@foyer/protocol/permissions'
import { OverwriteParams, RoomOverwrite, UpsertOverwriteBody } from '@foyer/protocol/roles'
import { SpaceRoomParams } from '@foyer/protocol/rooms'
import { Type } from 'typebox'
import type { Database } from '#src/kernel/database/database.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, putMethods } from '#src/kernel/http/types.ts'
import { accessRoomIn, accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { deleteOverwrite, upsertOverwrite } from './actions.ts'

export interface OverwriteDeps {
  database: Database
  snapshots: Snapshots
}

const tags = ['Overwrites']
const { ManageChannels } = Permission

export function overwriteRoutes(app: App, deps: OverwriteDeps): void {
  listRoute(app, deps)
  upsertRoute(app, deps)
  deleteRoute(app, deps)
}

function listRoute(app: App, deps: OverwriteDeps): void {
  const response = { 200: Type.Array(RoomOverwrite) }
  app.get(
    '/api/spaces/:spaceId/rooms/:roomId/overwrites',
    { schema: { tags, summary: 'List Permission Overwrites', params: SpaceRoomParams, response } },
    async (request) => {
      const { spaceId, roomId } = request.params
      const space = await accessSpace(deps.snapshots, request.caller, spaceId)
      const { snapshot, room } = accessRoomIn(space, roomId, ManageChannels)
      return [...(snapshot.overwrites.get(room.id) ?? [])]
    },
  )
}

function upsertRoute(app: App, deps: OverwriteDeps): void {
  const schema = {
    tags,
    summary: 'Upsert Permission Overwrite',
    params: SpaceRoomParams,
    body: UpsertOverwriteBody,
    response: { 200: RoomOverwrite },
  }
  app.route({
    method: putMethods,
    url: '/api/spaces/:spaceId/rooms/:roomId/overwrites',
    schema,
    handler: async (request) => {
      const { spaceId, roomId } = request.params
      const space = await accessSpace(deps.snapshots, request.caller, spaceId)
      const { room } = accessRoomIn(space, roomId, ManageChannels)
      return upsertOverwrite(deps, space, room.id, await readBody(request))
    },
  })
}

function deleteRoute(app: App, deps: OverwriteDeps): void {
  const response = { 204: Type.Null() }
  app.delete(
    '/api/spaces/:spaceId/rooms/:roomId/overwrites/:targetId',
    { schema: { tags, summary: 'Delete Permission Overwrite', params: OverwriteParams, response } },
    async (request, reply) => {
      const { spaceId, roomId, targetId } = request.params
      const space = await accessSpace(deps.snapshots, request.caller, spaceId)
      const { room } = accessRoomIn(space, roomId, ManageChannels)
      await deleteOverwrite(deps, space, room.id, targetId)
      return reply.code(204).send(null)
    },
  )
}
