import { SetSolutionBody, SimilarThreadsQuery } from '@foyer/protocol/forums'
import { RoomParams } from '@foyer/protocol/rooms'
import { OwnThread, SimilarThreads, ThreadParams } from '@foyer/protocol/thread-rooms'
import { ApiError } from '#src/kernel/errors.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import type { App } from '#src/kernel/http/types.ts'
import { accessRoom } from '#src/spaces/access.ts'
import { accessThread } from '#src/thread-rooms/access.ts'
import { getThread } from '#src/thread-rooms/lists.ts'
import type { ThreadDeps } from '#src/thread-rooms/routes.ts'
import { findSimilar } from './similar.ts'
import { removeSolution, setSolution } from './solutions.ts'

const tags = ['Forums']

export function forumRoutes(app: App, deps: ThreadDeps): void {
  similarRoute(app, deps)
  solveRoute(app, deps)
  unsolveRoute(app, deps)
}

function similarRoute(app: App, deps: ThreadDeps): void {
  const schema = {
    tags,
    summary: 'List Similar Posts',
    params: RoomParams,
    querystring: SimilarThreadsQuery,
    response: { 200: SimilarThreads },
  }
  app.get('/api/rooms/:roomId/similar', { schema }, async (request) => {
    const access = await accessRoom(deps.snapshots, request.caller, request.params.roomId)
    if (access.room.forum === undefined) throw new ApiError('not_a_forum')
    return findSimilar(deps.database, access, request.query.title)
  })
}

function solveRoute(app: App, deps: ThreadDeps): void {
  const schema = {
    tags,
    summary: 'Set Answer of Post',
    params: ThreadParams,
    body: SetSolutionBody,
    response: { 200: OwnThread },
  }
  app.put('/api/threads/:threadId/solution', { schema }, async (request) => {
    const enter = () => accessThread(deps, request.caller, request.params.threadId)
    await enter()
    const { message_id } = await readBody(request)
    const access = await enter()
    await setSolution(deps, access, message_id)
    return getThread(deps.database, access)
  })
}

function unsolveRoute(app: App, deps: ThreadDeps): void {
  const schema = {
    tags,
    summary: 'Remove Answer of Post',
    params: ThreadParams,
    response: { 200: OwnThread },
  }
  app.delete('/api/threads/:threadId/solution', { schema }, async (request) => {
    const access = await accessThread(deps, request.caller, request.params.threadId)
    await removeSolution(deps, access)
    return getThread(deps.database, access)
  })
}
