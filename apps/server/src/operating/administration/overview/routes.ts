import { HealthQuery, ServerHealth, ServerOverview } from '@foyer/protocol/server-health'
import { type App, human } from '#src/kernel/http/types.ts'
import { accessOperator } from '#src/operating/operators/access.ts'
import { readHealth } from '../health/series.ts'
import { type OverviewDeps, readOverview } from './reading.ts'

const tags = ['Operators']

export function overviewRoutes(app: App, deps: OverviewDeps): void {
  overviewRoute(app, deps)
  healthRoute(app, deps)
}

function overviewRoute(app: App, deps: OverviewDeps): void {
  const schema = { tags, summary: 'Get Server Overview', response: { 200: ServerOverview } }
  app.get('/api/operator/overview', { config: human, schema }, async (request) => {
    await accessOperator(deps.database, request.caller)
    return readOverview(deps)
  })
}

function healthRoute(app: App, { database }: OverviewDeps): void {
  const response = { 200: ServerHealth }
  const schema = { tags, summary: 'Get Server Health', querystring: HealthQuery, response }
  app.get('/api/operator/health', { config: human, schema }, async (request) => {
    await accessOperator(database, request.caller)
    return readHealth(database, request.query)
  })
}
