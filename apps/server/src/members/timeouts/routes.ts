import { MemberParams, Timeout, TimeoutBody } from '@foyer/protocol/members'
import { Type } from 'typebox'
import type { Database } from '#src/kernel/database/database.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, putMethods } from '#src/kernel/http/types.ts'
import { accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { accessTimeout, liftTimeout, timeOut } from './actions.ts'

interface Deps {
  database: Database
  snapshots: Snapshots
}

const tags = ['Members']
const url = '/api/spaces/:spaceId/members/:memberId/timeout'

export function timeoutRoutes(app: App, deps: Deps): void {
  getRoute(app, deps)
  setRoute(app, deps)
  deleteRoute(app, deps)
}

/** Members may read their own timeout. */
function getRoute(app: App, deps: Deps): void {
  const schema = { tags, summary: 'Get Timeout', params: MemberParams, response: { 200: Timeout } }
  app.get(url, { schema }, async (request) => {
    const { caller, params } = request
    const needed = params.memberId === caller.user.id ? 0 : 'TimeoutMembers'
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, needed)
    return accessTimeout(deps.database, access, params.memberId)
  })
}

function setRoute(app: App, deps: Deps): void {
  app.route({
    method: putMethods,
    url,
    schema: {
      tags,
      summary: 'Time Out Member',
      params: MemberParams,
      body: TimeoutBody,
      response: { 200: Timeout },
    },
    handler: async (request) => {
      const { caller, params } = request
      const access = await accessSpace(deps.snapshots, caller, params.spaceId, 'TimeoutMembers')
      return timeOut(deps, access, params.memberId, await readBody(request))
    },
  })
}

function deleteRoute(app: App, deps: Deps): void {
  const schema = { tags, summary: 'Remove Timeout', params: MemberParams, response: { 204: Type.Null() } }
  app.delete(url, { schema }, async (request, reply) => {
    const { caller, params } = request
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, 'TimeoutMembers')
    await liftTimeout(deps, access, params.memberId)
    return reply.code(204).send(null)
  })
}
