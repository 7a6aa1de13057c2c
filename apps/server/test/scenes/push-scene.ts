import type { Message } from '@foyer/protocol/messages'
import { type PushService, startPushService } from '../outside/push-service.ts'
import { startTestServer, type TestServer } from '../server.ts'
import { createPerson, type Person } from './people.ts'
import { join, makeSpace, type TestSpace } from './spaces.ts'

/** A server, a push service on loopback, and a space that ada owns. */
export interface PushScene {
  server: TestServer
  service: PushService
  ada: Person
  space: TestSpace
  /** Creates a user who has joined the space. */
  newMember(username: string): Promise<Person>
  /** Mentions users in the first room of the space. */
  mention(people: readonly Person[], by?: Person): Promise<Message>
  /** Returns the number of pushes sent to the browser with this name. */
  arrivals(name: string): number
  close(): Promise<void>
}

/** @param reachable private host that pushes may be sent to */
export async function startPushScene(reachable = '127.0.0.1'): Promise<PushScene> {
  const service = await startPushService()
  const server = await startTestServer({ allowedPrivateHosts: [reachable] })
  const ada = await createPerson(server, 'ada')
  const space = await makeSpace(ada)
  return {
    server,
    service,
    ada,
    space,
    async newMember(username) {
      const person = await createPerson(server, username)
      await join(person, ada, space)
      return person
    },
    mention: (people, by = ada) =>
      by.client.messages.create(space.general, { content: people.map(({ id }) => `<@${id}>`).join(' ') }),
    arrivals: (name) => service.arrived.filter(({ path }) => path === `/${name}`).length,
    async close() {
      await server.close()
      await service.close()
    },
  }
}
