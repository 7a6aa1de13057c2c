import { ConversationParams } from '@foyer/protocol/conversations'
import { MessageSearchResponse, SearchConversationQuery, SearchMessagesQuery } from '@foyer/protocol/search'
import { SpaceParams } from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import { accessConversation, type ConversationAccessDeps } from '#src/conversations/access.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { encodePage, JSON_TYPE } from '#src/messages/encoding.ts'
import { accessSpace, type SpaceAccess } from '#src/spaces/access.ts'
import { type Snapshots, visibleRooms } from '#src/spaces/snapshots.ts'
import type { ThreadPlaces } from '#src/spaces/thread-places.ts'
import { type SearchDeps, searchMessages } from './actions.ts'
import { anyOf } from './clauses.ts'
import { channelLexeme, tagOf } from './lexemes.ts'
import { listFewPosts, type PostsAsked, postsAskedOf } from './posts.ts'
import { type Question, readQuestion } from './scope.ts'

type Deps = SearchDeps & ConversationAccessDeps & { snapshots: Snapshots; threadPlaces: ThreadPlaces }

const tags = ['Messages']
const config = { ...human, limits: ['messageKibibytes'] } as const
const response = { 200: Type.Unsafe<string | Buffer>(MessageSearchResponse) }

export function searchRoutes(app: App, deps: Deps): void {
  spaceRoute(app, deps)
  conversationRoute(app, deps)
}

function spaceRoute(app: App, deps: Deps): void {
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
      const { room_id: roomIds, thread } = request.query
      const asked = await askedOf(deps.threadPlaces, spaceId, roomIds, thread)
      const general = within(readQuestion(spaceId, request.query), asked)
      const enter = () => accessSpace(deps.snapshots, request.caller, spaceId)
      const access = await enter()
      checkRooms(access, asked?.roomIds)
      const question = await withinPosts(deps.database, general, postsAskedOf(request.query, access.snapshot))
      reply.type(JSON_TYPE)
      if (question === null) return encodePage(MessageSearchResponse, NOTHING)
      const listChannels = async () => roomsOf(await enter(), asked?.roomIds)
      const searched = { callerId: request.caller.user.id, listChannels }
      return encodePage(MessageSearchResponse, await searchMessages(deps, searched, question))
    },
  )
}

function conversationRoute(app: App, deps: Deps): void {
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

/** The requested rooms and threads. The index lists messages of threads under their rooms. */
interface Asked {
  readonly roomIds: readonly string[]
  readonly threadIds: readonly string[]
  /** All requested ids: rooms and threads. */
  readonly all: readonly string[]
}

/**
 * @param threadId limits the search to one thread, which must be in one of the rooms
 * @throws ApiError 404 for a thread of another space or room
 */
async function askedOf(
  threadPlaces: ThreadPlaces,
  spaceId: string,
  roomIds: readonly string[] | undefined,
  threadId: string | undefined,
): Promise<Asked | undefined> {
  if (threadId !== undefined) {
    const thread = await threadPlaces.find(threadId)
    const isIn =
      roomIds === undefined || roomIds.includes(threadId) || roomIds.includes(thread?.room_id ?? '')
    if (thread === undefined || thread.space_id !== spaceId || !isIn) throw new ApiError('unknown_thread')
    return { roomIds: [thread.room_id], threadIds: [threadId], all: [threadId] }
  }
  const all = roomIds
  if (all === undefined) return undefined
  const threads = (await Promise.all(all.map((id) => threadPlaces.find(id)))).filter(
    (thread) => thread !== undefined && thread.space_id === spaceId,
  )
  const parents = new Map(threads.flatMap((thread) => (thread ? [[thread.id, thread.room_id]] : [])))
  return { roomIds: all.map((id) => parents.get(id) ?? id), threadIds: [...parents.keys()], all }
}

/** Adds a condition for the rooms and threads if threads are requested. A search in a room alone includes its threads. */
function within(question: Question, asked: Asked | undefined): Question {
  if (asked === undefined || asked.threadIds.length === 0) return question
  const tag = tagOf(question.tenantId)
  const clause = anyOf(asked.all.map((id) => channelLexeme(tag, id)))
  return { ...question, clauses: [clause, ...question.clauses] }
}

const NOTHING: MessageSearchResponse = {
  messages: [],
  users: [],
  threads: [],
  has_more: false,
  cursor: null,
}

/** Narrows a search to posts of forums. Few posts are looked up in the index. Returns null if no post matches. */
async function withinPosts(
  database: Queryable,
  question: Question,
  posts: PostsAsked | null,
): Promise<Question | null> {
  if (posts === null) return question
  const few = await listFewPosts(database, question.tenantId, posts)
  if (few === undefined) return { ...question, posts }
  if (few.length === 0) return null
  const tag = tagOf(question.tenantId)
  const clause = anyOf(few.map((id) => channelLexeme(tag, id)))
  return { ...question, posts, clauses: [clause, ...question.clauses] }
}

/** @throws ApiError 404 for a room of another space, or one that the caller cannot view */
function checkRooms(access: SpaceAccess, roomIds: readonly string[] = []): void {
  const visible = new Set(roomsOf(access, undefined))
  if (roomIds.some((id) => !visible.has(id))) throw new ApiError('unknown_room')
}

/** Returns the rooms that the caller may view; if rooms were requested, only those among them. */
function roomsOf({ snapshot, member }: SpaceAccess, asked: readonly string[] | undefined): string[] {
  const ids = visibleRooms(snapshot, member).map((room) => room.id)
  return asked === undefined ? ids : ids.filter((id) => asked.includes(id))
}
