import { Room } from '@foyer/protocol/rooms'
import { SpaceParams } from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import type { Database } from '#src/kernel/database.ts'
import type { App } from '#src/kernel/http/types.ts'
import { accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { listVisibleRooms } from './queries.ts'

export interface RoomDeps {
  database: Database
  snapshots: Snapshots
}

const tags = ['Rooms']

export function roomRoutes(app: App, deps: RoomDeps): void {
  app.get(
    '/api/spaces/:spaceId/rooms',
    { schema: { tags, summary: 'List Rooms', params: SpaceParams, response: { 200: Type.Array(Room) } } },
    async (request) => {
      const access = await accessSpace(deps.snapshots, request.caller, request.params.spaceId)
      return listVisibleRooms(deps.database, access)
    },
  )
}
