import {
  Conversation,
  ConversationMemberParams,
  ConversationParams,
  ConversationType,
  CreateConversationBody,
  UpdateConversationBody,
  UpdateConversationForm,
} from '@foyer/protocol/conversations'
import { Type } from 'typebox'
import { withStoredImages } from '#src/files/images/actions.ts'
import { imagesIn, textsIn } from '#src/files/images/forms.ts'
import type { FileDeps } from '#src/files/objects/actions.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type Form, isForm, readForm } from '#src/kernel/http/bodies/multipart.ts'
import { type App, putMethods, updateMethods } from '#src/kernel/http/types.ts'
import { accessConversation, type ConversationAccess, type ConversationAccessDeps } from './access.ts'
import { createConversation, updateGroup } from './actions/conversations.ts'
import { addMember, closeConversation, removeMember } from './actions/members.ts'
import { findConversation, listConversations } from './queries.ts'

const tags = ['Conversations']
const path = '/api/conversations/:conversationId'

export type ConversationDeps = FileDeps & ConversationAccessDeps

export function conversationRoutes(app: App, deps: ConversationDeps): void {
  createRoute(app, deps)
  readRoutes(app, deps)
  updateRoute(app, deps)
  closeRoute(app, deps)
  memberRoutes(app, deps)
}

function createRoute(app: App, deps: ConversationDeps): void {
  const schema = {
    tags,
    summary: 'Create Conversation',
    body: CreateConversationBody,
    response: { 200: Conversation },
  }
  app.post('/api/conversations', { schema }, async (request) =>
    createConversation(deps, request.caller, await readBody(request)),
  )
}

function readRoutes(app: App, deps: ConversationDeps): void {
  app.get(
    '/api/conversations',
    { schema: { tags, summary: 'List Conversations', response: { 200: Type.Array(Conversation) } } },
    async (request) => listConversations(deps.database, request.caller.user.id),
  )
  app.get(
    path,
    {
      schema: {
        tags,
        summary: 'Get Conversation',
        params: ConversationParams,
        response: { 200: Conversation },
      },
    },
    async (request) => {
      const { id } = await accessConversation(deps, request.caller, request.params.conversationId)
      const conversation = await findConversation(deps.database, id)
      if (conversation === undefined) throw new ApiError('unknown_conversation')
      return conversation
    },
  )
}

function updateRoute(app: App, deps: ConversationDeps): void {
  const schema = {
    tags,
    summary: 'Update Conversation',
    params: ConversationParams,
    body: UpdateConversationBody,
    response: { 200: Conversation },
  }
  app.route({
    method: updateMethods,
    url: path,
    config: { form: { texts: UpdateConversationForm, files: ['icon'] } },
    schema,
    handler: async (request) => {
      const enter = async () =>
        groupsOnly(await accessConversation(deps, request.caller, request.params.conversationId))
      const access = await enter()
      if (!isForm(request)) return updateGroup(deps, access, await readBody(request))
      await using form = await readForm(request, { maxFiles: 1, tooMany: 'invalid_multipart' })
      // A form may take minutes to arrive: check membership again before storing anything.
      return await updateByForm(deps, await enter(), form)
    },
  })
}

/** Refuses direct conversations, which have neither name nor icon, before reading or storing anything. */
function groupsOnly(access: ConversationAccess): ConversationAccess {
  if (access.type !== ConversationType.Group) throw new ApiError('not_a_group')
  return access
}

function updateByForm(deps: ConversationDeps, access: ConversationAccess, form: Form): Promise<Conversation> {
  const { remove_icon, ...texts } = textsIn(form, UpdateConversationForm)
  // In a form, an empty text means null.
  const name = texts.name === '' ? { name: null } : texts
  const body = { ...name, ...(remove_icon === 'true' && { icon: null }) }
  const home = { tenantId: access.id, ownerId: access.caller.user.id, where: 'own' } as const
  const files = imagesIn(form, ['icon'])
  return withStoredImages(deps, home, files, (images) => updateGroup(deps, access, body, images))
}

function closeRoute(app: App, deps: ConversationDeps): void {
  const schema = {
    tags,
    summary: 'Close Conversation',
    params: ConversationParams,
    response: { 204: Type.Null() },
  }
  app.delete(path, { schema }, async (request, reply) => {
    const access = await accessConversation(deps, request.caller, request.params.conversationId)
    await closeConversation(deps, access)
    return reply.code(204).send(null)
  })
}

function memberRoutes(app: App, deps: ConversationDeps): void {
  const url = `${path}/members/:userId`
  const params = ConversationMemberParams
  const response = { 204: Type.Null() }
  app.route({
    method: putMethods,
    url,
    schema: { tags, summary: 'Add Conversation Member', params, response },
    handler: async (request, reply) => {
      const access = await accessConversation(deps, request.caller, request.params.conversationId)
      await addMember(deps, access, request.params.userId)
      return reply.code(204).send(null)
    },
  })
  app.delete(
    url,
    { schema: { tags, summary: 'Remove Conversation Member', params, response } },
    async (request, reply) => {
      const access = await accessConversation(deps, request.caller, request.params.conversationId)
      await removeMember(deps, access, request.params.userId)
      return reply.code(204).send(null)
    },
  )
}
