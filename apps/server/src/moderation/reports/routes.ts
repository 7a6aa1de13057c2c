import { CreateReportBody, OwnReport } from '@foyer/protocol/reports'
import { Type } from 'typebox'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { type CreateDeps, createReport } from './actions/creating.ts'
import { listOwnReports } from './queries.ts'

const tags = ['Reports']

export function reportRoutes(app: App, deps: CreateDeps): void {
  createRoute(app, deps)
  ownRoute(app, deps)
}

function createRoute(app: App, deps: CreateDeps): void {
  const schema = {
    tags,
    summary: 'Create Report',
    description:
      'Reports a message, a user or a space. Moderators decide about messages of their space, except those of its owner; operators of the server about everything else.',
    body: CreateReportBody,
    response: { 201: OwnReport },
  }
  const config = { ...human, limits: ['report'] } as const
  app.post('/api/reports', { config, schema }, async (request, reply) => {
    const report = await createReport(deps, request.caller, await readBody(request))
    return reply.code(201).send(report)
  })
}

function ownRoute(app: App, { database }: CreateDeps): void {
  const schema = { tags, summary: 'List Own Reports', response: { 200: Type.Array(OwnReport) } }
  app.get('/api/users/@me/reports', { config: human, schema }, async ({ caller }) =>
    listOwnReports(database, caller.user.id),
  )
}
