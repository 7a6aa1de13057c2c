import type { UpdateForum } from '@foyer/protocol/forums'
import { Opcode } from '@foyer/protocol/gateway'
import type { Room } from '@foyer/protocol/rooms'
import type { ListedThread, OwnThread } from '@foyer/protocol/thread-rooms'
import type { RunningServer } from '#src/start.ts'
import { type GatewayClient, openGateway, openSession } from '#test/gateway-client.ts'
import type { Person } from './people.ts'
import type { TestSpace } from './spaces.ts'
import { startThread } from './thread-rooms.ts'

/** Lets the owner create a forum with these settings. */
export async function makeForum(
  { client }: Pick<Person, 'client'>,
  space: Pick<TestSpace, 'id'>,
  forum: UpdateForum = {},
): Promise<Room> {
  const { id } = await client.rooms.create(space.id, { name: 'help', type: 5 })
  return client.rooms.update(space.id, id, { forum })
}

/** Returns the id of the forum's tag with this name. */
export function tagOf({ forum }: Room, name: string): string {
  const tag = forum?.tags.find((tag) => tag.name === name)
  if (tag === undefined) throw new Error(`no tag ${name}`)
  return tag.id
}

/** Creates a post with its opening message. */
export function makePost(
  person: Person,
  forumId: string,
  title: string,
  more: object = {},
): Promise<OwnThread> {
  return startThread(person, forumId, { title, content: `${title}?`, ...more })
}

/** Lists posts as the person sees them. */
export async function listPosts(person: Person, forumId: string, query = ''): Promise<ListedThread[]> {
  const { body } = await person.call('GET', `/api/rooms/${forumId}/threads${query}`)
  return JSON.parse(JSON.stringify(Object(body).threads))
}

/** Connects with a new session of the user, and asks for these kinds of events. */
export async function connectAsking(
  server: RunningServer,
  { id }: { id: string },
  capabilities: readonly string[],
): Promise<GatewayClient> {
  const { token, session_token } = await openSession(server, id)
  const client = await openGateway(server)
  client.send(Opcode.Identify, { token, session_token, capabilities })
  await client.findEvent('READY')
  return client
}
