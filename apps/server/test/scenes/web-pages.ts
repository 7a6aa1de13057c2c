import { Administration } from '@foyer/sdk/api/administration'
import { startTestServer, type TestServer } from '../server.ts'
import { createOperator } from './operators.ts'
import { createPerson, type Person } from './people.ts'

export interface WebPageScene {
  server: TestServer
  /** Someone who may open rooms of a space on the web. */
  owner: Person
  /** Someone who writes there. */
  eve: Person
}

/** Starts a server whose operator allows rooms on the web. */
export async function startWebPages(): Promise<WebPageScene> {
  const server = await startTestServer()
  const operator = await createOperator(server, 'operator')
  await operator.client.api(Administration).updatePublicPages({ public_pages: true })
  return { server, owner: await createPerson(server, 'owner'), eve: await createPerson(server, 'eve') }
}
