import {
  TokenWebhook,
  UpdateTokenWebhookBody,
  UpdateWebhookForm,
  WebhookRateLimited,
  WebhookTokenParams,
} from '@foyer/protocol/webhooks'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { withStoredImages } from '#src/files/images/actions.ts'
import { isDataAddress, withDataAddress } from '#src/files/images/data-address.ts'
import { type ImageFile, imagesIn, textsIn } from '#src/files/images/forms.ts'
import type { FileDeps } from '#src/files/objects/actions.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { isForm, readForm } from '#src/kernel/http/bodies/multipart.ts'
import type { App } from '#src/kernel/http/types.ts'
import { deleteByToken, updateByToken } from './actions.ts'
import { type ShownWhere, shownByToken } from './presentation.ts'
import type { WebhookRow } from './queries.ts'
import { type Enter, proveReading, type TokenDeps, type TokenRequest } from './token-access.ts'

type Deps = TokenDeps & FileDeps & { config: ShownWhere }

const tags = ['Webhooks']
/** The token in the path is the only credential. */
const config = { access: 'public', limits: ['webhookToken'], dialect: 'discord' } as const
const params = WebhookTokenParams
const url = '/api/webhooks/:webhookId/:token'

/** Routes for the webhook itself, by token. */
export function tokenRoutes(app: App, deps: Deps): void {
  getRoute(app, deps)
  updateRoute(app, deps)
  deleteRoute(app, deps)
}

function getRoute(app: App, deps: Deps): void {
  app.get(
    url,
    {
      config,
      schema: {
        tags,
        summary: 'Get Webhook by Token',
        params,
        response: { 200: TokenWebhook, 429: WebhookRateLimited },
      },
    },
    async (request) => {
      const enter = await proveReading(deps, request)
      return shown(deps, request, await enter())
    },
  )
}

function updateRoute(app: App, deps: Deps): void {
  app.patch(
    url,
    {
      config: { ...config, form: { texts: UpdateWebhookForm, files: ['avatar'] } },
      schema: {
        tags,
        summary: 'Update Webhook by Token',
        params,
        body: UpdateTokenWebhookBody,
        response: { 200: TokenWebhook, 429: WebhookRateLimited },
      },
    },
    async (request) => {
      const enter = await proveReading(deps, request)
      const updated = isForm(request)
        ? await updateByForm(deps, enter, request)
        : await updateByJson(deps, enter, request)
      return shown(deps, request, updated)
    },
  )
}

function deleteRoute(app: App, deps: Deps): void {
  const response = { 204: Type.Null(), 429: WebhookRateLimited }
  app.delete(
    url,
    { config, schema: { tags, summary: 'Delete Webhook by Token', params, response } },
    async (request, reply) => {
      const enter = await proveReading(deps, request)
      await deleteByToken(deps, await enter())
      return reply.code(204).send(null)
    },
  )
}

async function updateByJson(
  deps: Deps,
  enter: Enter,
  request: FastifyRequest<{ Body: UpdateTokenWebhookBody }>,
): Promise<WebhookRow> {
  const body = await readBody(request)
  const webhook = await enter()
  const { avatar, ...rest } = body
  if (!isDataAddress(avatar)) return updateByToken(deps, webhook, body)
  return withDataAddress('avatar', avatar, {
    formSpace: request.server.formSpace,
    sender: webhook.id,
    run: (file) => updateWithImages(deps, webhook, rest, [file]),
  })
}

async function updateByForm(deps: Deps, enter: Enter, request: FastifyRequest): Promise<WebhookRow> {
  await using form = await readForm(request, { maxFiles: 1, tooMany: 'invalid_multipart' })
  const { remove_avatar, ...texts } = textsIn(form, UpdateWebhookForm)
  const body = { ...texts, ...(remove_avatar === 'true' && { avatar: null }) }
  return await updateWithImages(deps, await enter(), body, imagesIn(form, ['avatar']))
}

function updateWithImages(
  deps: Deps,
  webhook: WebhookRow,
  body: UpdateTokenWebhookBody,
  files: readonly ImageFile[],
): Promise<WebhookRow> {
  const home = { tenantId: webhook.space_id, ownerId: webhook.id, where: 'own' } as const
  return withStoredImages(deps, home, files, (images) => updateByToken(deps, webhook, body, images))
}

function shown({ config }: Deps, request: TokenRequest, webhook: WebhookRow): TokenWebhook {
  return shownByToken(config, request, webhook, request.params.token)
}
