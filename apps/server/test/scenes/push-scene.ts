import type { Message } from '@foyer/protocol/messages'
import { type PushService, startPushService } from '../outside/push-service.ts'
import { startTestServer, type TestServer } from '../server.ts'
import { createPerson, type Person } from './people.ts'
import { join, makeSpace, type TestSpace } from './spaces.ts'

/** A server, a push service on loopback, and a space of ada's. */
export interface PushScene {
  server: TestServer
  service: PushService
  ada: Person
  space: TestSpace
  /** Creates an account that has joined the space. */
  newMember(username: string): Promise<Person>
  /** Mentions people in the space's first room. */
  mention(people: readonly Person[], by?: Person): Promise<Message>
  /** How often a browser of that name was pushed to. */
  arrivals(name: string): number
  close(): Promise<void>
}

/** @param reachable addresses that pushes may go to, besides those of the internet */
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
