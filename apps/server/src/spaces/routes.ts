import { Role } from '@foyer/protocol/roles'
import { CreateSpaceBody, CreateSpaceResult, Space, SpaceParams } from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import type { Database } from '#src/kernel/database.ts'
import { readBody } from '#src/kernel/http/body.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { accessSpace } from './access.ts'
import { createSpace } from './actions.ts'
import { listSpacesOf } from './queries.ts'
import type { Snapshots } from './snapshots.ts'

export interface SpaceDeps {
  database: Database
  snapshots: Snapshots
}

export function spaceRoutes(app: App, deps: SpaceDeps): void {
  app.post(
    '/api/spaces',
    {
      config: human,
      schema: {
        tags: ['Spaces'],
        summary: 'Create Space',
        body: CreateSpaceBody,
        response: { 200: CreateSpaceResult },
      },
    },
    async (request) => createSpace(deps, request.caller, await readBody(request)),
  )

  app.get(
    '/api/spaces/:spaceId',
    { schema: { tags: ['Spaces'], summary: 'Get Space', params: SpaceParams, response: { 200: Space } } },
    async (request) => {
      const { snapshot } = await accessSpace(deps.snapshots, request.caller, request.params.spaceId)
      return snapshot.space
    },
  )

  app.get(
    '/api/spaces/:spaceId/roles',
    {
      schema: {
        tags: ['Roles'],
        summary: 'List Roles',
        params: SpaceParams,
        response: { 200: Type.Array(Role) },
      },
    },
    async (request) => {
      const { snapshot } = await accessSpace(deps.snapshots, request.caller, request.params.spaceId)
      return [...snapshot.roles.values()]
    },
  )

  app.get(
    '/api/users/@me/spaces',
    { schema: { tags: ['Spaces'], summary: 'List My Spaces', response: { 200: Type.Array(Space) } } },
    async (request) => listSpacesOf(deps.database, request.caller.user.id),
  )
}
