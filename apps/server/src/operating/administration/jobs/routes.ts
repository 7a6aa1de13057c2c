import { FailedJobParams, JobOverview, RetriedJobs, RetryJobsBody } from '@foyer/protocol/operator-jobs'
import { Type } from 'typebox'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { accessOperator } from '#src/operating/operators/access.ts'
import { deleteJob, type JobAdministrationDeps, retryJob, retryJobs } from './actions.ts'
import { readJobs } from './queries.ts'

const tags = ['Operators']
const noContent = { 204: Type.Null() }

export function jobAdministrationRoutes(app: App, deps: JobAdministrationDeps): void {
  listRoute(app, deps)
  retryAllRoute(app, deps)
  retryRoute(app, deps)
  deleteRoute(app, deps)
}

function listRoute(app: App, { database }: JobAdministrationDeps): void {
  const schema = { tags, summary: 'List Jobs', response: { 200: JobOverview } }
  app.get('/api/operator/jobs', { config: human, schema }, async (request) => {
    await accessOperator(database, request.caller)
    return readJobs(database)
  })
}

function retryAllRoute(app: App, deps: JobAdministrationDeps): void {
  const response = { 200: RetriedJobs }
  const schema = { tags, summary: 'Retry Failed Jobs', body: RetryJobsBody, response }
  app.post('/api/operator/jobs/retry', { config: human, schema }, async (request) => {
    const access = await accessOperator(deps.database, request.caller)
    const { task } = await readBody(request)
    return retryJobs(deps, access, task)
  })
}

function retryRoute(app: App, deps: JobAdministrationDeps): void {
  const schema = { tags, summary: 'Retry Failed Job', params: FailedJobParams, response: noContent }
  app.post('/api/operator/jobs/:jobId/retry', { config: human, schema }, async (request, reply) => {
    const access = await accessOperator(deps.database, request.caller)
    await retryJob(deps, access, request.params.jobId)
    return reply.code(204).send(null)
  })
}

function deleteRoute(app: App, deps: JobAdministrationDeps): void {
  const schema = { tags, summary: 'Delete Failed Job', params: FailedJobParams, response: noContent }
  app.delete('/api/operator/jobs/:jobId', { config: human, schema }, async (request, reply) => {
    const access = await accessOperator(deps.database, request.caller)
    await deleteJob(deps, access, request.params.jobId)
    return reply.code(204).send(null)
  })
}
