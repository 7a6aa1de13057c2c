import {
  CreateReportNoteBody,
  ListReportsQuery,
  Report,
  ReportNote,
  ReportParams,
  UpdateReportBody,
} from '@foyer/protocol/reports'
import { Type } from 'typebox'
import type { Database } from '#src/kernel/database/database.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, human, updateMethods } from '#src/kernel/http/types.ts'
import { accessOperator } from '#src/operating/operators/access.ts'
import { addNote, updateReport } from './actions/deciding.ts'
import { operators, operatorsQueue } from './deciders.ts'
import type { ReportReader } from './reading.ts'
import { complete, showNotes, showReport, showReports } from './showing.ts'

interface Deps extends ReportReader {
  database: Database
}

const tags = ['Reports']
const base = '/api/operator/reports'

export function operatorReportRoutes(app: App, deps: Deps): void {
  listRoute(app, deps)
  getRoute(app, deps)
  updateRoute(app, deps)
  notesRoute(app, deps)
  addNoteRoute(app, deps)
}

function listRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'List Reports of Server',
    querystring: ListReportsQuery,
    response: { 200: Type.Array(Report) },
  }
  app.get(base, { config: human, schema }, async ({ caller, query }) => {
    await accessOperator(deps.database, caller)
    return showReports(deps, operatorsQueue(caller.user.id), query)
  })
}

function getRoute(app: App, deps: Deps): void {
  const schema = { tags, summary: 'Get Report of Server', params: ReportParams, response: { 200: Report } }
  app.get(`${base}/:reportId`, { config: human, schema }, async ({ caller, params }) => {
    await accessOperator(deps.database, caller)
    return showReport(deps, operatorsQueue(caller.user.id), params.reportId)
  })
}

function updateRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Update Report of Server',
    description: 'Takes, releases, closes or reopens a report. The reporters are notified when it is closed.',
    params: ReportParams,
    body: UpdateReportBody,
    response: { 200: Report },
  }
  app.route({
    method: updateMethods,
    url: `${base}/:reportId`,
    config: human,
    schema,
    handler: async (request) => {
      const { caller, params } = request
      const access = await accessOperator(deps.database, caller)
      const deciders = operators(access, caller.user.id)
      const row = await updateReport(deps, deciders, params.reportId, await readBody(request))
      return complete(deps, deciders.queue, row)
    },
  })
}

function notesRoute(app: App, deps: Deps): void {
  const response = { 200: Type.Array(ReportNote) }
  const schema = { tags, summary: 'List Notes on Report of Server', params: ReportParams, response }
  app.get(`${base}/:reportId/notes`, { config: human, schema }, async ({ caller, params }) => {
    await accessOperator(deps.database, caller)
    return showNotes(deps, operatorsQueue(caller.user.id), params.reportId)
  })
}

function addNoteRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Add Note to Report of Server',
    params: ReportParams,
    body: CreateReportNoteBody,
    response: { 200: Type.Array(ReportNote) },
  }
  app.post(`${base}/:reportId/notes`, { config: human, schema }, async (request) => {
    const { caller, params } = request
    const access = await accessOperator(deps.database, caller)
    const { text } = await readBody(request)
    return addNote(deps, operators(access, caller.user.id), params.reportId, text)
  })
}
