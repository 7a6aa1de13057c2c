import {
  FreezeBody,
  HoldBody,
  OperatorSpace,
  OperatorSpacesQuery,
  RestoreSpaceBody,
} from '@foyer/protocol/operators'
import { SpaceParams } from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import { readOptionalBody } from '#src/kernel/http/bodies/body.ts'
import { type App, human, putMethods } from '#src/kernel/http/types.ts'
import { accessOperator } from '#src/operating/operators/access.ts'
import {
  bringBackSpace,
  freezeSpace,
  holdSpaceForLaw,
  releaseSpace,
  removeSpace,
  type SpaceAdministrationDeps,
  unfreezeSpace,
} from './actions.ts'
import { findSpacesOf } from './queries.ts'

const tags = ['Operators']
const freezeUrl = '/api/operator/spaces/:spaceId/freeze'
const holdUrl = '/api/operator/spaces/:spaceId/hold'

export function spaceAdministrationRoutes(app: App, deps: SpaceAdministrationDeps): void {
  findRoute(app, deps)
  freezeRoute(app, deps)
  unfreezeRoute(app, deps)
  deleteRoute(app, deps)
  restoreRoute(app, deps)
  holdRoute(app, deps)
  releaseRoute(app, deps)
}

function findRoute(app: App, { database }: SpaceAdministrationDeps): void {
  const response = { 200: Type.Array(OperatorSpace) }
  const schema = { tags, summary: 'Find Spaces', querystring: OperatorSpacesQuery, response }
  app.get('/api/operator/spaces', { config: human, schema }, async (request) => {
    await accessOperator(database, request.caller)
    return findSpacesOf(database, request.query)
  })
}

function freezeRoute(app: App, deps: SpaceAdministrationDeps): void {
  const response = { 200: OperatorSpace }
  app.route({
    method: putMethods,
    url: freezeUrl,
    config: human,
    schema: { tags, summary: 'Freeze Space', params: SpaceParams, body: FreezeBody, response },
    handler: async (request) => {
      const access = await accessOperator(deps.database, request.caller)
      return freezeSpace(deps, access, request.params.spaceId, await readOptionalBody(request))
    },
  })
}

function unfreezeRoute(app: App, deps: SpaceAdministrationDeps): void {
  const schema = { tags, summary: 'Unfreeze Space', params: SpaceParams, response: { 200: OperatorSpace } }
  app.delete(freezeUrl, { config: human, schema }, async (request) => {
    const access = await accessOperator(deps.database, request.caller)
    return unfreezeSpace(deps, access, request.params.spaceId)
  })
}

function deleteRoute(app: App, deps: SpaceAdministrationDeps): void {
  const schema = { tags, summary: 'Delete Any Space', params: SpaceParams, response: { 204: Type.Null() } }
  app.delete('/api/operator/spaces/:spaceId', { config: human, schema }, async (request, reply) => {
    const access = await accessOperator(deps.database, request.caller)
    await removeSpace(deps, access, request.params.spaceId)
    return reply.code(204).send(null)
  })
}

function restoreRoute(app: App, deps: SpaceAdministrationDeps): void {
  const response = { 200: OperatorSpace }
  const schema = {
    tags,
    summary: 'Restore Deleted Space',
    params: SpaceParams,
    body: RestoreSpaceBody,
    response,
  }
  app.post('/api/operator/spaces/:spaceId/restore', { config: human, schema }, async (request) => {
    const access = await accessOperator(deps.database, request.caller)
    return bringBackSpace(deps, access, request.params.spaceId, await readOptionalBody(request))
  })
}

function holdRoute(app: App, deps: SpaceAdministrationDeps): void {
  const response = { 200: OperatorSpace }
  app.route({
    method: putMethods,
    url: holdUrl,
    config: human,
    schema: { tags, summary: 'Hold Space', params: SpaceParams, body: HoldBody, response },
    handler: async (request) => {
      const access = await accessOperator(deps.database, request.caller)
      return holdSpaceForLaw(deps, access, request.params.spaceId, await readOptionalBody(request))
    },
  })
}

function releaseRoute(app: App, deps: SpaceAdministrationDeps): void {
  const schema = { tags, summary: 'Release Space', params: SpaceParams, response: { 200: OperatorSpace } }
  app.delete(holdUrl, { config: human, schema }, async (request) => {
    const access = await accessOperator(deps.database, request.caller)
    return releaseSpace(deps, access, request.params.spaceId)
  })
}
