import {
  AnswerMessage,
  InteractionCallbackBody,
  InteractionMessageParams,
  InteractionTokenParams,
} from '@foyer/protocol/interactions'
import { Message } from '@foyer/protocol/messages'
import { Type } from 'typebox'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import type { App } from '#src/kernel/http/types.ts'
import { answer, refuseAnswered } from './actions/answer.ts'
import { accessAnswered, deleteAnswered, followUp, updateAnswered } from './actions/follow-up.ts'
import { type AnswerDeps, accessInteraction, accessToFollowUp } from './answering.ts'

const tags = ['Interactions']
/** The token in the path is the credential. */
const config = { access: 'public', limits: ['interactionAnswer'] } as const
const base = '/api/interactions/:interactionId/:token'
const messageUrl = `${base}/messages/:messageId`

export function callbackRoutes(app: App, deps: AnswerDeps): void {
  answerRoute(app, deps)
  followUpRoute(app, deps)
  getRoute(app, deps)
  updateRoute(app, deps)
  deleteRoute(app, deps)
}

function answerRoute(app: App, deps: AnswerDeps): void {
  const params = InteractionTokenParams
  const response = { 204: Type.Null() }
  app.post(
    `${base}/callback`,
    {
      config,
      schema: { tags, summary: 'Answer Interaction', params, body: InteractionCallbackBody, response },
    },
    async (request, reply) => {
      const interaction = await accessInteraction(deps, request.params)
      request.provenId = interaction.id
      refuseAnswered(interaction)
      await answer(deps, interaction, await readBody(request))
      return reply.code(204).send(null)
    },
  )
}

function followUpRoute(app: App, deps: AnswerDeps): void {
  const params = InteractionTokenParams
  const response = { 200: Message }
  app.post(
    `${base}/messages`,
    { config, schema: { tags, summary: 'Follow Up Interaction', params, body: AnswerMessage, response } },
    async (request) => {
      const interaction = await accessToFollowUp(deps, request.params)
      request.provenId = interaction.id
      return followUp(deps, interaction, await readBody(request))
    },
  )
}

function getRoute(app: App, deps: AnswerDeps): void {
  const params = InteractionMessageParams
  const response = { 200: Message }
  app.get(
    messageUrl,
    { config, schema: { tags, summary: 'Get Interaction Message', params, response } },
    async (request) => {
      const interaction = await accessToFollowUp(deps, request.params)
      const { message } = await accessAnswered(deps, interaction, request.params.messageId)
      return message
    },
  )
}

function updateRoute(app: App, deps: AnswerDeps): void {
  const params = InteractionMessageParams
  const response = { 200: Message }
  app.patch(
    messageUrl,
    {
      config,
      schema: { tags, summary: 'Update Interaction Message', params, body: AnswerMessage, response },
    },
    async (request) => {
      const enter = async () => {
        const interaction = await accessToFollowUp(deps, request.params)
        request.provenId = interaction.id
        return accessAnswered(deps, interaction, request.params.messageId)
      }
      await enter()
      const body = await readBody(request)
      return updateAnswered(deps, await enter(), body)
    },
  )
}

function deleteRoute(app: App, deps: AnswerDeps): void {
  const params = InteractionMessageParams
  const response = { 204: Type.Null() }
  app.delete(
    messageUrl,
    { config, schema: { tags, summary: 'Delete Interaction Message', params, response } },
    async (request, reply) => {
      const interaction = await accessToFollowUp(deps, request.params)
      await deleteAnswered(deps, await accessAnswered(deps, interaction, request.params.messageId))
      return reply.code(204).send(null)
    },
  )
}
