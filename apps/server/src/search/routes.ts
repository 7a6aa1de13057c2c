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
import type { ThreadPlaces } from '#src/spaces/thread-places.ts'
import { type SearchDeps, searchMessages } from './actions.ts'
import { anyOf } from './clauses.ts'
import { channelLexeme, tagOf } from './lexemes.ts'
import { type Question, readQuestion } from './scope.ts'

type Deps = SearchDeps & ConversationAccessDeps & { snapshots: Snapshots; threadPlaces: ThreadPlaces }

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
      const asked = await askedOf(deps.threadPlaces, spaceId, roomIds)
      const question = within(readQuestion(spaceId, request.query), asked)
      const enter = () => accessSpace(deps.snapshots, request.caller, spaceId)
      checkRooms(await enter(), asked?.roomIds)
      const listChannels = async () => roomsOf(await enter(), asked?.roomIds)
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

/** The rooms of a search, and its threads, which are kept under their rooms. */
interface Asked {
  readonly roomIds: readonly string[]
  readonly threadIds: readonly string[]
  /** As they were asked for. */
  readonly all: readonly string[]
}

async function askedOf(
  threadPlaces: ThreadPlaces,
  spaceId: string,
  all: readonly string[] | undefined,
): Promise<Asked | undefined> {
  if (all === undefined) return undefined
  const threads = (await Promise.all(all.map((id) => threadPlaces.find(id)))).filter(
    (thread) => thread !== undefined && thread.space_id === spaceId,
  )
  const parents = new Map(threads.flatMap((thread) => (thread ? [[thread.id, thread.room_id]] : [])))
  return { roomIds: all.map((id) => parents.get(id) ?? id), threadIds: [...parents.keys()], all }
}

/** Narrows a search to the threads that it names. A room has the messages of its threads, too. */
function within(question: Question, asked: Asked | undefined): Question {
  if (asked === undefined || asked.threadIds.length === 0) return question
  const tag = tagOf(question.tenantId)
  const clause = anyOf(asked.all.map((id) => channelLexeme(tag, id)))
  return { ...question, clauses: [clause, ...question.clauses] }
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
