import { Opcode } from '@foyer/protocol/gateway'
import type { OwnThread } from '@foyer/protocol/thread-rooms'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import { type GatewayClient, openGateway, openSession } from '#test/gateway-client.ts'
import type { Person } from './people.ts'
import type { TestSpace } from './spaces.ts'

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

/** Inserts messages at the end of a thread, because a test cannot send that many. */
export async function fillThread(
  { deps: { database } }: RunningServer,
  { space, threadId, author }: { space: TestSpace; threadId: string; author: Person },
  { type, count }: { type: number; count: number },
): Promise<void> {
  await database.query(sql`
    with added as (
      insert into messages (tenant_id, channel_id, parent_id, id, seq, author_id, type, content, created_at)
      select ${space.id}, ${threadId}, ${space.general}, gen_random_uuid(), last_seq + number, ${author.id}, ${type}::smallint,
        'stored ' || number, now()
      from message_heads cross join generate_series(1, ${count}::integer) as number
      where tenant_id = ${space.id} and channel_id = ${threadId}
    )
    update message_heads set last_seq = last_seq + ${count}::integer
    where tenant_id = ${space.id} and channel_id = ${threadId}`)
}

/** Inserts replies to a message, because a test cannot send that many. Each reply answers the one before it. */
export async function fillChain(
  { deps: { database } }: RunningServer,
  chain: { space: TestSpace; roomId: string; messageId: string; author: Person },
  count: number,
): Promise<void> {
  const { space, roomId, messageId, author } = chain
  const ids = Array.from({ length: count }, () => newId())
  await database.query(sql`
    with added as (
      insert into messages (tenant_id, channel_id, id, seq, author_id, content, created_at, thread_id, reference_type,
        reference_tenant_id, reference_channel_id, reference_message_id)
      select ${space.id}, ${roomId}, id, last_seq + number, ${author.id}, 'reply ' || number, now(), ${messageId}, 0,
        ${space.id}, ${roomId}, lag(id, 1, ${messageId}::uuid) over (order by number)
      from message_heads cross join unnest(${ids}::uuid[]) with ordinality as reply (id, number)
      where tenant_id = ${space.id} and channel_id = ${roomId}
    )
    update message_heads set last_seq = last_seq + ${count}::integer, last_message_id = ${ids.at(-1) ?? messageId}
    where tenant_id = ${space.id} and channel_id = ${roomId}`)
}
