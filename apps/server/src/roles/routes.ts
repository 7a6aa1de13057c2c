import { Permission } from '@foyer/protocol/permissions'
import { CreateRoleBody, MemberRoleParams, Role, RoleParams, UpdateRoleBody } from '@foyer/protocol/roles'
import { SpaceParams } from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import type { Database } from '#src/kernel/database/database.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, putMethods, updateMethods } from '#src/kernel/http/types.ts'
import type { ChargeDeps } from '#src/kernel/limits/rate-limits.ts'
import { accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { accessRole } from './access.ts'
import { assignRole, removeRole } from './actions/assignment.ts'
import { createRole, deleteRole, updateRole } from './actions/roles.ts'

export interface RoleDeps extends ChargeDeps {
  database: Database
  snapshots: Snapshots
}

const tags = ['Roles']
const config = { limits: ['structureChanges'] } as const
const { ManageRoles } = Permission

export function roleRoutes(app: App, deps: RoleDeps): void {
  listRoute(app, deps)
  createRoute(app, deps)
  updateRoute(app, deps)
  deleteRoute(app, deps)
  assignRoute(app, deps)
  removeRoute(app, deps)
}

function listRoute(app: App, deps: RoleDeps): void {
  const schema = { tags, summary: 'List Roles', params: SpaceParams, response: { 200: Type.Array(Role) } }
  app.get('/api/spaces/:spaceId/roles', { schema }, async (request) => {
    const { snapshot } = await accessSpace(deps.snapshots, request.caller, request.params.spaceId)
    return [...snapshot.roles.values()]
  })
}

function createRoute(app: App, deps: RoleDeps): void {
  const schema = {
    tags,
    summary: 'Create Role',
    params: SpaceParams,
    body: CreateRoleBody,
    response: { 200: Role },
  }
  app.post('/api/spaces/:spaceId/roles', { config, schema }, async (request) => {
    const { caller, params } = request
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, ManageRoles)
    return createRole(deps, access, await readBody(request))
  })
}

function updateRoute(app: App, deps: RoleDeps): void {
  const schema = {
    tags,
    summary: 'Update Role',
    params: RoleParams,
    body: UpdateRoleBody,
    response: { 200: Role },
  }
  app.route({
    method: updateMethods,
    url: '/api/spaces/:spaceId/roles/:roleId',
    config,
    schema,
    handler: async (request) => {
      const { caller, params } = request
      const access = await accessSpace(deps.snapshots, caller, params.spaceId, ManageRoles)
      const { id } = accessRole(access, params.roleId)
      return updateRole(deps, access, id, await readBody(request))
    },
  })
}

function deleteRoute(app: App, deps: RoleDeps): void {
  const schema = { tags, summary: 'Delete Role', params: RoleParams, response: { 204: Type.Null() } }
  app.delete('/api/spaces/:spaceId/roles/:roleId', { config, schema }, async (request, reply) => {
    const { caller, params } = request
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, ManageRoles)
    await deleteRole(deps, access, params.roleId)
    return reply.code(204).send(null)
  })
}

function assignRoute(app: App, deps: RoleDeps): void {
  const response = { 200: Type.Unsafe<undefined>({ type: 'null', description: 'an empty body' }) }
  app.route({
    method: putMethods,
    url: '/api/spaces/:spaceId/members/:memberId/roles/:roleId',
    schema: { tags, summary: 'Assign Role to Member', params: MemberRoleParams, response },
    handler: async (request, reply) => {
      const { caller, params } = request
      const access = await accessSpace(deps.snapshots, caller, params.spaceId, ManageRoles)
      await assignRole(deps, access, params)
      return reply.send(undefined)
    },
  })
}

function removeRoute(app: App, deps: RoleDeps): void {
  const schema = {
    tags,
    summary: 'Remove Role from Member',
    params: MemberRoleParams,
    response: { 204: Type.Null() },
  }
  app.delete('/api/spaces/:spaceId/members/:memberId/roles/:roleId', { schema }, async (request, reply) => {
    const { caller, params } = request
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, ManageRoles)
    await removeRole(deps, access, params)
    return reply.code(204).send(null)
  })
}
