import { ListMembersQuery, MemberParams, MemberWithUser } from '@foyer/protocol/members'
import { SpaceParams } from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import type { Database } from '#src/kernel/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { App } from '#src/kernel/http/types.ts'
import { accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { leaveSpace } from './actions.ts'
import { findMember, listMembers } from './queries.ts'

export interface MemberDeps {
  database: Database
  snapshots: Snapshots
}

const tags = ['Members']

export function memberRoutes(app: App, deps: MemberDeps): void {
  listRoute(app, deps)
  getRoute(app, deps)
  leaveRoute(app, deps)
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
