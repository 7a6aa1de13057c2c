import {
  Friend,
  FriendRequest,
  FriendRequestParams,
  SendFriendRequestBody,
  SentFriendRequest,
} from '@foyer/protocol/friends'
import { Type } from 'typebox'
import type { Database } from '#src/kernel/database/database.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { acceptFriendRequest, deleteRequest, sendFriendRequest } from './actions.ts'
import { listFriendRequests } from './request-queries.ts'

const tags = ['Friends']

export function friendRequestRoutes(app: App, database: Database): void {
  listRoutes(app, database)
  sendRoute(app, database)
  endRoutes(app, database)
}

function listRoutes(app: App, database: Database): void {
  const response = { 200: Type.Array(FriendRequest) }
  app.get(
    '/api/users/@me/friends/requests',
    { config: human, schema: { tags, summary: 'List Received Friend Requests', response } },
    async (request) => listFriendRequests(database, request.caller.user.id, 'received'),
  )
  app.get(
    '/api/users/@me/friends/requests/sent',
    { config: human, schema: { tags, summary: 'List Sent Friend Requests', response } },
    async (request) => listFriendRequests(database, request.caller.user.id, 'sent'),
  )
}

function sendRoute(app: App, database: Database): void {
  const response = { 200: SentFriendRequest }
  app.post(
    '/api/users/@me/friends/requests',
    {
      config: human,
      schema: { tags, summary: 'Send Friend Request', body: SendFriendRequestBody, response },
    },
    async (request) => {
      const { user_id } = await readBody(request)
      return sendFriendRequest(database, request.caller, user_id)
    },
  )
}

function endRoutes(app: App, database: Database): void {
  const url = '/api/users/@me/friends/requests/:requestId'
  const params = FriendRequestParams
  app.post(
    `${url}/accept`,
    {
      config: human,
      schema: { tags, summary: 'Accept Friend Request', params, response: { 200: Friend } },
    },
    async (request) => acceptFriendRequest(database, request.caller, request.params.requestId),
  )
  app.delete(
    url,
    {
      config: human,
      schema: { tags, summary: 'Delete Friend Request', params, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await deleteRequest(database, request.caller, request.params.requestId)
      return reply.code(204).send(null)
    },
  )
}
