import { ConversationParams } from '@foyer/protocol/conversations'
import { MessageSearchResponse, SearchConversationQuery, SearchMessagesQuery } from '@foyer/protocol/search'
import { SpaceParams } from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import { accessConversation, type ConversationAccessDeps } from '#src/conversations/access.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { encodePage, JSON_TYPE } from '#src/messages/encoding.ts'
import { accessSpace, type SpaceAccess } from '#src/spaces/access.ts'
import { type Snapshots, visibleRooms } from '#src/spaces/snapshots.ts'
import { type SearchDeps, searchMessages } from './actions.ts'
import { readQuestion } from './scope.ts'

type Deps = SearchDeps & ConversationAccessDeps & { snapshots: Snapshots }

const tags = ['Messages']
const config = { ...human, limits: ['messageKibibytes'] } as const
const response = { 200: Type.Unsafe<string | Buffer>(MessageSearchResponse) }

export function searchRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/spaces/:spaceId/messages/search',
    {
      config,
      schema: {
        tags,
        summary: 'Search Messages',
        params: SpaceParams,
        querystring: SearchMessagesQuery,
        response,
      },
    },
    async (request, reply) => {
      const { spaceId } = request.params
      const { room_id: roomIds } = request.query
      const question = readQuestion(spaceId, request.query)
      const enter = () => accessSpace(deps.snapshots, request.caller, spaceId)
      checkRooms(await enter(), roomIds)
      const listChannels = async () => roomsOf(await enter(), roomIds)
      const searched = { callerId: request.caller.user.id, listChannels }
      reply.type(JSON_TYPE)
      return encodePage(MessageSearchResponse, await searchMessages(deps, searched, question))
    },
  )
  app.get(
    '/api/conversations/:conversationId/messages/search',
    {
      config,
      schema: {
        tags,
        summary: 'Search Conversation',
        params: ConversationParams,
        querystring: SearchConversationQuery,
        response,
      },
    },
    async (request, reply) => {
      const { conversationId } = request.params
      const question = readQuestion(conversationId, request.query)
      const enter = () => accessConversation(deps, request.caller, conversationId)
      const { caller } = await enter()
      const listChannels = async () => [(await enter()).id]
      const searched = { callerId: caller.user.id, listChannels }
      reply.type(JSON_TYPE)
      return encodePage(MessageSearchResponse, await searchMessages(deps, searched, question))
    },
  )
}

/** @throws ApiError 404 for a room of another space, or one that the caller cannot view */
function checkRooms(access: SpaceAccess, roomIds: readonly string[] = []): void {
  const visible = new Set(roomsOf(access, undefined))
  if (roomIds.some((id) => !visible.has(id))) throw new ApiError('unknown_room')
}

/** Returns the rooms that the caller may view, among the requested ones if any. */
function roomsOf({ snapshot, member }: SpaceAccess, asked: readonly string[] | undefined): string[] {
  const ids = visibleRooms(snapshot, member).map((room) => room.id)
  return asked === undefined ? ids : ids.filter((id) => asked.includes(id))
}
