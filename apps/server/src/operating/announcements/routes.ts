import {
  Announcement,
  AnnouncementParams,
  Announcements,
  CreateAnnouncementBody,
  UpdateAnnouncementBody,
} from '@foyer/protocol/announcements'
import { Type } from 'typebox'
import type { Database } from '#src/kernel/database/database.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, human, updateMethods } from '#src/kernel/http/types.ts'
import { accessOperator } from '#src/operating/operators/access.ts'
import { createAnnouncement, endAnnouncement, updateAnnouncement } from './actions.ts'
import type { CurrentAnnouncements } from './current.ts'
import { listAnnouncements } from './queries.ts'

interface Deps {
  database: Database
  currentAnnouncements: CurrentAnnouncements
}

const tags = ['Announcements']
const base = '/api/operator/announcements'
const one = `${base}/:announcementId`
const params = AnnouncementParams

export function announcementRoutes(app: App, deps: Deps): void {
  currentRoute(app, deps)
  listRoute(app, deps)
  createRoute(app, deps)
  updateRoute(app, deps)
  endRoute(app, deps)
}

/** Bots may request announcements here, because they get no event about them. */
function currentRoute(app: App, { currentAnnouncements }: Deps): void {
  const schema = { tags, summary: 'List Announcements', response: { 200: Announcements } }
  app.get('/api/announcements', { schema }, async () => ({
    announcements: await currentAnnouncements.list(),
  }))
}

function listRoute(app: App, { database }: Deps): void {
  const schema = {
    tags,
    summary: 'List Announcements for Operators',
    description: 'Includes announcements that begin later.',
    response: { 200: Type.Array(Announcement) },
  }
  app.get(base, { config: human, schema }, async ({ caller }) => {
    await accessOperator(database, caller)
    return listAnnouncements(database)
  })
}

function createRoute(app: App, deps: Deps): void {
  const body = CreateAnnouncementBody
  const schema = { tags, summary: 'Create Announcement', body, response: { 200: Announcement } }
  app.post(base, { config: human, schema }, async (request) => {
    const access = await accessOperator(deps.database, request.caller)
    return createAnnouncement(deps, access, await readBody(request))
  })
}

function updateRoute(app: App, deps: Deps): void {
  const body = UpdateAnnouncementBody
  const schema = { tags, summary: 'Update Announcement', params, body, response: { 200: Announcement } }
  app.route({
    method: updateMethods,
    url: one,
    config: human,
    schema,
    handler: async (request) => {
      const access = await accessOperator(deps.database, request.caller)
      return updateAnnouncement(deps, access, request.params.announcementId, await readBody(request))
    },
  })
}

function endRoute(app: App, deps: Deps): void {
  const schema = { tags, summary: 'End Announcement', params, response: { 204: Type.Null() } }
  app.delete(one, { config: human, schema }, async (request, reply) => {
    const access = await accessOperator(deps.database, request.caller)
    await endAnnouncement(deps, access, request.params.announcementId)
    return reply.code(204).send(null)
  })
}
