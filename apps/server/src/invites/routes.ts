import {
  CreateInviteBody,
  InviteCode,
  InviteCodeParams,
  InvitePreview,
  SpaceInviteParams,
} from '@foyer/protocol/invites'
import { Permission } from '@foyer/protocol/permissions'
import { SpaceRoomParams } from '@foyer/protocol/rooms'
import { Space, SpaceParams } from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import { ApiError } from '#src/kernel/errors.ts'
import { readOptionalBody } from '#src/kernel/http/bodies/body.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { accessRoomIn, accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { createInvite, type InviteDeps, joinByInvite, revokeInvite } from './actions.ts'
import { findInvitePreview, listWorkingInvites } from './queries.ts'

type Deps = InviteDeps & { snapshots: Snapshots }

const tags = ['Invites']

export function inviteRoutes(app: App, deps: Deps): void {
  createRoute(app, deps)
  listRoute(app, deps)
  revokeRoute(app, deps)
  lookupRoute(app, deps)
  joinRoute(app, deps)
}

function createRoute(app: App, deps: Deps): void {
  const response = { 200: InviteCode }
  app.post(
    '/api/spaces/:spaceId/rooms/:roomId/invites',
    {
      schema: {
        tags,
        summary: 'Create Invite Link',
        params: SpaceRoomParams,
        body: CreateInviteBody,
        response,
      },
    },
    async (request) => {
      const space = await accessSpace(deps.snapshots, request.caller, request.params.spaceId)
      const { room } = accessRoomIn(space, request.params.roomId, Permission.CreateInvites)
      return createInvite(deps, space, room.id, await readOptionalBody(request))
    },
  )
}

function listRoute(app: App, deps: Deps): void {
  const response = { 200: Type.Array(InviteCode) }
  app.get(
    '/api/spaces/:spaceId/invites',
    { schema: { tags, summary: 'List Invites', params: SpaceParams, response } },
    async (request) => {
      const { caller, params } = request
      const { spaceId } = await accessSpace(deps.snapshots, caller, params.spaceId, Permission.ManageInvites)
      return listWorkingInvites(deps.database, spaceId)
    },
  )
}

function revokeRoute(app: App, deps: Deps): void {
  const response = { 204: Type.Null() }
  app.delete(
    '/api/spaces/:spaceId/invites/:inviteId',
    { schema: { tags, summary: 'Revoke Invite', params: SpaceInviteParams, response } },
    async (request, reply) => {
      const { caller, params } = request
      const access = await accessSpace(deps.snapshots, caller, params.spaceId, Permission.ManageInvites)
      await revokeInvite(deps, access, params.inviteId)
      return reply.code(204).send(null)
    },
  )
}

function lookupRoute(app: App, deps: Deps): void {
  app.get(
    '/api/invites/:code',
    {
      config: { access: 'public', limits: ['inviteLookup'] },
      schema: { tags, summary: 'Look Up Invite', params: InviteCodeParams, response: { 200: InvitePreview } },
    },
    async (request) => {
      const preview = await findInvitePreview(deps.database, request.params.code)
      if (preview === undefined) throw new ApiError('unknown_invite')
      return preview
    },
  )
}

function joinRoute(app: App, deps: Deps): void {
  app.post(
    '/api/invites/:code',
    {
      config: human,
      schema: { tags, summary: 'Join by Invite', params: InviteCodeParams, response: { 200: Space } },
    },
    async (request) => joinByInvite(deps, request.caller, request.params.code),
  )
}
