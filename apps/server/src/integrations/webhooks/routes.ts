import { has, Permission } from '@foyer/protocol/permissions'
import { RoomParams } from '@foyer/protocol/rooms'
import { SpaceParams } from '@foyer/protocol/spaces'
import {
  CreateWebhookBody,
  UpdateWebhookBody,
  UpdateWebhookForm,
  Webhook,
  WebhookParams,
} from '@foyer/protocol/webhooks'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { withStoredImages } from '#src/files/images/actions.ts'
import { imagesIn, textsIn } from '#src/files/images/forms.ts'
import type { FileDeps } from '#src/files/objects/actions.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { isForm, readForm } from '#src/kernel/http/bodies/multipart.ts'
import { type App, updateMethods } from '#src/kernel/http/types.ts'
import type { ChargeDeps } from '#src/kernel/limits/rate-limits.ts'
import type { SpaceAccess } from '#src/spaces/access.ts'
import { permissionsInRoom } from '#src/spaces/snapshots.ts'
import {
  accessManagedRoom,
  accessManagedSpace,
  accessWebhook,
  WEBHOOK_PERMISSIONS,
  type WebhookAccess,
  type WebhookAccessDeps,
} from './access.ts'
import { createWebhook, deleteWebhook, updateWebhook } from './actions.ts'
import { executionRoutes } from './execution-routes.ts'
import type { ExecutionDeps } from './order.ts'
import { ownMessageRoutes } from './own-message-routes.ts'
import { type ShownWhere, shownWebhook, shownWebhooks } from './presentation.ts'
import { listWebhooks, listWebhooksOfRoom, type WebhookRow } from './queries.ts'
import { tokenRoutes } from './token-routes.ts'

export type WebhookDeps = WebhookAccessDeps & ExecutionDeps & ChargeDeps & FileDeps & { config: ShownWhere }

const tags = ['Webhooks']

export function webhookRoutes(app: App, deps: WebhookDeps): void {
  createRoute(app, deps)
  listRoutes(app, deps)
  getRoute(app, deps)
  updateRoute(app, deps)
  deleteRoute(app, deps)
  executionRoutes(app, deps)
  tokenRoutes(app, deps)
  ownMessageRoutes(app, deps)
}

function createRoute(app: App, deps: WebhookDeps): void {
  const response = { 200: Webhook }
  app.post(
    '/api/rooms/:roomId/webhooks',
    { schema: { tags, summary: 'Create Webhook', params: RoomParams, body: CreateWebhookBody, response } },
    async (request) => {
      const { space, room } = await accessManagedRoom(deps, request.caller, request.params.roomId)
      const webhook = await createWebhook(deps, space, room.room.id, await readBody(request))
      return shownWebhook(deps, request, webhook)
    },
  )
}

function listRoutes(app: App, deps: WebhookDeps): void {
  const response = { 200: Type.Array(Webhook) }
  app.get(
    '/api/rooms/:roomId/webhooks',
    { schema: { tags, summary: 'List Webhooks of Room', params: RoomParams, response } },
    async (request) => {
      const { room } = await accessManagedRoom(deps, request.caller, request.params.roomId)
      const webhooks = await listWebhooksOfRoom(deps.database, room.spaceId, room.room.id)
      return shownWebhooks(deps, request, webhooks)
    },
  )
  app.get(
    '/api/spaces/:spaceId/webhooks',
    { schema: { tags, summary: 'List Webhooks of Space', params: SpaceParams, response } },
    async (request) => {
      const space = await accessManagedSpace(deps, request.caller, request.params.spaceId)
      const webhooks = await listWebhooks(deps.database, space.spaceId)
      const managed = webhooks.filter(({ room_id }) => isManagedBy(space, room_id))
      return shownWebhooks(deps, request, managed)
    },
  )
}

function getRoute(app: App, deps: WebhookDeps): void {
  app.get(
    '/api/webhooks/:webhookId',
    { schema: { tags, summary: 'Get Webhook', params: WebhookParams, response: { 200: Webhook } } },
    async (request) => {
      const { webhook } = await accessWebhook(deps, request.caller, request.params.webhookId)
      return shownWebhook(deps, request, webhook)
    },
  )
}

function updateRoute(app: App, deps: WebhookDeps): void {
  app.route({
    method: updateMethods,
    url: '/api/webhooks/:webhookId',
    config: { form: { texts: UpdateWebhookForm, files: ['avatar'] } },
    schema: {
      tags,
      summary: 'Update Webhook',
      params: WebhookParams,
      body: UpdateWebhookBody,
      response: { 200: Webhook },
    },
    handler: async (request) => {
      const access = await accessWebhook(deps, request.caller, request.params.webhookId)
      const updated = isForm(request)
        ? await updateByForm(deps, access, request)
        : await updateWebhook(deps, access, await readBody(request))
      return shownWebhook(deps, request, updated)
    },
  })
}

function deleteRoute(app: App, deps: WebhookDeps): void {
  const response = { 204: Type.Null() }
  app.delete(
    '/api/webhooks/:webhookId',
    { schema: { tags, summary: 'Delete Webhook', params: WebhookParams, response } },
    async (request, reply) => {
      await deleteWebhook(deps, await accessWebhook(deps, request.caller, request.params.webhookId))
      return reply.code(204).send(null)
    },
  )
}

function isManagedBy({ snapshot, member }: SpaceAccess, roomId: string): boolean {
  const needed = Permission.ViewChannels | WEBHOOK_PERMISSIONS
  return snapshot.rooms.has(roomId) && has(permissionsInRoom(snapshot, member, roomId), needed)
}

async function updateByForm(
  deps: WebhookDeps,
  access: WebhookAccess,
  request: FastifyRequest,
): Promise<WebhookRow> {
  await using form = await readForm(request, { maxFiles: 1, tooMany: 'invalid_multipart' })
  const { remove_avatar, ...texts } = textsIn(form, UpdateWebhookForm)
  const body = { ...texts, ...(remove_avatar === 'true' && { avatar: null }) }
  const { spaceId, caller } = access.space
  const home = { tenantId: spaceId, ownerId: caller.user.id, where: 'own' } as const
  return await withStoredImages(deps, home, imagesIn(form, ['avatar']), (images) =>
    updateWebhook(deps, access, body, images),
  )
}
