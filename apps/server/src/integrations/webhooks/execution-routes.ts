import { Message } from '@foyer/protocol/messages'
import {
  ExecuteWebhookBody,
  ExecuteWebhookForm,
  ExecuteWebhookQuery,
  ServicePayload,
  WebhookRateLimited,
  WebhookTokenParams,
} from '@foyer/protocol/webhooks'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ApiError } from '#src/kernel/errors.ts'
import type { App } from '#src/kernel/http/types.ts'
import { readExecution, readPayload } from './bodies.ts'
import { embedsOf } from './cards.ts'
import { executeWebhook } from './execution.ts'
import { readGithubEvent } from './github/github.ts'
import type { ExecutionDeps } from './order.ts'
import { signatureCheck } from './signatures.ts'
import { readSlackMessage } from './slack/slack.ts'
import { proveToken, type TokenDeps } from './token-access.ts'

type Deps = TokenDeps & ExecutionDeps

const tags = ['Webhooks']
/** The token in the path is the only credential. */
const config = { access: 'public', limits: ['webhook'], dialect: 'discord' } as const
const params = WebhookTokenParams
const response = { 200: Message, 204: Type.Null(), 429: WebhookRateLimited }

export function executionRoutes(app: App, deps: Deps): void {
  executeRoute(app, deps)
  githubRoute(app, deps)
  slackRoute(app, deps)
}

function executeRoute(app: App, deps: Deps): void {
  app.post(
    '/api/webhooks/:webhookId/:token',
    {
      config: { ...config, form: { texts: ExecuteWebhookForm, files: ['files'] } },
      schema: {
        tags,
        summary: 'Execute Webhook',
        params,
        querystring: ExecuteWebhookQuery,
        body: ExecuteWebhookBody,
        response,
      },
    },
    async (request, reply) => {
      const entrance = await proveToken(deps, request, reply)
      await using execution = await readExecution(request)
      const threadId = request.query.thread_id
      const message = await executeWebhook(deps, entrance, { ...execution, threadId })
      // A post with files is answered with the message, as by Discord: discord-webhook-node treats a 204 as a failure.
      return execution.files.length > 0 ? message : answer(request, reply, message)
    },
  )
}

function githubRoute(app: App, deps: Deps): void {
  app.post(
    '/api/webhooks/:webhookId/:token/github',
    {
      config,
      schema: {
        tags,
        summary: 'Execute Webhook as GitHub',
        params,
        querystring: ExecuteWebhookQuery,
        body: ServicePayload,
        response,
      },
    },
    async (request, reply) => {
      const entrance = await proveToken(deps, request, reply)
      const check = signatureCheck(deps.sealer, await entrance.enter(), request.headers)
      const payload = await readPayload(request, check)
      const card = readGithubEvent(headerOf(request, 'x-github-event'), payload)
      if (card === undefined) return answer(request, reply, undefined)
      const delivery = /^[\w-]{1,64}$/.exec(headerOf(request, 'x-github-delivery'))?.[0]
      const nonce = card.once?.slice(0, 64) ?? delivery
      const order = { body: { embeds: embedsOf([card]) }, nonce, threadId: request.query.thread_id }
      return answer(request, reply, await executeWebhook(deps, entrance, order).catch(forgetDeleted))
    },
  )
}

function slackRoute(app: App, deps: Deps): void {
  app.post(
    '/api/webhooks/:webhookId/:token/slack',
    {
      config,
      schema: {
        tags,
        summary: 'Execute Webhook as Slack',
        params,
        querystring: ExecuteWebhookQuery,
        body: ServicePayload,
        response: { 200: Type.String({ description: 'ok, as text' }), 429: WebhookRateLimited },
      },
    },
    async (request, reply) => {
      const entrance = await proveToken(deps, request, reply)
      const body = readSlackMessage(await readPayload(request))
      await executeWebhook(deps, entrance, { body, threadId: request.query.thread_id })
      return reply.type('text/plain; charset=utf-8').serializer(String).send('ok')
    },
  )
}

function answer(
  request: FastifyRequest<{ Querystring: { wait?: string } }>,
  reply: FastifyReply,
  message: Message | undefined,
) {
  if (/^(?:true|1)$/i.test(request.query.wait ?? '') && message !== undefined)
    return reply.code(200).send(message)
  return reply.code(204).send(null)
}

/** Ignores the error for a repeated delivery whose message was deleted. The message is not posted again. */
function forgetDeleted(error: unknown): undefined {
  if (error instanceof ApiError && error.code === 'unknown_message') return undefined
  throw error
}

function headerOf({ headers }: FastifyRequest, name: string): string {
  return String(headers[name] ?? '')
}
