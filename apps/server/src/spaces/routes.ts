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

const tags = ['Spaces']

export interface SpaceDeps {
  database: Database
  snapshots: Snapshots
}

export function spaceRoutes(app: App, deps: SpaceDeps): void {
  createRoute(app, deps)
  getRoute(app, deps)
  listRolesRoute(app, deps)
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

function listRolesRoute(app: App, deps: SpaceDeps): void {
  const schema = { tags, summary: 'List Roles', params: SpaceParams, response: { 200: Type.Array(Role) } }
  app.get('/api/spaces/:spaceId/roles', { schema }, async (request) => {
    const { snapshot } = await accessSpace(deps.snapshots, request.caller, request.params.spaceId)
    return [...snapshot.roles.values()]
  })
}

function listMineRoute(app: App, deps: SpaceDeps): void {
  const schema = { tags, summary: 'List My Spaces', response: { 200: Type.Array(Space) } }
  app.get('/api/users/@me/spaces', { schema }, async (request) =>
    listSpacesOf(deps.database, request.caller.user.id),
  )
}
