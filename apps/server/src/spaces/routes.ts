import {
  CreateSpaceBody,
  CreateSpaceResult,
  Space,
  SpaceParams,
  TransferSpaceBody,
  UpdateSpaceBody,
} from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import type { Database } from '#src/kernel/database.ts'
import { readBody } from '#src/kernel/http/body.ts'
import { type App, human, updateMethods } from '#src/kernel/http/types.ts'
import { accessSpace } from './access.ts'
import { createSpace } from './actions.ts'
import { deleteSpace, transferSpace, updateSpace } from './actions-management.ts'
import { accessManagedSpace, accessOwnedSpace } from './management-access.ts'
import { listSpacesOf } from './queries.ts'
import type { Snapshots } from './snapshots.ts'

const tags = ['Spaces']

export interface SpaceDeps {
  database: Database
  snapshots: Snapshots
}

export function spaceRoutes(app: App, deps: SpaceDeps): void {
  createRoute(app, deps)
  getRoute(app, deps)
  updateRoute(app, deps)
  deleteRoute(app, deps)
  transferRoute(app, deps)
  listMineRoute(app, deps)
}

function createRoute(app: App, deps: SpaceDeps): void {
  const schema = {
    tags,
    summary: 'Create Space',
    body: CreateSpaceBody,
    response: { 200: CreateSpaceResult },
  }
  app.post('/api/spaces', { config: human, schema }, async (request) =>
    createSpace(deps, request.caller, await readBody(request)),
  )
}

function getRoute(app: App, deps: SpaceDeps): void {
  const schema = { tags, summary: 'Get Space', params: SpaceParams, response: { 200: Space } }
  app.get('/api/spaces/:spaceId', { schema }, async (request) => {
    const { snapshot } = await accessSpace(deps.snapshots, request.caller, request.params.spaceId)
    return snapshot.space
  })
}

function updateRoute(app: App, deps: SpaceDeps): void {
  const schema = {
    tags,
    summary: 'Update Space',
    params: SpaceParams,
    body: UpdateSpaceBody,
    response: { 200: Space },
  }
  app.route({
    method: updateMethods,
    url: '/api/spaces/:spaceId',
    schema,
    handler: async (request) => {
      const access = await accessManagedSpace(deps.snapshots, request.caller, request.params.spaceId)
      return updateSpace(deps, access, await readBody(request))
    },
  })
}

function deleteRoute(app: App, deps: SpaceDeps): void {
  const schema = { tags, summary: 'Delete Space', params: SpaceParams, response: { 204: Type.Null() } }
  app.delete('/api/spaces/:spaceId', { schema }, async (request, reply) => {
    await deleteSpace(deps, await accessOwnedSpace(deps.snapshots, request.caller, request.params.spaceId))
    return reply.code(204).send(null)
  })
}

function transferRoute(app: App, deps: SpaceDeps): void {
  const schema = {
    tags,
    summary: 'Transfer Space',
    params: SpaceParams,
    body: TransferSpaceBody,
    response: { 200: Space },
  }
  app.post('/api/spaces/:spaceId/transfer', { schema }, async (request) => {
    const access = await accessOwnedSpace(deps.snapshots, request.caller, request.params.spaceId)
    const { user_id } = await readBody(request)
    return transferSpace(deps, access, user_id)
  })
}

function listMineRoute(app: App, deps: SpaceDeps): void {
  const schema = { tags, summary: 'List My Spaces', response: { 200: Type.Array(Space) } }
  app.get('/api/users/@me/spaces', { schema }, async (request) =>
    listSpacesOf(deps.database, request.caller.user.id),
  )
}
