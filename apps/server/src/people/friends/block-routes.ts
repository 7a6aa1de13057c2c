import { Block } from '@foyer/protocol/friends'
import { UserParams } from '@foyer/protocol/users'
import { Type } from 'typebox'
import type { Database } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { type App, human, putMethods } from '#src/kernel/http/types.ts'
import { blockUser, unblockUser } from './actions.ts'
import { listBlocks } from './block-queries.ts'

const tags = ['Friends']

export function blockRoutes(app: App, database: Database): void {
  readRoutes(app, database)
  changeRoutes(app, database)
}

function readRoutes(app: App, database: Database): void {
  app.get(
    '/api/users/@me/blocks',
    { config: human, schema: { tags, summary: 'List Blocks', response: { 200: Type.Array(Block) } } },
    async (request) => listBlocks(database, request.caller.user.id),
  )
  app.get(
    '/api/users/@me/blocks/:userId',
    {
      config: human,
      schema: { tags, summary: 'Get Block', params: UserParams, response: { 200: Block } },
    },
    async (request) => {
      const { caller, params } = request
      const [block] = await listBlocks(database, caller.user.id, [params.userId])
      if (block === undefined) throw new ApiError('unknown_block')
      return block
    },
  )
}

function changeRoutes(app: App, database: Database): void {
  const url = '/api/users/@me/blocks/:userId'
  const params = UserParams
  app.route({
    method: putMethods,
    url,
    config: human,
    schema: { tags, summary: 'Block User', params, response: { 200: Block } },
    handler: async (request) => blockUser(database, request.caller, request.params.userId),
  })
  app.delete(
    url,
    { config: human, schema: { tags, summary: 'Unblock User', params, response: { 204: Type.Null() } } },
    async (request, reply) => {
      await unblockUser(database, request.caller, request.params.userId)
      return reply.code(204).send(null)
    },
  )
}
