import {
  ListMembersQuery,
  Member,
  MemberParams,
  MemberWithUser,
  UpdateMemberBody,
} from '@foyer/protocol/members'
import { Permission } from '@foyer/protocol/permissions'
import { SpaceParams } from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import { ApiError } from '#src/kernel/errors.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, updateMethods } from '#src/kernel/http/types.ts'
import type { ScreeningDeps } from '#src/moderation/screening/actions/consequences.ts'
import { accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { accessNickname, kickMember, leaveSpace, updateMember } from './actions.ts'
import { findMember, listMembers } from './queries.ts'
import { timeoutRoutes } from './timeouts/routes.ts'

export interface MemberDeps extends ScreeningDeps {
  snapshots: Snapshots
}

const tags = ['Members']

export function memberRoutes(app: App, deps: MemberDeps): void {
  listRoute(app, deps)
  getRoute(app, deps)
  updateMeRoute(app, deps)
  updateRoute(app, deps)
  leaveRoute(app, deps)
  kickRoute(app, deps)
  timeoutRoutes(app, deps)
}

function listRoute(app: App, deps: MemberDeps): void {
  const response = { 200: Type.Array(MemberWithUser) }
  app.get(
    '/api/spaces/:spaceId/members',
    {
      schema: { tags, summary: 'List Members', params: SpaceParams, querystring: ListMembersQuery, response },
    },
    async (request) => {
      const { spaceId } = await accessSpace(deps.snapshots, request.caller, request.params.spaceId)
      return listMembers(deps.database, spaceId, request.query)
    },
  )
}

function getRoute(app: App, deps: MemberDeps): void {
  app.get(
    '/api/spaces/:spaceId/members/:memberId',
    { schema: { tags, summary: 'Get Member', params: MemberParams, response: { 200: MemberWithUser } } },
    async (request) => {
      const { spaceId } = await accessSpace(deps.snapshots, request.caller, request.params.spaceId)
      const member = await findMember(deps.database, spaceId, request.params.memberId)
      if (member === undefined) throw new ApiError('unknown_member')
      return member
    },
  )
}

function updateMeRoute(app: App, deps: MemberDeps): void {
  app.route({
    method: updateMethods,
    url: '/api/spaces/:spaceId/members/@me',
    schema: {
      tags,
      summary: 'Update My Membership',
      params: SpaceParams,
      body: UpdateMemberBody,
      response: { 200: Member },
    },
    handler: async (request) => {
      const { caller, params } = request
      const access = await accessSpace(deps.snapshots, caller, params.spaceId, Permission.ChangeNickname)
      return updateMember(deps, access, caller.user.id, await readBody(request))
    },
  })
}

function updateRoute(app: App, deps: MemberDeps): void {
  app.route({
    method: updateMethods,
    url: '/api/spaces/:spaceId/members/:memberId',
    schema: {
      tags,
      summary: 'Update Member',
      params: MemberParams,
      body: UpdateMemberBody,
      response: { 200: Member },
    },
    handler: async (request) => {
      const { caller, params } = request
      const access = await accessSpace(deps.snapshots, caller, params.spaceId)
      await accessNickname(deps.database, access, params.memberId)
      return updateMember(deps, access, params.memberId, await readBody(request))
    },
  })
}

function leaveRoute(app: App, deps: MemberDeps): void {
  app.delete(
    '/api/spaces/:spaceId/members/@me',
    { schema: { tags, summary: 'Leave Space', params: SpaceParams, response: { 204: Type.Null() } } },
    async (request, reply) => {
      await leaveSpace(deps, await accessSpace(deps.snapshots, request.caller, request.params.spaceId))
      return reply.code(204).send(null)
    },
  )
}

function kickRoute(app: App, deps: MemberDeps): void {
  app.delete(
    '/api/spaces/:spaceId/members/:memberId',
    { schema: { tags, summary: 'Kick Member', params: MemberParams, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const { caller, params } = request
      const access = await accessSpace(deps.snapshots, caller, params.spaceId, 'KickMembers')
      await kickMember(deps, access, params.memberId)
      return reply.code(204).send(null)
    },
  )
}
