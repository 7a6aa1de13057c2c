import {
  DecidedNewcomers,
  Door,
  LetInBody,
  ListNewcomersQuery,
  Newcomer,
  RemoveNewcomersBody,
  UpdateDoorBody,
} from '@foyer/protocol/door'
import { SpaceParams } from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import type { Database } from '#src/kernel/database/database.ts'
import { readBody, readOptionalBody } from '#src/kernel/http/bodies/body.ts'
import { type App, updateMethods } from '#src/kernel/http/types.ts'
import { accessSpace } from '#src/spaces/access.ts'
import { findDoor } from '#src/spaces/door/queries.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { updateDoor } from './actions/door.ts'
import { checkMayRemove, letIn, removeNewcomers } from './actions/newcomers.ts'
import { listNewcomers } from './queries.ts'

interface Deps {
  database: Database
  snapshots: Snapshots
}

const tags = ['Door']
const base = '/api/spaces/:spaceId/door'

export function doorRoutes(app: App, deps: Deps): void {
  getRoute(app, deps)
  updateRoute(app, deps)
  listRoute(app, deps)
  letInRoute(app, deps)
  removeRoute(app, deps)
}

function getRoute(app: App, deps: Deps): void {
  const schema = { tags, summary: 'Get Door', params: SpaceParams, response: { 200: Door } }
  app.get(base, { schema }, async ({ caller, params }) => {
    const { spaceId } = await accessSpace(deps.snapshots, caller, params.spaceId, 'KickMembers')
    return findDoor(deps.database, spaceId)
  })
}

function updateRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Update Door',
    description: 'Closes or opens the door of a space, and sets the sensor that closes it in a raid.',
    params: SpaceParams,
    body: UpdateDoorBody,
    response: { 200: Door },
  }
  app.route({
    method: updateMethods,
    url: base,
    schema,
    handler: async (request) => {
      const { caller, params } = request
      const access = await accessSpace(deps.snapshots, caller, params.spaceId, 'KickMembers')
      return updateDoor(deps, access, await readBody(request))
    },
  })
}

function listRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'List Newcomers',
    params: SpaceParams,
    querystring: ListNewcomersQuery,
    response: { 200: Type.Array(Newcomer) },
  }
  app.get(`${base}/newcomers`, { schema }, async ({ caller, params, query }) => {
    const { spaceId } = await accessSpace(deps.snapshots, caller, params.spaceId, 'KickMembers')
    return listNewcomers(deps.database, spaceId, query)
  })
}

function letInRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Let Newcomers In',
    description: 'They become members within seconds.',
    params: SpaceParams,
    body: LetInBody,
    response: { 200: DecidedNewcomers },
  }
  app.post(`${base}/newcomers/let-in`, { schema }, async (request) => {
    const access = await accessSpace(deps.snapshots, request.caller, request.params.spaceId, 'KickMembers')
    return letIn(deps, access, await readOptionalBody(request))
  })
}

function removeRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Remove Newcomers',
    description:
      'Turns newcomers away. What they wrote in the space since they joined is deleted within seconds, and their invites are revoked.',
    params: SpaceParams,
    body: RemoveNewcomersBody,
    response: { 200: DecidedNewcomers },
  }
  app.post(`${base}/newcomers/remove`, { schema }, async (request) => {
    const access = await accessSpace(deps.snapshots, request.caller, request.params.spaceId, 'KickMembers')
    checkMayRemove(access, {})
    const body = await readOptionalBody(request)
    checkMayRemove(access, body)
    return removeNewcomers(deps, access, body)
  })
}
