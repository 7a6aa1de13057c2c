import { Administration } from '@foyer/sdk/api/administration'
import fastify, { type FastifyInstance } from 'fastify'
import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import { HTML_TYPE } from '#src/web/web-pages/making/made-page.ts'
import { stored } from '#src/web/web-pages/making/storing.ts'
import { type Finder, MAX_PAGE_REST_MS, PageServer } from '#src/web/web-pages/serving.ts'
import { startTestServer, type TestServer } from '../server.ts'
import { createOperator } from './operators.ts'
import { createPerson, type Person } from './people.ts'

export interface WebPageScene {
  server: TestServer
  /** A user who may open rooms of a space on the web. */
  owner: Person
  /** A user who writes in these rooms. */
  eve: Person
}

/** Starts a server whose operator allows rooms on the web. */
export async function startWebPages(): Promise<WebPageScene> {
  const server = await startTestServer()
  const operator = await createOperator(server, 'operator')
  await operator.client.api(Administration).updatePublicPages({ public_pages: true })
  return { server, owner: await createPerson(server, 'owner'), eve: await createPerson(server, 'eve') }
}

/** Allows rooms on the web without an operator. Call this before the server first reads the setting. */
export async function allowPages({ deps: { database } }: RunningServer): Promise<void> {
  await database.execute(sql`
    insert into server_settings (public_pages) values (true)
    on conflict (is_only) do update set public_pages = true`)
}

const findRobots: Finder = async () => ({ kind: 'robots', isAllowed: true })

/**
 * Serves pages that the test makes, so that the test controls how long making a page takes.
 * @param textOf returns the text of the page at an address
 * @param options `shown`: ids of everything the pages show. `find`: finds the data that a page is made of
 */
export function serveMade(
  { deps: { webPages } }: TestServer,
  textOf: (url: string) => Promise<string>,
  { shown = [], find = findRobots }: { shown?: readonly string[]; find?: Finder } = {},
): FastifyInstance {
  const pageThread = {
    make: async ({ url }: { url: string }) => {
      const page = stored({ type: HTML_TYPE, text: await textOf(url), path: url, shown })
      return { page, shown, until: Number.POSITIVE_INFINITY }
    },
  }
  const pageServer = new PageServer({
    ...{ webPages, pageThread, maxPageRestMs: MAX_PAGE_REST_MS },
    ...{ rateCounters: undefined, publicUrl: undefined },
  })
  const app = fastify()
  app.get('/*', (request, reply) => pageServer.answer(request, reply, find))
  return app
}
