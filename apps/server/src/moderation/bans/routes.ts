import { Ban, BanBody, BanParams, ListBansQuery } from '@foyer/protocol/bans'
import { SpaceParams } from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import type { Database } from '#src/kernel/database/database.ts'
import { readOptionalBody } from '#src/kernel/http/bodies/body.ts'
import { type App, putMethods } from '#src/kernel/http/types.ts'
import { accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { banUser, checkBannable, unbanUser } from './actions.ts'
import { listBans } from './queries.ts'

export interface BanDeps {
  database: Database
  snapshots: Snapshots
}

const tags = ['Bans']
const url = '/api/spaces/:spaceId/bans/:userId'

export function banRoutes(app: App, deps: BanDeps): void {
  listRoute(app, deps)
  createRoute(app, deps)
  deleteRoute(app, deps)
}

function listRoute(app: App, deps: BanDeps): void {
  const response = { 200: Type.Array(Ban) }
  app.get(
    '/api/spaces/:spaceId/bans',
    { schema: { tags, summary: 'List Bans', params: SpaceParams, querystring: ListBansQuery, response } },
    async (request) => {
      const { caller, params } = request
      const { spaceId } = await accessSpace(deps.snapshots, caller, params.spaceId, 'BanMembers')
      return listBans(deps.database, spaceId, request.query)
    },
  )
}

function createRoute(app: App, deps: BanDeps): void {
  app.route({
    method: putMethods,
    url,
    schema: { tags, summary: 'Ban User', params: BanParams, body: BanBody, response: { 200: Ban } },
    handler: async (request) => {
      const { spaceId, userId } = request.params
      const access = await accessSpace(deps.snapshots, request.caller, spaceId, 'BanMembers')
      await checkBannable(deps.database, access, userId)
      return banUser(deps, access, userId, await readOptionalBody(request))
    },
  })
}

function deleteRoute(app: App, deps: BanDeps): void {
  app.delete(
    url,
    { schema: { tags, summary: 'Unban User', params: BanParams, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const { spaceId, userId } = request.params
      await unbanUser(deps, await accessSpace(deps.snapshots, request.caller, spaceId, 'BanMembers'), userId)
      return reply.code(204).send(null)
    },
  )
}
