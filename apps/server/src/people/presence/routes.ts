import { ChooseStatusBody, UserStatus } from '@foyer/protocol/presence'
import type { Database } from '#src/kernel/database/database.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import type { App } from '#src/kernel/http/types.ts'
import { chooseStatus } from './actions.ts'
import { findChosenStatus } from './queries.ts'

const tags = ['Users']
const url = '/api/users/@me/status'

export function presenceRoutes(app: App, { database }: { database: Database }): void {
  app.get(
    url,
    { schema: { tags, summary: 'Get Status', response: { 200: UserStatus } } },
    async ({ caller }) => findChosenStatus(database, caller.user.id),
  )

  app.put(
    url,
    { schema: { tags, summary: 'Update Status', body: ChooseStatusBody, response: { 200: UserStatus } } },
    async (request) => chooseStatus(database, request.caller.user.id, await readBody(request)),
  )
}
