import { CreateGroupRoleBody, GroupRole, GroupRoleParams } from '@foyer/protocol/group-roles'
import { Permission } from '@foyer/protocol/permissions'
import { SpaceParams } from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import type { App } from '#src/kernel/http/types.ts'
import { accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { createGroupRole, findGroupRoles, type GroupRoleDeps, removeGroupRole } from './actions.ts'

const tags = ['Roles']
const root = '/api/spaces/:spaceId/group-roles'
const config = { limits: ['structureChanges'] } as const
const { ManageRoles } = Permission

type Deps = GroupRoleDeps & { snapshots: Snapshots }

export function groupRoleRoutes(app: App, deps: Deps): void {
  listRoute(app, deps)
  createRoute(app, deps)
  deleteRoute(app, deps)
}

function listRoute(app: App, deps: Deps): void {
  app.get(
    root,
    {
      schema: {
        tags,
        summary: 'List Group Roles',
        description: 'Roles that members of a group at a sign-in provider have.',
        params: SpaceParams,
        response: { 200: Type.Array(GroupRole) },
      },
    },
    async ({ caller, params }) =>
      findGroupRoles(deps, await accessSpace(deps.snapshots, caller, params.spaceId, ManageRoles)),
  )
}

function createRoute(app: App, deps: Deps): void {
  app.post(
    root,
    {
      config,
      schema: {
        tags,
        summary: 'Create Group Role',
        description: 'Takes effect at the next login of each member.',
        params: SpaceParams,
        body: CreateGroupRoleBody,
        response: { 200: GroupRole },
      },
    },
    async (request) => {
      const access = await accessSpace(deps.snapshots, request.caller, request.params.spaceId, ManageRoles)
      return createGroupRole(deps, access, await readBody(request))
    },
  )
}

function deleteRoute(app: App, deps: Deps): void {
  app.delete(
    `${root}/:groupRoleId`,
    {
      config,
      schema: {
        tags,
        summary: 'Delete Group Role',
        description: 'Members keep the role.',
        params: GroupRoleParams,
        response: { 204: Type.Null() },
      },
    },
    async ({ caller, params }, reply) => {
      const access = await accessSpace(deps.snapshots, caller, params.spaceId, ManageRoles)
      await removeGroupRole(deps, access, params.groupRoleId)
      return reply.code(204).send(null)
    },
  )
}
