import {
  Appeal,
  AppealParams,
  BanAppeal,
  CreateAppealBody,
  DecideAppealBody,
  ListAppealsQuery,
  OwnAppeal,
} from '@foyer/protocol/reports'
import { SpaceParams } from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import type { Database } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { appeal, decideAppeal } from './actions/appeals.ts'
import { findAppealOf, listOpenAppeals, listOwnAppeals, mayAppeal } from './queries.ts'

interface Deps {
  database: Database
  snapshots: Snapshots
}

const tags = ['Bans']
const own = '/api/spaces/:spaceId/appeal'
const all = '/api/spaces/:spaceId/appeals'

/** Routes for banned users, who are not members, and for the moderators who decide. */
export function appealRoutes(app: App, deps: Deps): void {
  appealRoute(app, deps)
  ownRoute(app, deps)
  listOwnRoute(app, deps)
  listRoute(app, deps)
  decideRoute(app, deps)
}

function appealRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Appeal Against Ban',
    description: 'Asks the moderators of a space to lift the ban of the caller: once for each ban.',
    params: SpaceParams,
    body: CreateAppealBody,
    response: { 201: Appeal },
  }
  app.post(own, { config: human, schema }, async (request, reply) => {
    const { caller, params } = request
    const created = await appeal(deps, caller, params.spaceId, await readBody(request))
    return reply.code(201).send(created)
  })
}

function ownRoute(app: App, { database }: Deps): void {
  const schema = {
    tags,
    summary: 'Get Own Appeal',
    description: 'A banned user who has not appealed gets unknown_appeal, everyone else unknown_ban.',
    params: SpaceParams,
    response: { 200: Appeal },
  }
  app.get(own, { config: human, schema }, async ({ caller, params }) => {
    const found = await findAppealOf(database, params.spaceId, caller.user.id)
    if (found !== undefined) return found
    const isBanned = await mayAppeal(database, params.spaceId, caller.user.id)
    throw new ApiError(isBanned ? 'unknown_appeal' : 'unknown_ban')
  })
}

function listOwnRoute(app: App, { database }: Deps): void {
  const schema = {
    tags,
    summary: 'List Own Appeals',
    description: 'Newest first, in all spaces that exist. An accepted appeal ends when the user joins.',
    response: { 200: Type.Array(OwnAppeal) },
  }
  app.get('/api/users/@me/appeals', { config: human, schema }, async ({ caller }) =>
    listOwnAppeals(database, caller.user.id),
  )
}

function listRoute(app: App, { database, snapshots }: Deps): void {
  const schema = {
    tags,
    summary: 'List Appeals',
    description: 'Lists undecided appeals, oldest first, with the reasons of the bans.',
    params: SpaceParams,
    querystring: ListAppealsQuery,
    response: { 200: Type.Array(BanAppeal) },
  }
  app.get(all, { schema }, async ({ caller, params, query }) => {
    const { spaceId } = await accessSpace(snapshots, caller, params.spaceId, 'BanMembers')
    return listOpenAppeals(database, spaceId, query.after)
  })
}

function decideRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Decide Appeal',
    params: AppealParams,
    body: DecideAppealBody,
    response: { 200: Appeal },
  }
  app.post(`${all}/:appealId/decision`, { schema }, async (request) => {
    const { caller, params } = request
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, 'BanMembers')
    return decideAppeal(deps, access, params.appealId, await readBody(request))
  })
}
