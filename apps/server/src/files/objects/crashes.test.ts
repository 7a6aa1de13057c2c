import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { readConfig } from '#src/config.ts'
import { type Query, sql } from '#src/kernel/sql/sql.ts'
import { BreakableStorage, type Fault } from '#test/breakable-storage.ts'
import { checkFiles, checkFilesAtRest } from '#test/file-consistency.ts'
import { openSession } from '#test/gateway-client.ts'
import { type HeldLock, holdLock } from '#test/locks/held-locks.ts'
import { type ChildServer, startChildServer } from '#test/processes/child-server.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { type SharedServer, startSharedServer } from '#test/shared-server.ts'
import { listHoldings } from '#test/storages.ts'

const text = 'what is in the file'
const MAX_ROUNDS = 100
const ROUND_MS = 50

let storage: BreakableStorage
/** This server stays up and inspects what the killed one left. */
let server: SharedServer
let owner: Person
let headers: Record<string, string>
let space: TestSpace
let child: ChildServer

before(async () => {
  storage = await BreakableStorage.start()
  const settings = readConfig({
    PORT: '0',
    RATE_LIMITS: 'off',
    SECRET_KEY: 'the same for both of the servers',
  })
  server = await startSharedServer({ ...settings, s3: storage.settings })
  owner = await createPerson(server, 'owner')
  const { token, session_token } = await openSession(server, owner.id)
  headers = { authorization: `Bearer ${token}`, 'x-session-token': session_token }
})
after(async () => {
  await server.close()
  await storage.close()
})
beforeEach(async () => {
  space = await makeSpace(owner)
  child = await startChildServer(server.shared)
})
const storages = { own: () => storage.list() }
afterEach(async () => {
  await child.kill()
  storage.mend()
  await checkFiles(server, storages)
  await checkFilesAtRest(server, storages)
})

/** Sends a request to the server about to be killed; undefined without an answer. */
async function ask(method: string, path: string, body?: FormData | object): Promise<number | undefined> {
  const json = { ...headers, 'content-type': 'application/json' }
  const init =
    body === undefined || body instanceof FormData
      ? { headers, body: body ?? null }
      : { headers: json, body: JSON.stringify(body) }
  return fetch(child.url + path, { method, ...init }).then(
    (response) => response.body?.cancel().then(() => response.status),
    () => undefined,
  )
}

/** Sends a message with a file through the server. */
function send(): Promise<number | undefined> {
  const body = new FormData()
  body.append('files', new File([text], 'one.txt', { type: 'text/plain' }))
  return ask('POST', `/api/rooms/${space.general}/messages`, body)
}

/** Sends a message with a direct upload. */
async function sendUpload(): Promise<number | undefined> {
  const announced = { filename: 'one.bin', size_bytes: text.length, content_type: 'application/x-one' }
  const { attachment_id, upload } = await owner.client.attachments.create(space.general, announced)
  const { url, method, headers } = upload
  assert.equal((await fetch(url, { method, headers, body: text })).status, 200)
  return ask('POST', `/api/rooms/${space.general}/messages`, { attachment_ids: [attachment_id] })
}

/** Forwards a message with a file, which the storage copies. */
async function forward(): Promise<number | undefined> {
  const file = new File([text], 'one.txt', { type: 'text/plain' })
  const { id } = await owner.client.messages.createWithFiles(space.general, {}, [file])
  return ask('POST', `/api/rooms/${space.general}/messages`, { reference: { type: 1, message_id: id } })
}

const bucketRow = () => sql`select from storage_buckets where tenant_id = ${space.id} for update`
const headRow = () => sql`select from message_heads where channel_id = ${space.general} for update`

/** Kills the server before or after the storage carries out a request. */
function killAt(when: 'before' | 'after'): Fault {
  return async ({ request, response, serve }) => {
    if (when === 'before') return child.kill()
    Object.assign(response, { end: () => response })
    await serve()
    request.destroy()
    await child.kill()
  }
}

/** Holds back the query after the storage's answer, and kills the server while it waits. */
function killAfterStorage(query: () => Query): Fault {
  return async ({ serve }) => {
    const lock: HeldLock = await holdLock(server, query())
    await serve()
    await lock.waitForBlocked(1)
    await child.kill()
    await lock.release()
  }
}

/**
 * Checks that the message is there with its file, or neither: the database may still carry out the killed server's last
 * query.
 */
async function checkShown(expected: readonly number[]): Promise<void> {
  await settle()
  const messages = await owner.client.messages.list(space.general)
  const shown = messages.flatMap(({ attachments, snapshot }) =>
    [...attachments, ...(snapshot?.attachments ?? [])].map(({ id }) => id),
  )
  const live = await server.deps.database.query<{ id: string }>(
    sql`select id from attachments where tenant_id = ${space.id} and state = 'live'`,
  )
  assert.deepEqual(shown.toSorted(), live.map(({ id }) => id).toSorted())
  assert.ok(expected.includes(messages.length), `${messages.length} messages`)
}

/** Waits until the database has finished the killed server's queries. */
async function settle(): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const [row] = await server.deps.database.query<{ count: number }>(sql`
      select count(*) from pg_stat_activity
      where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`)
    if (row?.count === 0) return
    await delay(ROUND_MS)
  }
  assert.fail('the database does not come to rest')
}

test('FILE-15: the set-up works without a kill', async () => {
  assert.equal(await send(), 200)
  assert.equal(await sendUpload(), 200)
  assert.equal(await forward(), 200)
  await checkShown([4])
  assert.equal((await listHoldings(server, space.id)).usedBytes, 4 * text.length)
})

/** Moving an object copies it first. */
function breakCopies(fault: Fault): void {
  storage.break(
    async (exchange) => {
      const isCopy = exchange.request.headers['x-amz-copy-source'] !== undefined
      await (isCopy ? fault(exchange) : exchange.serve())
    },
    ['PUT'],
  )
}

/** Each fault with the possible numbers of messages afterwards. */
const killings: Record<string, [Fault, number[]]> = {
  'before the storage has it': [killAt('before'), [0]],
  'before the storage answers': [killAt('after'), [0]],
  'before it records that': [killAfterStorage(bucketRow), [0]],
  'before it writes the message': [killAfterStorage(headRow), [0, 1]],
}

for (const [name, [fault, expected]] of Object.entries(killings)) {
  test(`FILE-15: files are consistent after the server is killed while storing, ${name}`, async () => {
    storage.break(fault, ['PUT'])
    assert.equal(await send(), undefined)
    storage.mend()
    await checkShown(expected)
    await checkFiles(server, storages)
  })

  test(`FILE-15: files are consistent after the server is killed while claiming an upload, ${name}`, async () => {
    breakCopies(fault)
    assert.equal(await sendUpload(), undefined)
    storage.mend()
    await checkShown(expected)
    await checkFiles(server, storages)
  })

  test(`FILE-17: files are consistent after the server is killed while forwarding, ${name}`, async () => {
    breakCopies(fault)
    assert.equal(await forward(), undefined)
    storage.mend()
    await checkShown(expected.map((count) => count + 1))
    await checkFiles(server, storages)
  })
}

for (const when of ['before', 'after'] as const) {
  test(`FILE-15: files are consistent after the server is killed ${when} deleting the incoming object`, async () => {
    storage.break(killAt(when), ['DELETE'])
    assert.equal(await sendUpload(), undefined)
    await checkShown([0])
  })
}
