import { CreateOperatorInviteBody, OperatorInvite, OperatorInviteParams } from '@foyer/protocol/operators'
import {
  RefuseRegistrationBody,
  Registration,
  RegistrationParams,
  RegistrationSettings,
  RegistrationsQuery,
  UpdateRegistrationBody,
} from '@foyer/protocol/registration'
import { Type } from 'typebox'
import { readBody, readOptionalBody } from '#src/kernel/http/bodies/body.ts'
import { type App, human, updateMethods } from '#src/kernel/http/types.ts'
import { accessOperator } from '#src/operating/operators/access.ts'
import { listOperatorInvites } from '#src/people/registration/invites.ts'
import { listRegistrations } from '#src/people/registration/queries.ts'
import {
  approveRegistration,
  createOperatorInvite,
  type RegistrationDeps,
  refuseRegistration,
  removeOperatorInvite,
  updateRegistration,
} from './actions.ts'

const tags = ['Operators']
const nothing = { 204: Type.Null() }

export function registrationRoutes(app: App, deps: RegistrationDeps): void {
  settingsRoutes(app, deps)
  applicationListRoute(app, deps)
  decisionRoutes(app, deps)
  inviteRoutes(app, deps)
}

function settingsRoutes(app: App, deps: RegistrationDeps): void {
  const response = { 200: RegistrationSettings }
  const url = '/api/operator/registration'
  app.get(
    url,
    { config: human, schema: { tags, summary: 'Get Registration Rules', response } },
    async (request) => {
      await accessOperator(deps.database, request.caller)
      return deps.registration.current()
    },
  )
  app.route({
    method: updateMethods,
    url,
    config: human,
    schema: { tags, summary: 'Update Registration Rules', body: UpdateRegistrationBody, response },
    handler: async (request) => {
      const access = await accessOperator(deps.database, request.caller)
      return updateRegistration(deps, access, await readBody(request))
    },
  })
}

function applicationListRoute(app: App, { database }: RegistrationDeps): void {
  const response = { 200: Type.Array(Registration) }
  const schema = { tags, summary: 'List Registrations', querystring: RegistrationsQuery, response }
  app.get('/api/operator/registrations', { config: human, schema }, async (request) => {
    await accessOperator(database, request.caller)
    return listRegistrations(database, request.query)
  })
}

function decisionRoutes(app: App, deps: RegistrationDeps): void {
  const base = '/api/operator/registrations/:registrationId'
  const params = RegistrationParams
  app.post(
    `${base}/approve`,
    { config: human, schema: { tags, summary: 'Approve Registration', params, response: nothing } },
    async (request, reply) => {
      const access = await accessOperator(deps.database, request.caller)
      await approveRegistration(deps, access, request.params.registrationId)
      return reply.code(204).send(null)
    },
  )
  const body = RefuseRegistrationBody
  app.post(
    `${base}/refuse`,
    { config: human, schema: { tags, summary: 'Refuse Registration', params, body, response: nothing } },
    async (request, reply) => {
      const access = await accessOperator(deps.database, request.caller)
      await refuseRegistration(deps, access, request.params.registrationId, await readOptionalBody(request))
      return reply.code(204).send(null)
    },
  )
}

function inviteRoutes(app: App, deps: RegistrationDeps): void {
  const url = '/api/operator/invites'
  const listed = { 200: Type.Array(OperatorInvite) }
  app.get(
    url,
    { config: human, schema: { tags, summary: 'List Operator Invites', response: listed } },
    async (request) => {
      await accessOperator(deps.database, request.caller)
      return listOperatorInvites(deps.database)
    },
  )
  const made = { body: CreateOperatorInviteBody, response: { 200: OperatorInvite } }
  app.post(
    url,
    { config: human, schema: { tags, summary: 'Create Operator Invite', ...made } },
    async (request) => {
      const access = await accessOperator(deps.database, request.caller)
      return createOperatorInvite(deps, access, await readOptionalBody(request))
    },
  )
  const params = OperatorInviteParams
  app.delete(
    `${url}/:inviteId`,
    { config: human, schema: { tags, summary: 'Delete Operator Invite', params, response: nothing } },
    async (request, reply) => {
      const access = await accessOperator(deps.database, request.caller)
      await removeOperatorInvite(deps, access, request.params.inviteId)
      return reply.code(204).send(null)
    },
  )
}
