import { LockBody, OperatorUser, OperatorUsersQuery } from '@foyer/protocol/operators'
import { UserParams } from '@foyer/protocol/users'
import { Type } from 'typebox'
import { readOptionalBody } from '#src/kernel/http/bodies/body.ts'
import { type App, human, putMethods } from '#src/kernel/http/types.ts'
import { accessOperator } from '#src/operating/operators/access.ts'
import {
  deleteUser,
  lockUser,
  removeSecondFactor,
  type UserAdministrationDeps,
  unlockUser,
} from './actions.ts'
import { findUsersOf } from './queries.ts'

const tags = ['Operators']
const lockUrl = '/api/operator/users/:userId/lock'

export function userAdministrationRoutes(app: App, deps: UserAdministrationDeps): void {
  findRoute(app, deps)
  lockRoute(app, deps)
  unlockRoute(app, deps)
  secondFactorRoute(app, deps)
  deleteRoute(app, deps)
}

function findRoute(app: App, { database }: UserAdministrationDeps): void {
  const response = { 200: Type.Array(OperatorUser) }
  const schema = { tags, summary: 'Find Users', querystring: OperatorUsersQuery, response }
  app.get('/api/operator/users', { config: human, schema }, async (request) => {
    await accessOperator(database, request.caller)
    return findUsersOf(database, request.query)
  })
}

function lockRoute(app: App, deps: UserAdministrationDeps): void {
  app.route({
    method: putMethods,
    url: lockUrl,
    config: human,
    schema: {
      tags,
      summary: 'Lock User',
      params: UserParams,
      body: LockBody,
      response: { 200: OperatorUser },
    },
    handler: async (request) => {
      const access = await accessOperator(deps.database, request.caller)
      return lockUser(deps, access, request.params.userId, await readOptionalBody(request))
    },
  })
}

function unlockRoute(app: App, deps: UserAdministrationDeps): void {
  const schema = { tags, summary: 'Unlock User', params: UserParams, response: { 200: OperatorUser } }
  app.delete(lockUrl, { config: human, schema }, async (request) => {
    const access = await accessOperator(deps.database, request.caller)
    return unlockUser(deps, access, request.params.userId)
  })
}

function secondFactorRoute(app: App, deps: UserAdministrationDeps): void {
  const schema = {
    tags,
    summary: 'Remove Second Factor',
    description: 'For a user who has lost it. Removes their passkeys, too.',
    params: UserParams,
    response: { 200: OperatorUser },
  }
  app.delete('/api/operator/users/:userId/second-factors', { config: human, schema }, async (request) => {
    const access = await accessOperator(deps.database, request.caller)
    return removeSecondFactor(deps, access, request.params.userId)
  })
}

function deleteRoute(app: App, deps: UserAdministrationDeps): void {
  const schema = { tags, summary: 'Delete User', params: UserParams, response: { 204: Type.Null() } }
  app.delete('/api/operator/users/:userId', { config: human, schema }, async (request, reply) => {
    const access = await accessOperator(deps.database, request.caller)
    await deleteUser(deps, access, request.params.userId)
    return reply.code(204).send(null)
  })
}
