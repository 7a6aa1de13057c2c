import {
  ListNotificationSettingsQuery,
  NotificationSetting,
  NotificationSettingParams,
  UpdateNotificationSettingBody,
} from '@foyer/protocol/notifications'
import { Type } from 'typebox'
import type { Database } from '#src/kernel/database/database.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { accessTarget, type SettingDeps } from './access.ts'
import { removeSetting, updateSetting } from './actions.ts'
import { listSettings } from './queries.ts'

type Deps = SettingDeps & { database: Database }

const tags = ['Notifications']
const url = '/api/users/@me/notification-settings/:scope/:id'

export function notificationRoutes(app: App, deps: Deps): void {
  listRoute(app, deps)
  updateRoute(app, deps)
  deleteRoute(app, deps)
}

function listRoute(app: App, { database }: Deps): void {
  const schema = {
    tags,
    summary: 'List Notification Settings',
    querystring: ListNotificationSettingsQuery,
    response: { 200: Type.Array(NotificationSetting) },
  }
  app.get('/api/users/@me/notification-settings', { config: human, schema }, async (request) => {
    const { forums = false } = request.query
    return listSettings(database, request.caller.user.id, { forums })
  })
}

function updateRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Update Notification Setting',
    params: NotificationSettingParams,
    body: UpdateNotificationSettingBody,
    response: { 200: NotificationSetting },
  }
  app.put(url, { config: human, schema }, async (request) => {
    const target = await accessTarget(deps, request.caller, request.params)
    return updateSetting(deps, target, await readBody(request))
  })
}

function deleteRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Delete Notification Setting',
    params: NotificationSettingParams,
    response: { 204: Type.Null() },
  }
  app.delete(url, { config: human, schema }, async (request, reply) => {
    await removeSetting(deps, await accessTarget(deps, request.caller, request.params))
    return reply.code(204).send(null)
  })
}
