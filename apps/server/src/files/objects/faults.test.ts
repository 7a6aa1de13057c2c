import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { Message } from '@foyer/protocol/messages'
import { sql } from '#src/kernel/sql/sql.ts'
import {
  BreakableStorage,
  breakOff,
  type Fault,
  fail,
  loseAnswer,
  onceOnly,
  refuseForRoom,
  refuseSignature,
} from '#test/breakable-storage.ts'
import { checkFiles, checkFilesAtRest } from '#test/file-consistency.ts'
import { openSession } from '#test/gateway-client.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { listHoldings } from '#test/storages.ts'
import { placeFile } from '#test/stored-files.ts'
import { keepOrDiscard } from './actions.ts'
import { findFile } from './queries.ts'
import { sweepFiles } from './sweeper.ts'

const text = 'what is in the file'

let storage: BreakableStorage
let server: TestServer
let owner: Person
let headers: Record<string, string>
let space: TestSpace

before(async () => {
  storage = await BreakableStorage.start()
  server = await startTestServer({ s3: storage.settings })
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
})
const storages = { own: () => storage.list() }
afterEach(async () => {
  await checkFiles(server, storages)
  storage.mend()
  await checkFilesAtRest(server, storages)
})

/** Sends a message with two files. */
async function send(): Promise<{ status: number; code: string | null; message: Message }> {
  const body = new FormData()
  for (const name of ['one.txt', 'two.txt'])
    body.append('files', new File([text], name, { type: 'text/plain' }))
  const path = `/api/rooms/${space.general}/messages`
  const response = await server.fetch(path, { method: 'POST', headers, body })
  const message: Message = JSON.parse(await response.text())
  return { status: response.status, code: response.headers.get('x-error-code'), message }
}

async function assertNothingStored(): Promise<void> {
  assert.deepEqual(await listHoldings(server, space.id), { ids: [], usedBytes: 0 })
  assert.deepEqual(await owner.client.messages.list(space.general), [])
}

test('FILE-15: both files are stored and counted without a fault', async () => {
  const { status, message } = await send()
  assert.equal(status, 200)
  const { ids, usedBytes } = await listHoldings(server, space.id)
  assert.deepEqual([ids.length, usedBytes], [2, 2 * text.length])
  assert.deepEqual(ids.toSorted(), message.attachments.map(({ id }) => id).toSorted())
})

const failures: Record<string, [Fault, number, string]> = {
  'refuses after its password was changed': [refuseSignature, 503, 'storage_unavailable'],
  'closes the connection': [breakOff, 503, 'storage_unavailable'],
  fails: [fail, 503, 'storage_unavailable'],
  'is full': [refuseForRoom, 413, 'storage_full'],
  'stores it without answering': [loseAnswer, 503, 'storage_unavailable'],
  'accepts only the first file': [onceOnly(refuseSignature), 503, 'storage_unavailable'],
}

for (const [name, [fault, status, code]] of Object.entries(failures)) {
  test(`FILE-15: a storage that ${name} leaves nothing of the message, and a second attempt works`, async () => {
    storage.break(fault, ['PUT'])
    const refused = await send()
    assert.deepEqual([refused.status, refused.code], [status, code])
    await assertNothingStored()
    await checkFiles(server, storages)
    storage.mend()
    assert.equal((await send()).status, 200)
    assert.equal((await listHoldings(server, space.id)).ids.length, 2)
  })
}

/** Holds back both files of a message until `release`. */
function holdBack() {
  const started = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let count = 0
  storage.break(
    async ({ serve }) => {
      count += 1
      if (count === 2) started.resolve()
      await released.promise
      await serve()
    },
    ['PUT'],
  )
  return { started: started.promise, release: released.resolve }
}

test('FILE-15: space is reserved while a slow storage stores the file', async () => {
  const held = holdBack()
  const sending = send()
  await held.started
  assert.equal((await listHoldings(server, space.id)).usedBytes, 2 * text.length)
  await checkFiles(server, storages)
  held.release()
  assert.equal((await sending).status, 200)
})

test('FILE-15: a file given up while the storage is slow is shown by nothing', async () => {
  const held = holdBack()
  const sending = send()
  await held.started
  await server.deps.database.execute(sql`
    update attachments set sweep_at = now() - interval '1 minute' where state = 'reserved'`)
  await sweepFiles(server.deps, new AbortController().signal)
  held.release()
  assert.equal((await sending).code, 'unavailable')
  await assertNothingStored()
})

/** Makes a complete direct upload. */
async function upload(): Promise<string> {
  const announced = { filename: 'large.bin', size_bytes: text.length, content_type: 'application/x-large' }
  const made = await owner.client.attachments.create(space.general, announced)
  const { url, method, headers } = made.upload
  const response = await fetch(url, { method, headers, body: text })
  assert.equal(response.status, 200)
  return made.attachment_id
}

const attach = (id: string) =>
  owner.call('POST', `/api/rooms/${space.general}/messages`, { attachment_ids: [id] })

const unmoved: Record<string, [Fault, ['HEAD' | 'GET' | 'PUT']]> = {
  'cannot be reached': [breakOff, ['HEAD']],
  'cannot be read': [fail, ['GET']],
  'refuses to move it': [refuseSignature, ['PUT']],
  'is too full to move it': [refuseForRoom, ['PUT']],
}

for (const [name, [fault, methods]] of Object.entries(unmoved)) {
  test(`FILE-15: a direct upload whose storage ${name} can be claimed by a second attempt`, async () => {
    const id = await upload()
    storage.break(fault, methods)
    const refused = await attach(id)
    assert.ok(refused.status === 503 || refused.status === 413, `${refused.status}`)
    assert.equal((await findFile(server.deps.database, id))?.state, 'reserved')
    await checkFiles(server, storages)
    storage.mend()
    assert.equal((await attach(id)).status, 200)
    assert.equal((await findFile(server.deps.database, id))?.state, 'live')
  })
}

const moved: Record<string, [Fault, ['PUT' | 'DELETE']]> = {
  'moves it without answering': [loseAnswer, ['PUT']],
  'does not delete the original': [fail, ['DELETE']],
}

for (const [name, [fault, methods]] of Object.entries(moved)) {
  test(`FILE-15: a direct upload whose storage ${name} ends up at the right key`, async () => {
    const id = await upload()
    storage.break(fault, methods)
    assert.equal((await attach(id)).status, 200)
    assert.equal((await findFile(server.deps.database, id))?.state, 'live')
    await checkFiles(server, storages)
  })
}

test('FILE-15: a file of a message that committed after all is not discarded when its commit seems to fail', async () => {
  const file = await placeFile(server, { tenantId: space.id, bytes: Buffer.from(text) })
  const lost = keepOrDiscard(server.deps, [file], async () => {
    throw new Error('the commit was not answered')
  })
  await assert.rejects(lost, /not answered/)
  assert.equal((await findFile(server.deps.database, file.id))?.state, 'live')
})
