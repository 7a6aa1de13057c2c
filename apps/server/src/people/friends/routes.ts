import { Friend } from '@foyer/protocol/friends'
import { UserParams } from '@foyer/protocol/users'
import { Type } from 'typebox'
import type { Database } from '#src/kernel/database/database.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { removeFriend } from './actions.ts'
import { blockRoutes } from './block-routes.ts'
import { listFriends } from './queries.ts'
import { friendRequestRoutes } from './request-routes.ts'

const tags = ['Friends']

/** Routes for friends, friend requests and blocks. */
export function friendRoutes(app: App, { database }: { database: Database }): void {
  app.get(
    '/api/users/@me/friends',
    { config: human, schema: { tags, summary: 'List Friends', response: { 200: Type.Array(Friend) } } },
    async (request) => listFriends(database, request.caller.user.id),
  )

  app.delete(
    '/api/users/@me/friends/:userId',
    {
      config: human,
      schema: { tags, summary: 'Remove Friend', params: UserParams, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await removeFriend(database, request.caller, request.params.userId)
      return reply.code(204).send(null)
    },
  )

  friendRequestRoutes(app, database)
  blockRoutes(app, database)
}
