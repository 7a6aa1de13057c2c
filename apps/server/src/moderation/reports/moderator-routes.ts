import {
  CreateReportNoteBody,
  ListReportsQuery,
  Report,
  ReportNote,
  ReportParams,
  UpdateReportBody,
} from '@foyer/protocol/reports'
import { SpaceParams } from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import type { Database } from '#src/kernel/database/database.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, updateMethods } from '#src/kernel/http/types.ts'
import { accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { addNote, updateReport } from './actions/deciding.ts'
import { moderators, queueOf } from './deciders.ts'
import type { ReportReader } from './reading.ts'
import { complete, showNotes, showReport, showReports } from './showing.ts'

interface Deps extends ReportReader {
  database: Database
  snapshots: Snapshots
}

const tags = ['Reports']
const base = '/api/spaces/:spaceId/reports'
const one = Type.Object({ ...SpaceParams.properties, ...ReportParams.properties })

export function moderatorReportRoutes(app: App, deps: Deps): void {
  listRoute(app, deps)
  getRoute(app, deps)
  updateRoute(app, deps)
  notesRoute(app, deps)
  addNoteRoute(app, deps)
}

function listRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'List Reports of Space',
    params: SpaceParams,
    querystring: ListReportsQuery,
    response: { 200: Type.Array(Report) },
  }
  app.get(base, { schema }, async ({ caller, params, query }) => {
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, 'ManageReports')
    return showReports(deps, queueOf(access), query)
  })
}

function getRoute(app: App, deps: Deps): void {
  const schema = { tags, summary: 'Get Report of Space', params: one, response: { 200: Report } }
  app.get(`${base}/:reportId`, { schema }, async ({ caller, params }) => {
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, 'ManageReports')
    return showReport(deps, queueOf(access), params.reportId)
  })
}

function updateRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Update Report of Space',
    description: 'Takes, releases, closes or reopens a report. The reporters are notified when it is closed.',
    params: one,
    body: UpdateReportBody,
    response: { 200: Report },
  }
  app.route({
    method: updateMethods,
    url: `${base}/:reportId`,
    schema,
    handler: async (request) => {
      const { caller, params } = request
      const access = await accessSpace(deps.snapshots, caller, params.spaceId, 'ManageReports')
      const deciders = moderators(access)
      const row = await updateReport(deps, deciders, params.reportId, await readBody(request))
      return complete(deps, deciders.queue, row)
    },
  })
}

function notesRoute(app: App, deps: Deps): void {
  const response = { 200: Type.Array(ReportNote) }
  const schema = { tags, summary: 'List Notes on Report of Space', params: one, response }
  app.get(`${base}/:reportId/notes`, { schema }, async ({ caller, params }) => {
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, 'ManageReports')
    return showNotes(deps, queueOf(access), params.reportId)
  })
}

function addNoteRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Add Note to Report of Space',
    params: one,
    body: CreateReportNoteBody,
    response: { 200: Type.Array(ReportNote) },
  }
  app.post(`${base}/:reportId/notes`, { schema }, async (request) => {
    const { caller, params } = request
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, 'ManageReports')
    const { text } = await readBody(request)
    return addNote(deps, moderators(access), params.reportId, text)
  })
}
