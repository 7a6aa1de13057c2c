import { Opcode } from '@foyer/protocol/gateway'
import type { OwnThread } from '@foyer/protocol/thread-rooms'
import type { RunningServer } from '#src/start.ts'
import { type GatewayClient, openGateway, openSession } from '#test/gateway-client.ts'
import type { Person } from './people.ts'

/** Connects with a new session of the user, and asks for threads. */
export async function connectForThreads(
  server: RunningServer,
  { id }: { id: string },
): Promise<GatewayClient> {
  const { token, session_token } = await openSession(server, id)
  const client = await openGateway(server)
  client.send(Opcode.Identify, { token, session_token, capabilities: ['threads', 'later'] })
  await client.findEvent('READY')
  return client
}

/** Starts a thread. */
export async function startThread(
  person: Person,
  roomId: string,
  body: object = { title: 'Tea' },
): Promise<OwnThread> {
  const answer = await person.call('POST', `/api/rooms/${roomId}/threads`, body)
  if (answer.status !== 201) throw new Error(`no thread: ${answer.status} ${answer.code}`)
  return threadIn(answer.body)
}

/** Reads a thread as the person sees it. */
export async function readThread(person: Person, id: string): Promise<OwnThread> {
  return threadIn((await person.call('GET', `/api/threads/${id}`)).body)
}

function threadIn(body: unknown): OwnThread {
  return JSON.parse(JSON.stringify(body))
}
