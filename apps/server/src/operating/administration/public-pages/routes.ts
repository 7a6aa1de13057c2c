import { PublicPages } from '@foyer/protocol/web-rooms'
import type { Database } from '#src/kernel/database/database.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, human, updateMethods } from '#src/kernel/http/types.ts'
import { accessOperator } from '#src/operating/operators/access.ts'
import { readPublicPages } from '#src/web/web-rooms/public-pages.ts'
import { updatePublicPages } from './actions.ts'

const tags = ['Operators']
const url = '/api/operator/public-pages'
const response = { 200: PublicPages }

export function publicPagesRoutes(app: App, deps: { database: Database }): void {
  const { database } = deps

  app.get(
    url,
    { config: human, schema: { tags, summary: 'Get Public Pages', response } },
    async (request) => {
      await accessOperator(database, request.caller)
      return { public_pages: await readPublicPages(database) }
    },
  )

  app.route({
    method: updateMethods,
    url,
    config: human,
    schema: { tags, summary: 'Update Public Pages', body: PublicPages, response },
    handler: async (request) => {
      const access = await accessOperator(database, request.caller)
      return updatePublicPages(deps, access, await readBody(request))
    },
  })
}
