import {
  Application,
  ApplicationParams,
  BotToken,
  CreateApplicationBody,
  CreateApplicationResult,
  UpdateApplicationBody,
} from '@foyer/protocol/applications'
import { Type } from 'typebox'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, human, updateMethods } from '#src/kernel/http/types.ts'
import { accessApplication, accessOwnApplication } from './access.ts'
import {
  type ApplicationDeps,
  createApplication,
  deleteApplication,
  resetBotToken,
  updateApplication,
} from './actions.ts'
import { listApplications } from './queries.ts'

const tags = ['Applications']

export function applicationRoutes(app: App, deps: ApplicationDeps): void {
  collectionRoutes(app, deps)
  readAndUpdateRoutes(app, deps)
  deleteRoute(app, deps)
  tokenRoute(app, deps)
}

function collectionRoutes(app: App, deps: ApplicationDeps): void {
  app.post(
    '/api/applications',
    {
      config: human,
      schema: {
        tags,
        summary: 'Create Application',
        body: CreateApplicationBody,
        response: { 200: CreateApplicationResult },
      },
    },
    async (request) => createApplication(deps, request.caller, await readBody(request)),
  )

  app.get(
    '/api/applications',
    {
      config: human,
      schema: { tags, summary: 'List Applications', response: { 200: Type.Array(Application) } },
    },
    async (request) => listApplications(deps.database, request.caller.user.id),
  )
}

function readAndUpdateRoutes(app: App, deps: ApplicationDeps): void {
  const url = '/api/applications/:appId'
  const params = ApplicationParams
  const response = { 200: Application }

  app.get(
    url,
    { config: human, schema: { tags, summary: 'Get Application', params, response } },
    async (request) => accessApplication(deps.database, request.caller, request.params.appId),
  )

  app.route({
    method: updateMethods,
    url,
    config: human,
    schema: { tags, summary: 'Update Application', params, body: UpdateApplicationBody, response },
    handler: async (request) => {
      const own = await accessOwnApplication(deps.database, request.caller, request.params.appId)
      return updateApplication(deps, own, await readBody(request))
    },
  })
}

function deleteRoute(app: App, deps: ApplicationDeps): void {
  const response = { 204: Type.Null() }
  app.delete(
    '/api/applications/:appId',
    { config: human, schema: { tags, summary: 'Delete Application', params: ApplicationParams, response } },
    async (request, reply) => {
      await deleteApplication(
        deps,
        await accessOwnApplication(deps.database, request.caller, request.params.appId),
      )
      return reply.code(204).send(null)
    },
  )
}

function tokenRoute(app: App, deps: ApplicationDeps): void {
  const response = { 200: BotToken }
  app.post(
    '/api/applications/:appId/bot/token',
    { config: human, schema: { tags, summary: 'Reset Bot Token', params: ApplicationParams, response } },
    async (request) => {
      const own = await accessOwnApplication(deps.database, request.caller, request.params.appId)
      return { token: await resetBotToken(deps, own) }
    },
  )
}
