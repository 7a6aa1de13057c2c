import { StorageOverview, StorageSurvey } from '@foyer/protocol/operator-storage'
import { type App, human } from '#src/kernel/http/types.ts'
import { accessOperator } from '#src/operating/operators/access.ts'
import { askForSurvey, type StorageAdministrationDeps } from './actions.ts'
import { readStorage } from './reading.ts'

const tags = ['Operators']

export function storageAdministrationRoutes(app: App, deps: StorageAdministrationDeps): void {
  storageRoute(app, deps)
  surveyRoute(app, deps)
}

function storageRoute(app: App, { database }: StorageAdministrationDeps): void {
  const schema = { tags, summary: 'Get Storage', response: { 200: StorageOverview } }
  app.get('/api/operator/storage', { config: human, schema }, async (request) => {
    await accessOperator(database, request.caller)
    return readStorage(database)
  })
}

function surveyRoute(app: App, deps: StorageAdministrationDeps): void {
  const schema = { tags, summary: 'Survey Storage', response: { 202: StorageSurvey } }
  app.post('/api/operator/storage/survey', { config: human, schema }, async (request, reply) => {
    const access = await accessOperator(deps.database, request.caller)
    return reply.code(202).send(await askForSurvey(deps, access))
  })
}
