import { WaitingSpace } from '@foyer/protocol/door'
import { SpaceParams } from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import type { Database } from '#src/kernel/database/database.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { listWaitingSpaces } from '#src/spaces/door/queries.ts'
import { leaveDoor } from './actions/newcomers.ts'

interface Deps {
  database: Database
}

const tags = ['Door']
const base = '/api/users/@me/waiting-spaces'

export function waitingRoutes(app: App, deps: Deps): void {
  listRoute(app, deps)
  leaveRoute(app, deps)
}

function listRoute(app: App, deps: Deps): void {
  const response = { 200: Type.Array(WaitingSpace) }
  const schema = { tags, summary: 'List Waiting Spaces', response }
  app.get(base, { config: human, schema }, async ({ caller }) =>
    listWaitingSpaces(deps.database, caller.user.id),
  )
}

function leaveRoute(app: App, deps: Deps): void {
  const response = { 204: Type.Null() }
  const schema = { tags, summary: 'Stop Waiting', params: SpaceParams, response }
  app.delete(`${base}/:spaceId`, { config: human, schema }, async ({ caller, params }, reply) => {
    await leaveDoor(deps, caller, params.spaceId)
    return reply.code(204).send(null)
  })
}
