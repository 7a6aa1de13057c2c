import { Message } from '@foyer/protocol/messages'
import {
  UpdateWebhookMessageBody,
  UpdateWebhookMessageForm,
  WebhookMessageParams,
  WebhookMessageQuery,
  WebhookRateLimited,
} from '@foyer/protocol/webhooks'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ApiError } from '#src/kernel/errors.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { readFields, readJsonField } from '#src/kernel/http/bodies/form-fields.ts'
import { isForm, readForm } from '#src/kernel/http/bodies/multipart.ts'
import type { App } from '#src/kernel/http/types.ts'
import type { ExecutionDeps } from './order.ts'
import {
  accessOwnMessage,
  deleteOwnMessage,
  findOwnMessage,
  type OwnMessage,
  type OwnMessageDeps,
  updateOwnMessage,
} from './own-messages.ts'
import { proveReading, proveToken, type TokenDeps } from './token-access.ts'

type Deps = TokenDeps & OwnMessageDeps & Pick<ExecutionDeps, 'webhookTurns'>

const tags = ['Webhooks']
/** The token in the path is the only credential. */
const config = { access: 'public', limits: ['webhookToken'], dialect: 'discord' } as const
const params = WebhookMessageParams
const querystring = WebhookMessageQuery
const url = '/api/webhooks/:webhookId/:token/messages/:messageId'

/** Routes for a webhook's own messages, by token. */
export function ownMessageRoutes(app: App, deps: Deps): void {
  getRoute(app, deps)
  editRoute(app, deps)
  deleteRoute(app, deps)
}

function getRoute(app: App, deps: Deps): void {
  app.get(
    url,
    {
      config,
      schema: {
        tags,
        summary: 'Get Message of Webhook',
        params,
        querystring,
        response: { 200: Message, 429: WebhookRateLimited },
      },
    },
    async (request) => {
      const enter = await proveReading(deps, request)
      return findOwnMessage(deps, await enter(), wishOf(request))
    },
  )
}

function editRoute(app: App, deps: Deps): void {
  app.patch(
    url,
    {
      config: { ...config, form: { texts: UpdateWebhookMessageForm, files: [] } },
      schema: {
        tags,
        summary: 'Edit Message of Webhook',
        params,
        querystring,
        body: UpdateWebhookMessageBody,
        response: { 200: Message, 429: WebhookRateLimited },
      },
    },
    async (request, reply) => {
      const wish = wishOf(request)
      const { ownerId, enter } = await proveToken(deps, request, reply)
      await accessOwnMessage(deps, await enter(), wish)
      const body = isForm(request) ? await readEditForm(request) : await readBody(request)
      return deps.webhookTurns.run(ownerId, async () => {
        const webhook = await enter()
        return updateOwnMessage(deps, webhook, await accessOwnMessage(deps, webhook, wish), body)
      })
    },
  )
}

/** Reads an edit from a form: some clients send every edit as a form. */
async function readEditForm(request: FastifyRequest): Promise<UpdateWebhookMessageBody> {
  await using form = await readForm(request)
  if (form.files.length > 0) throw new ApiError('invalid_request', 'files of a message cannot be changed')
  const { content } = readFields(UpdateWebhookMessageForm, form)
  return {
    ...(content !== undefined && { content }),
    ...readJsonField(UpdateWebhookMessageBody, form, 'payload_json'),
  }
}

function deleteRoute(app: App, deps: Deps): void {
  const response = { 204: Type.Null(), 429: WebhookRateLimited }
  app.delete(
    url,
    { config, schema: { tags, summary: 'Delete Message of Webhook', params, querystring, response } },
    async (request, reply) => {
      const { ownerId, enter } = await proveToken(deps, request, reply)
      await deps.webhookTurns.run(ownerId, async () => deleteOwnMessage(deps, await enter(), wishOf(request)))
      return reply.code(204).send(null)
    },
  )
}

function wishOf({
  params,
  query,
}: FastifyRequest<{ Params: { messageId: string }; Querystring: { thread_id?: string } }>): OwnMessage {
  return { id: params.messageId, threadId: query.thread_id }
}
