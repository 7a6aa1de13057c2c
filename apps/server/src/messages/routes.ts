import {
  CreateMessageBody,
  CreateMessageForm,
  ListMessagesQuery,
  Message,
  MessageParams,
  UpdateMessageBody,
} from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import { RoomParams } from '@foyer/protocol/rooms'
import { Type } from 'typebox'
import { readBody } from '#src/kernel/http/body.ts'
import { isForm, readForm } from '#src/kernel/http/multipart.ts'
import type { App } from '#src/kernel/http/types.ts'
import { accessRoom } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { accessMessage, accessOwnMessage, deleteMessage, type MessageDeps, updateMessage } from './actions.ts'
import { readMessageForm } from './form.ts'
import { listMessages } from './pages.ts'
import { createMessage, placeOf, type SendDeps } from './sending.ts'

type Deps = MessageDeps & SendDeps & { snapshots: Snapshots }

const tags = ['Messages']

/** A message that was encoded already, by the schema of the event that carries it too. */
const EncodedMessage = Type.Unsafe<string>(Message)

export function messageRoutes(app: App, deps: Deps): void {
  sendRoute(app, deps)
  listRoute(app, deps)
  getRoute(app, deps)
  editRoute(app, deps)
  deleteRoute(app, deps)
}

function sendRoute(app: App, deps: Deps): void {
  const response = { 200: EncodedMessage }
  app.post(
    '/api/rooms/:roomId/messages',
    {
      config: { form: { texts: CreateMessageForm, files: ['files'] } },
      schema: { tags, summary: 'Send Message', params: RoomParams, body: CreateMessageBody, response },
    },
    async (request, reply) => {
      const enter = () =>
        accessRoom(deps.snapshots, request.caller, request.params.roomId, Permission.SendMessages)
      await enter()
      await using form = isForm(request) ? await readForm(request) : null
      const sent = form === null ? { body: await readBody(request), files: [] } : readMessageForm(form)
      // A body may take minutes to arrive: who was thrown out meanwhile says nothing any more.
      const json = await createMessage(deps, enter, sent)
      return reply.type('application/json; charset=utf-8').serializer(String).send(json)
    },
  )
}

function listRoute(app: App, deps: Deps): void {
  const response = { 200: Type.Array(Message) }
  app.get(
    '/api/rooms/:roomId/messages',
    {
      schema: {
        tags,
        summary: 'List Messages',
        params: RoomParams,
        querystring: ListMessagesQuery,
        response,
      },
    },
    async (request) => {
      const access = await accessRoom(deps.snapshots, request.caller, request.params.roomId)
      return listMessages(deps, placeOf(access), request.query)
    },
  )
}

function getRoute(app: App, deps: Deps): void {
  app.get(
    '/api/rooms/:roomId/messages/:messageId',
    { schema: { tags, summary: 'Get Message', params: MessageParams, response: { 200: Message } } },
    async (request) => {
      const access = await accessRoom(deps.snapshots, request.caller, request.params.roomId)
      return accessMessage(deps, access, request.params.messageId)
    },
  )
}

function editRoute(app: App, deps: Deps): void {
  const response = { 200: Message }
  app.patch(
    '/api/rooms/:roomId/messages/:messageId',
    { schema: { tags, summary: 'Edit Message', params: MessageParams, body: UpdateMessageBody, response } },
    async (request) => {
      const enter = () => accessRoom(deps.snapshots, request.caller, request.params.roomId)
      const message = await accessOwnMessage(deps, await enter(), request.params.messageId)
      const body = await readBody(request)
      return updateMessage(deps, await enter(), message, body)
    },
  )
}

function deleteRoute(app: App, deps: Deps): void {
  app.delete(
    '/api/rooms/:roomId/messages/:messageId',
    { schema: { tags, summary: 'Delete Message', params: MessageParams, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const access = await accessRoom(deps.snapshots, request.caller, request.params.roomId)
      await deleteMessage(deps, access, request.params.messageId)
      return reply.code(204).send(null)
    },
  )
}
