import { ListMentionsQuery, MentionsPage } from '@foyer/protocol/mentions-page'
import { type App, human } from '#src/kernel/http/types.ts'
import { listMentions, type MentionDeps } from './reading.ts'

const tags = ['Messages']
const config = { ...human, limits: ['mentionRooms', 'messageKibibytes'] } as const

export function mentionRoutes(app: App, deps: MentionDeps): void {
  const schema = {
    tags,
    summary: 'List Mentions',
    querystring: ListMentionsQuery,
    response: { 200: MentionsPage },
  }
  app.get('/api/users/@me/mentions', { config, schema }, async (request) =>
    listMentions(deps, request.caller.user.id, request.query),
  )
}
