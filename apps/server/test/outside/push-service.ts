import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { PushPayload } from '@foyer/protocol/notifications'
import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import type { Person } from '../scenes/people.ts'
import { until } from '../until.ts'

interface Arrived {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Push service on loopback that keeps the requests it receives. */
export interface PushService {
  arrived: Arrived[]
  /** Returns the push endpoint of the browser with this name. */
  endpointOf(name: string): string
  /** Replaces the answer to pushes for a browser, which is 201 by default. */
  answer(name: string, listener: RequestListener): void
  close(): Promise<void>
}

export async function startPushService(): Promise<PushService> {
  const arrived: Arrived[] = []
  const answers = new Map<string, RequestListener>()
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const path = request.url ?? ''
      arrived.push({ path, headers: request.headers, body })
      const answer = answers.get(path)
      if (answer === undefined) response.writeHead(201).end()
      else answer(request, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    arrived,
    endpointOf: (name) => `http://127.0.0.1:${port}/${name}`,
    answer: (name, listener) => answers.set(`/${name}`, listener),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A browser with the keys of a push subscription. */
export interface Browser {
  endpoint: string
  keys: { p256dh: string; auth: string }
  /** Returns the pushes it received, decrypted with its private key. */
  pushes(): PushPayload[]
  headers(): IncomingHttpHeaders[]
}

export function makeBrowser(service: PushService, name: string): Browser {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const auth = randomBytes(16)
  const arrived = () => service.arrived.filter(({ path }) => path === `/${name}`)
  return {
    endpoint: service.endpointOf(name),
    keys: { p256dh: pair.getPublicKey().toString('base64url'), auth: auth.toString('base64url') },
    pushes: () => arrived().map(({ body }) => JSON.parse(decrypt(body, pair, auth))),
    headers: () => arrived().map(({ headers }) => headers),
  }
}

export async function subscribeBrowser(service: PushService, person: Person, name: string): Promise<Browser> {
  const browser = makeBrowser(service, name)
  await person.client.notifications.subscribe({ endpoint: browser.endpoint, keys: browser.keys })
  return browser
}

/** Decrypts as a browser does: RFC 8188, section 2, and RFC 8291, section 3. */
function decrypt(body: Buffer, pair: ECDH, auth: Buffer): string {
  const [salt, idLength] = [body.subarray(0, 16), body.readUInt8(20)]
  const sender = body.subarray(21, 21 + idLength)
  const record = body.subarray(21 + idLength)
  const expand = (input: Buffer, by: Buffer, about: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', input, by, about, length))
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender])
  const input = expand(pair.computeSecret(sender), auth, about, 32)
  const key = expand(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = expand(input, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  return padded.subarray(0, padded.lastIndexOf(2)).toString()
}

/** Runs delayed push jobs at once until the condition holds. */
export async function hurryUntil(
  server: RunningServer,
  isSo: () => boolean | Promise<boolean>,
  what: string,
): Promise<void> {
  await until(async () => {
    await hurry(server)
    return isSo()
  }, what)
}

/**
 * Runs delayed push jobs at once until none is left. Earlier messages have been handled once the push of a later one
 * has arrived.
 */
export async function hurryToEnd(server: RunningServer): Promise<void> {
  await hurryUntil(server, async () => (await countJobs(server)) === 0, 'everything is pushed')
}

export async function countJobs({ deps }: RunningServer): Promise<number> {
  const [row] = await deps.database.query<{ count: number }>(sql`
    select count(*) from graphile_worker.jobs
    where task_identifier in ('find_push_recipients', 'send_pushes')`)
  return row?.count ?? 0
}

/** Returns the queued sending jobs: the number of the attempt, and the seconds until it starts. */
export function listSendingJobs({ deps }: RunningServer): Promise<{ attempt: number; seconds: number }[]> {
  return deps.database.query(sql`
    select (payload ->> 'attempt')::integer as attempt, extract(epoch from run_at - now())::float8 as seconds
    from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = task_id
    where identifier = 'send_pushes'`)
}

/** Runs the delayed push jobs now. Jobs queued later keep their delay. */
export async function hurry({ deps }: RunningServer): Promise<void> {
  const hurried = await deps.database.execute(sql`
    update graphile_worker._private_jobs as job set run_at = now()
    from graphile_worker._private_tasks as task
    where task.id = job.task_id and task.identifier in ('find_push_recipients', 'send_pushes')
      and job.run_at > now() and job.locked_at is null
    returning job.id`)
  if (hurried.length > 0)
    await deps.database.execute(sql`select pg_notify('jobs:insert', '{"r":0.1,"count":1}')`)
}
