import { DEFAULT_PAGE } from '@foyer/protocol/limits'
import { RoomParams } from '@foyer/protocol/rooms'
import {
  CreateThreadBody,
  CreateThreadForm,
  FollowThreadBody,
  ListFollowedThreadsQuery,
  ListThreadsQuery,
  MergeThreadBody,
  MoveMessagesBody,
  OwnThread,
  ThreadFollow,
  ThreadPage,
  ThreadParams,
  UpdateThreadBody,
} from '@foyer/protocol/thread-rooms'
import { Type } from 'typebox'
import { listPosts } from '#src/forums/lists.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { isForm, readForm } from '#src/kernel/http/bodies/multipart.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import type { SendDeps } from '#src/messages/writing.ts'
import { accessThread, accessThreadedRoom, checkMayCreate } from './access.ts'
import { followThread, unfollowThread } from './actions/follows.ts'
import { mergeThread } from './actions/merging.ts'
import { moveMessages } from './actions/moving.ts'
import { startThread } from './actions/starting.ts'
import { deleteThread, updateThread } from './actions/threads.ts'
import { readThreadForm } from './form.ts'
import { getThread, listFollowed, listStarted, listThreads } from './lists.ts'

export type ThreadDeps = SendDeps & { database: Database }

const tags = ['Threads']

export function threadRoomRoutes(app: App, deps: ThreadDeps): void {
  createRoute(app, deps)
  listRoute(app, deps)
  followedRoute(app, deps)
  getRoute(app, deps)
  updateRoute(app, deps)
  deleteRoute(app, deps)
  followRoute(app, deps)
  moveRoute(app, deps)
  mergeRoute(app, deps)
  unfollowRoute(app, deps)
}

function createRoute(app: App, deps: ThreadDeps): void {
  const config = { form: { texts: CreateThreadForm, files: ['files'] } }
  const schema = {
    tags,
    summary: 'Start Thread',
    params: RoomParams,
    body: CreateThreadBody,
    response: { 201: OwnThread },
  }
  app.post('/api/rooms/:roomId/threads', { config, schema }, async (request, reply) => {
    const enter = () => accessThreadedRoom(deps, request.caller, request.params.roomId)
    checkMayCreate(await enter())
    await using form = isForm(request) ? await readForm(request) : null
    const body = form === null ? await readBody(request) : readThreadForm(form)
    const place = await startThread(deps, await enter(), { body, files: form?.files ?? [] })
    const access = await accessThread(deps, request.caller, place.channelId)
    return reply.code(201).send(await getThread(deps.database, access))
  })
}

function listRoute(app: App, deps: ThreadDeps): void {
  const schema = {
    tags,
    summary: 'List Threads',
    params: RoomParams,
    querystring: ListThreadsQuery,
    response: { 200: ThreadPage },
  }
  app.get('/api/rooms/:roomId/threads', { schema }, async (request) => {
    const access = await accessThreadedRoom(deps, request.caller, request.params.roomId)
    const { state = 'all', starter_id, limit = DEFAULT_PAGE, ...query } = request.query
    if (starter_id !== undefined) return listStarted(deps.database, access, starter_id)
    const asked = { ...query, state, limit }
    return access.room.forum === undefined
      ? listThreads(deps.database, access, asked)
      : listPosts(deps, access, asked)
  })
}

function followedRoute(app: App, deps: ThreadDeps): void {
  const schema = {
    tags,
    summary: 'List Followed Threads',
    querystring: ListFollowedThreadsQuery,
    response: { 200: ThreadPage },
  }
  app.get('/api/users/@me/threads', { config: human, schema }, async (request) => {
    const { limit = DEFAULT_PAGE, ...query } = request.query
    return listFollowed(deps, request.caller, { ...query, limit })
  })
}

function getRoute(app: App, deps: ThreadDeps): void {
  const schema = { tags, summary: 'Get Thread', params: ThreadParams, response: { 200: OwnThread } }
  app.get('/api/threads/:threadId', { schema }, async (request) =>
    getThread(deps.database, await accessThread(deps, request.caller, request.params.threadId)),
  )
}

function updateRoute(app: App, deps: ThreadDeps): void {
  const schema = {
    tags,
    summary: 'Update Thread',
    params: ThreadParams,
    body: UpdateThreadBody,
    response: { 200: OwnThread },
  }
  app.patch('/api/threads/:threadId', { schema }, async (request) => {
    const enter = () => accessThread(deps, request.caller, request.params.threadId)
    await enter()
    const body = await readBody(request)
    const access = await enter()
    await updateThread(deps, access, body)
    return getThread(deps.database, access)
  })
}

function deleteRoute(app: App, deps: ThreadDeps): void {
  const schema = { tags, summary: 'Delete Thread', params: ThreadParams, response: { 204: Type.Null() } }
  app.delete('/api/threads/:threadId', { schema }, async (request, reply) => {
    const access = await accessThread(deps, request.caller, request.params.threadId, 'ManageThreads')
    await deleteThread(deps, access)
    return reply.code(204).send(null)
  })
}

function followRoute(app: App, deps: ThreadDeps): void {
  const schema = {
    tags,
    summary: 'Follow Thread',
    params: ThreadParams,
    body: FollowThreadBody,
    response: { 200: ThreadFollow },
  }
  app.put('/api/threads/:threadId/follow', { config: human, schema }, async (request) => {
    const enter = () => accessThread(deps, request.caller, request.params.threadId)
    await enter()
    const { level } = await readBody(request)
    const { place } = await enter()
    return followThread(deps, place, request.caller.user.id, level)
  })
}

function unfollowRoute(app: App, deps: ThreadDeps): void {
  const schema = { tags, summary: 'Unfollow Thread', params: ThreadParams, response: { 204: Type.Null() } }
  app.delete('/api/threads/:threadId/follow', { config: human, schema }, async (request, reply) => {
    const { place } = await accessThread(deps, request.caller, request.params.threadId)
    await unfollowThread(deps, place, request.caller.user.id)
    return reply.code(204).send(null)
  })
}

function moveRoute(app: App, deps: ThreadDeps): void {
  const schema = {
    tags,
    summary: 'Move Messages Into Thread',
    params: ThreadParams,
    body: MoveMessagesBody,
    response: { 200: OwnThread },
  }
  app.post('/api/threads/:threadId/move', { schema }, async (request) => {
    const enter = () => accessThread(deps, request.caller, request.params.threadId, 'ManageThreads')
    await enter()
    const { message_ids } = await readBody(request)
    const access = await enter()
    await moveMessages(deps, access, message_ids)
    return getThread(deps.database, access)
  })
}

function mergeRoute(app: App, deps: ThreadDeps): void {
  const schema = {
    tags,
    summary: 'Merge Thread',
    params: ThreadParams,
    body: MergeThreadBody,
    response: { 200: OwnThread },
  }
  app.post('/api/threads/:threadId/merge', { schema }, async (request) => {
    const enter = (id: string) => accessThread(deps, request.caller, id, 'ManageThreads')
    await enter(request.params.threadId)
    const { into } = await readBody(request)
    const [from, target] = [await enter(request.params.threadId), await enter(into)]
    await mergeThread(deps, from, target)
    return getThread(deps.database, target)
  })
}
