import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Webhook } from '@foyer/protocol/webhooks'
import { Administration } from '@foyer/sdk/api/administration'
import type { Config } from '#src/config.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import { startOwnServer, type TestServer } from '../server.ts'
import { until } from '../until.ts'
import { HostileSource } from './hostile-source.ts'
import { createOperator } from './operators.ts'
import type { Person } from './people.ts'

/** Finds a free port, for a server that has to know its own address. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('there is no port')
  return address.port
}

/** Returns settings of a server that other servers on this machine can reach. */
export async function reachable(): Promise<Partial<Config>> {
  const port = await freePort()
  return { port, publicUrl: `http://127.0.0.1:${port}`, allowedPrivateHosts: ['127.0.0.1'] }
}

/** Starts a server whose rooms can be read by everyone. */
export async function startSource(): Promise<TestServer> {
  const server = await startOwnServer(await reachable())
  await openToEveryone(server)
  return server
}

export async function openToEveryone(server: RunningServer): Promise<void> {
  const operator = await createOperator(server, 'operator')
  await operator.client.api(Administration).updatePublicPages({ public_pages: true })
}

/** Makes the room follow a room of another server, which has announced nothing and then shuts down. */
export async function followElsewhere({ client }: Person, roomId: string): Promise<Webhook> {
  const source = await HostileSource.start()
  return client.rooms.followRemote(roomId, source.page).finally(() => source.close())
}

export function pageOf(server: Pick<RunningServer, 'url'>, spaceId: string, roomId: string): string {
  return `${server.url}/read/${spaceId}/${roomId}`
}

/** Waits until the follow is subscribed to the hub, which pushes each change from then on. */
export async function untilSubscribed({ deps: { database } }: RunningServer, { id }: Webhook): Promise<void> {
  const isSo = async () => {
    const rows = await database.query(sql`
      select from remote_follows where webhook_id = ${id} and lease_until > now() and due_at > now() + interval '1 minute'`)
    return rows.length > 0
  }
  await until(isSo, 'the follow was never subscribed')
}

/** Makes all follows due, as if their interval had passed. */
export async function makeDue({ deps: { database } }: RunningServer): Promise<void> {
  await database.execute(sql`update remote_follows set due_at = now(), calls = calls + 1`)
}

/** Waits until no follow is due or leased by a worker. */
export async function untilServed({ deps: { database } }: RunningServer): Promise<void> {
  const isServed = async () => {
    const busy = await database.query(
      sql`select from remote_follows where due_at <= now() or taken_until is not null`,
    )
    return busy.length === 0
  }
  await until(isServed, 'a follow was never served')
}
