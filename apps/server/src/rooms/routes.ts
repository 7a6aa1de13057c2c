import { Permission } from '@foyer/protocol/permissions'
import { CreateRoomBody, ListRoomsQuery, Room, SpaceRoomParams, UpdateRoomBody } from '@foyer/protocol/rooms'
import { SpaceParams } from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, updateMethods } from '#src/kernel/http/types.ts'
import type { ChargeDeps } from '#src/kernel/limits/rate-limits.ts'
import type { ScreeningDeps } from '#src/moderation/screening/actions/consequences.ts'
import { accessRoomIn, accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { createRoom, deleteRoom, updateRoom } from './actions.ts'
import { listVisibleRooms } from './queries.ts'

export type RoomDeps = ChargeDeps & ScreeningDeps & { snapshots: Snapshots }

const tags = ['Rooms']
const { ManageChannels } = Permission
const config = { limits: ['structureChanges'] } as const

export function roomRoutes(app: App, deps: RoomDeps): void {
  listRoute(app, deps)
  createRoute(app, deps)
  updateRoute(app, deps)
  deleteRoute(app, deps)
}

function listRoute(app: App, deps: RoomDeps): void {
  const schema = {
    tags,
    summary: 'List Rooms',
    params: SpaceParams,
    querystring: ListRoomsQuery,
    response: { 200: Type.Array(Room) },
  }
  app.get('/api/spaces/:spaceId/rooms', { schema }, async (request) => {
    const access = await accessSpace(deps.snapshots, request.caller, request.params.spaceId)
    return listVisibleRooms(deps.database, access, request.query)
  })
}

function createRoute(app: App, deps: RoomDeps): void {
  const schema = {
    tags,
    summary: 'Create Room',
    params: SpaceParams,
    body: CreateRoomBody,
    response: { 200: Room },
  }
  app.post('/api/spaces/:spaceId/rooms', { config, schema }, async (request) => {
    const { caller, params } = request
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, ManageChannels)
    return createRoom(deps, access, await readBody(request))
  })
}

function updateRoute(app: App, deps: RoomDeps): void {
  const schema = {
    tags,
    summary: 'Update Room',
    params: SpaceRoomParams,
    body: UpdateRoomBody,
    response: { 200: Room },
  }
  app.route({
    method: updateMethods,
    url: '/api/spaces/:spaceId/rooms/:roomId',
    config,
    schema,
    handler: async (request) => {
      const { spaceId, roomId } = request.params
      const access = await accessSpace(deps.snapshots, request.caller, spaceId)
      accessRoomIn(access, roomId, ManageChannels)
      return updateRoom(deps, access, roomId, await readBody(request))
    },
  })
}

function deleteRoute(app: App, deps: RoomDeps): void {
  const schema = { tags, summary: 'Delete Room', params: SpaceRoomParams, response: { 204: Type.Null() } }
  app.delete('/api/spaces/:spaceId/rooms/:roomId', { config, schema }, async (request, reply) => {
    const { spaceId, roomId } = request.params
    const access = await accessSpace(deps.snapshots, request.caller, spaceId)
    accessRoomIn(access, roomId, ManageChannels)
    await deleteRoom(deps, access, roomId)
    return reply.code(204).send(null)
  })
}
