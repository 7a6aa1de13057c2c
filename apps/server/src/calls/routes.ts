import { ConversationParams } from '@foyer/protocol/conversations'
import { Type } from 'typebox'
import { accessConversation, type ConversationAccessDeps } from '#src/conversations/access.ts'
import type { Database } from '#src/kernel/database/database.ts'
import type { App } from '#src/kernel/http/types.ts'
import { declineCall, ringAgain } from './actions/calls.ts'

const path = '/api/conversations/:conversationId/call'
const schema = { tags: ['Conversations'], params: ConversationParams, response: { 204: Type.Null() } }

type Deps = ConversationAccessDeps & { database: Database }

export function callRoutes(app: App, deps: Deps): void {
  app.post(`${path}/decline`, { schema: { ...schema, summary: 'Decline Call' } }, async (request, reply) => {
    const access = await accessConversation(deps, request.caller, request.params.conversationId)
    await declineCall(deps, access)
    return reply.code(204).send(null)
  })
  app.post(
    `${path}/ring`,
    { schema: { ...schema, summary: 'Ring Again' }, config: { limits: ['callRing'] } },
    async (request, reply) => {
      const access = await accessConversation(deps, request.caller, request.params.conversationId)
      await ringAgain(deps, access)
      return reply.code(204).send(null)
    },
  )
}
