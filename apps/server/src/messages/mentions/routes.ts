import { ListMentionsQuery, MentionsPage } from '@foyer/protocol/mentions-page'
import { Type } from 'typebox'
import { Turns } from '#src/kernel/database/turns.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { encodePage, JSON_TYPE } from '#src/messages/encoding.ts'
import { MAX_SEARCH_MS } from '#src/search/deadline.ts'
import { listMentions, type MentionDeps } from './reading.ts'

const tags = ['Messages']
const config = { ...human, limits: ['mentionRooms', 'messageKibibytes'] } as const

/** Limits of requests. All users together run `atOnce`, as many as there are connections for searches. */
const TURNS = { atOnce: 4, maxWaiting: 8, maxWaitMs: MAX_SEARCH_MS }

export function mentionRoutes(app: App, deps: MentionDeps): void {
  const turns = new Turns(TURNS)
  const schema = {
    tags,
    summary: 'List Mentions',
    querystring: ListMentionsQuery,
    response: { 200: Type.Unsafe<string | Buffer>(MentionsPage) },
  }
  app.get('/api/users/@me/mentions', { config, schema }, async (request, reply) => {
    const { id } = request.caller.user
    const page = await turns.run(id, () => listMentions(deps, id, request.query))
    reply.type(JSON_TYPE)
    return encodePage(MentionsPage, page)
  })
}
