import { BulkDeleteBody } from '@foyer/protocol/bulk-deletion'
import type { ChannelParams } from '@foyer/protocol/channels'
import {
  CreateMessageBody,
  CreateMessageForm,
  ListMessagesQuery,
  Message,
  MessageReference,
  UpdateMessageBody,
} from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import { Uuid } from '@foyer/protocol/schema'
import { Type } from 'typebox'
import { accessChannel, type ChannelDeps } from '#src/channels/access.ts'
import { type ChannelKind, forEachChannel } from '#src/channels/routes.ts'
import type { Reads } from '#src/kernel/database/reads.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { isForm, readForm } from '#src/kernel/http/bodies/multipart.ts'
import type { App } from '#src/kernel/http/types.ts'
import { createAlsoInRoom } from '#src/thread-rooms/also-to-room.ts'
import {
  accessManagedMessage,
  accessMessage,
  bulkDelete,
  deleteMessage,
  type MessageDeps,
  updateMessage,
} from './actions/messages.ts'
import { EncodedMessages, encodeMessages, JSON_TYPE } from './encoding.ts'
import { readMessageForm } from './form.ts'
import { findOrigin } from './forwards.ts'
import { listMessages } from './pages.ts'
import { createMessage } from './sending.ts'
import type { SendDeps } from './writing.ts'

type Deps = MessageDeps & SendDeps & ChannelDeps & { reads: Reads }

const tags = ['Messages']

/** A message already encoded by the schema of its event. */
const EncodedMessage = Type.Unsafe<string>(Message)

export function messageRoutes(app: App, deps: Deps): void {
  forEachChannel((kind) => {
    sendRoute(app, deps, kind)
    listRoute(app, deps, kind)
    getRoute(app, deps, kind)
    originRoute(app, deps, kind)
    editRoute(app, deps, kind)
    deleteRoute(app, deps, kind)
    bulkDeleteRoute(app, deps, kind)
  })
}

function sendRoute(app: App, deps: Deps, { base, params }: ChannelKind): void {
  const response = { 200: EncodedMessage }
  app.post(
    `${base}/messages`,
    {
      config: { form: { texts: CreateMessageForm, files: ['files'] } },
      schema: { tags, summary: 'Send Message', params: params({}), body: CreateMessageBody, response },
    },
    async (request, reply) => {
      const enter = () => accessChannel(deps, request.caller, request.params, Permission.SendMessages)
      const first = await enter()
      const isWhole = request.raw.complete
      await using form = isForm(request) ? await readForm(request) : null
      const sent = form === null ? { body: await readBody(request), files: [] } : readMessageForm(form)
      // A body may take minutes to arrive: check again that the sender may still write. Most bodies arrive together with
      // the request's headers and skip this check.
      const access = isWhole && form === null ? first : await enter()
      const send = sent.body.also_to_room === true ? createAlsoInRoom : createMessage
      const json = await send(deps, { access, enter }, sent)
      return reply.type(JSON_TYPE).serializer(String).send(json)
    },
  )
}

function listRoute(app: App, deps: Deps, { base, params }: ChannelKind): void {
  const response = { 200: EncodedMessages }
  app.get(
    `${base}/messages`,
    {
      config: { limits: ['messageKibibytes'], turns: 'pages' },
      schema: {
        tags,
        summary: 'List Messages',
        params: params({}),
        querystring: ListMessagesQuery,
        response,
      },
    },
    async (request, reply) => {
      const { place, caller } = await accessChannel(deps, request.caller, request.params)
      const { downloads } = deps
      const messages = await deps.reads.run((database) =>
        listMessages({ database, downloads }, place, request.query, caller.user.id),
      )
      reply.type(JSON_TYPE)
      return encodeMessages(messages)
    },
  )
}

function getRoute(app: App, deps: Deps, { base, params }: ChannelKind): void {
  app.get(
    `${base}/messages/:messageId`,
    {
      schema: {
        tags,
        summary: 'Get Message',
        params: params({ messageId: Uuid() }),
        response: { 200: Message },
      },
    },
    async (request) => {
      const access = await accessChannel(deps, request.caller, request.params)
      return accessMessage(deps, access, request.params.messageId)
    },
  )
}

function originRoute(app: App, deps: Deps, { base, params }: ChannelKind): void {
  app.get(
    `${base}/messages/:messageId/origin`,
    {
      schema: {
        tags,
        summary: 'Get Origin of Forward',
        params: params({ messageId: Uuid() }),
        response: { 200: MessageReference },
      },
    },
    async (request) => {
      const access = await accessChannel(deps, request.caller, request.params)
      return findOrigin(deps, access, request.params.messageId)
    },
  )
}

function editRoute(app: App, deps: Deps, { base, params }: ChannelKind): void {
  const response = { 200: Message }
  app.patch(
    `${base}/messages/:messageId`,
    {
      schema: {
        tags,
        summary: 'Edit Message',
        params: params({ messageId: Uuid() }),
        body: UpdateMessageBody,
        response,
      },
    },
    async (request) => {
      const permission = permissionToEdit(request.params)
      const enter = () => accessChannel(deps, request.caller, request.params, permission)
      await accessManagedMessage(deps, await enter(), request.params.messageId)
      const body = await readBody(request)
      const access = await enter()
      const row = await accessManagedMessage(deps, access, request.params.messageId)
      return updateMessage(deps, access, row, body)
    },
  )
}

/**
 * Returns the permission to edit. In a conversation an edit needs the permission to send, because a block must also
 * stop edits.
 */
function permissionToEdit({ conversationId }: ChannelParams): number {
  return conversationId === undefined ? 0 : Permission.SendMessages
}

function deleteRoute(app: App, deps: Deps, { base, params }: ChannelKind): void {
  app.delete(
    `${base}/messages/:messageId`,
    {
      schema: {
        tags,
        summary: 'Delete Message',
        params: params({ messageId: Uuid() }),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const access = await accessChannel(deps, request.caller, request.params)
      await deleteMessage(deps, access, request.params.messageId)
      return reply.code(204).send(null)
    },
  )
}

function bulkDeleteRoute(app: App, deps: Deps, { base, params }: ChannelKind): void {
  const response = { 204: Type.Null() }
  app.post(
    `${base}/messages/bulk-delete`,
    { schema: { tags, summary: 'Delete Messages', params: params({}), body: BulkDeleteBody, response } },
    async (request, reply) => {
      const enter = () => accessChannel(deps, request.caller, request.params, Permission.ManageMessages)
      await enter()
      const { ids } = await readBody(request)
      await bulkDelete(deps, await enter(), ids)
      return reply.code(204).send(null)
    },
  )
}
