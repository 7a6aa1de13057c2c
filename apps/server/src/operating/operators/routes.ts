import { ClaimServerBody, Operator, OperatorLogPage, OperatorLogQuery } from '@foyer/protocol/operators'
import { UserParams } from '@foyer/protocol/users'
import { Type } from 'typebox'
import type { Config } from '#src/config.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, human, putMethods } from '#src/kernel/http/types.ts'
import { accessOperator } from './access.ts'
import { claimServer, grantOperator, type OperatorDeps, revokeOperator } from './actions.ts'
import { forgetClaimLink } from './claim-link.ts'
import { readOperatorLog } from './log.ts'
import { listOperators } from './queries.ts'

export type OperatorRouteDeps = OperatorDeps & { config: Pick<Config, 'dataDir'> }

const tags = ['Operators']

export function operatorRoutes(app: App, deps: OperatorRouteDeps): void {
  claimRoute(app, deps)
  listRoute(app, deps)
  grantRoute(app, deps)
  revokeRoute(app, deps)
  logRoute(app, deps)
}

function claimRoute(app: App, deps: OperatorRouteDeps): void {
  const schema = { tags, summary: 'Claim Server', body: ClaimServerBody, response: { 200: Operator } }
  app.post('/api/operator/claim', { config: human, schema }, async (request) => {
    const { token } = await readBody(request)
    const operator = await claimServer(deps, request.caller, token)
    await forgetClaimLink(deps.config.dataDir)
    return operator
  })
}

function listRoute(app: App, { database }: OperatorRouteDeps): void {
  const schema = { tags, summary: 'List Operators', response: { 200: Type.Array(Operator) } }
  app.get('/api/operator/operators', { config: human, schema }, async (request) => {
    await accessOperator(database, request.caller)
    return listOperators(database)
  })
}

function grantRoute(app: App, deps: OperatorRouteDeps): void {
  app.route({
    method: putMethods,
    url: '/api/operator/operators/:userId',
    config: human,
    schema: { tags, summary: 'Grant Operator', params: UserParams, response: { 200: Operator } },
    handler: async (request) => {
      const access = await accessOperator(deps.database, request.caller)
      return grantOperator(deps, access, request.params.userId)
    },
  })
}

function revokeRoute(app: App, deps: OperatorRouteDeps): void {
  const schema = { tags, summary: 'Revoke Operator', params: UserParams, response: { 204: Type.Null() } }
  app.delete('/api/operator/operators/:userId', { config: human, schema }, async (request, reply) => {
    const access = await accessOperator(deps.database, request.caller)
    await revokeOperator(deps, access, request.params.userId)
    return reply.code(204).send(null)
  })
}

function logRoute(app: App, { database }: OperatorRouteDeps): void {
  const schema = {
    tags,
    summary: 'Read Operator Log',
    querystring: OperatorLogQuery,
    response: { 200: OperatorLogPage },
  }
  app.get('/api/operator/log', { config: human, schema }, async (request) => {
    await accessOperator(database, request.caller)
    return readOperatorLog(database, request.query)
  })
}
