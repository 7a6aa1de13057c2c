import { ApplicationParams } from '@foyer/protocol/applications'
import {
  CreatedInteraction,
  CreateInteractionBody,
  Interaction,
  NextInteractionQuery,
} from '@foyer/protocol/interactions'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ApiError } from '#src/kernel/errors.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { type InvokeDeps, invoke } from './actions/invoke.ts'
import type { AnswerDeps } from './answering.ts'
import { callbackRoutes } from './callback-routes.ts'
import type { Polls } from './polls.ts'

interface Deps extends InvokeDeps, AnswerDeps {
  interactionPolls: Polls
}

const tags = ['Interactions']

export function interactionRoutes(app: App, deps: Deps): void {
  invokeRoute(app, deps)
  nextRoute(app, deps)
  callbackRoutes(app, deps)
  app.addHook('preClose', async () => deps.interactionPolls.close())
  app.addHook('onClose', () => deps.interactionDeadlines.close())
}

function invokeRoute(app: App, deps: Deps): void {
  const response = { 202: CreatedInteraction }
  app.post(
    '/api/interactions',
    {
      config: human,
      schema: { tags, summary: 'Create Interaction', body: CreateInteractionBody, response },
    },
    async (request, reply) => {
      const body = await readBody(request)
      return reply.code(202).send({ id: await invoke(deps, request.caller, body) })
    },
  )
}

function nextRoute(app: App, deps: Deps): void {
  app.get(
    '/api/applications/:appId/interactions/next',
    {
      config: { limits: ['interactionPoll'] },
      // A HEAD request would take an interaction without showing it.
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: 'Get Next Interaction',
        params: ApplicationParams,
        querystring: NextInteractionQuery,
        response: { 200: Interaction, 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { appId } = request.params
      refuseOthers(request.caller, appId)
      const interaction = await poll(deps, request, reply, appId)
      return interaction ?? reply.code(204).send(null)
    },
  )
}

function refuseOthers({ kind, user }: Caller, appId: string): void {
  if (kind !== 'bot' || user.id !== appId) throw new ApiError('bot_only')
}

/**
 * Waits for an interaction. If the poller disconnects before receiving it, its lease ends, so that the next poll gets
 * it at once.
 */
async function poll(
  { interactionPolls: polls, interactionTokens }: Deps,
  request: FastifyRequest<{ Querystring: { timeout?: number } }>,
  { raw }: FastifyReply,
  appId: string,
): Promise<Interaction | undefined> {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  const taken = await polls.next(appId, (request.query.timeout ?? 0) * 1000, gone.signal)
  if (taken === undefined) return undefined
  const { interaction, leased_until } = taken
  const giveBack = () =>
    polls
      .giveBack(interaction, leased_until)
      .catch((error) =>
        request.log.error({ err: error }, 'the lease of an interaction could not be released'),
      )
  if (gone.signal.aborted) await giveBack()
  else gone.signal.addEventListener('abort', () => void giveBack(), { once: true })
  return { ...interaction, token: interactionTokens.tokenOf(interaction.id) }
}
