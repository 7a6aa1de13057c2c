import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { after, before, beforeEach, test } from 'node:test'
import { finishUploads } from '#src/files/objects/uploads.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import {
  BreakableStorage,
  breakOff,
  type Fault,
  fail,
  loseAnswer,
  refuseForRoom,
  refuseSignature,
} from '#test/breakable-storage.ts'
import { checkFiles, checkFilesAtRest } from '#test/file-consistency.ts'
import { openSession } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { codeOf, note, postForm, putUpload } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { bomb, cutShort, formOf, png } from '#test/scenes/pictures.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { addStorage, listHoldings } from '#test/storages.ts'

const FLOOD_BYTES = 64 * 1024 * 1024
const NO_TRACE = { ids: [], usedBytes: 0 }

let storage: BreakableStorage
let server: TestServer
let ada: Person
let eve: Person
let space: TestSpace

const storages = () => ({ own: () => storage.list() })

before(async () => {
  storage = await BreakableStorage.start()
  server = await startTestServer({ s3: storage.settings })
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
})
after(async () => {
  try {
    await checkFilesAtRest(server, storages())
  } finally {
    await server.close()
    await storage.close()
  }
})
beforeEach(async () => {
  storage.mend()
  space = await makeSpace(ada, [eve])
})

const send = (...files: File[]) => {
  const parts = files.map((file): [string, File] => ['files', file])
  return codeOf(postForm(eve, space.general, formOf(['content', 'look'], ...parts)))
}

/** Checks that there is no message and no event, and that the files are gone once the storage is back. */
async function assertNothingStored(): Promise<void> {
  storage.mend()
  assert.deepEqual(await listHoldings(server, space.id), NO_TRACE)
  await checkFiles(server, storages())
  assert.deepEqual(await ada.client.messages.list(space.general), [])
  const journal = await listJournal(server, topicOf.room(space.id, space.general))
  assert.deepEqual(journal, [])
}

/** Fails after `count` successful writes. */
function failAfter(count: number, fault: Fault): Fault {
  let seen = 0
  return (exchange) => {
    seen += 1
    return seen > count ? fault(exchange) : exchange.serve()
  }
}

const faults: [string, Fault, string][] = [
  ['is full', refuseForRoom, '413 storage_full'],
  ['has a new password', refuseSignature, '503 storage_unavailable'],
  ['fails', fail, '503 storage_unavailable'],
  ['aborts', breakOff, '503 storage_unavailable'],
  ['stores without answering', loseAnswer, '503 storage_unavailable'],
]
for (const [what, fault, expected] of faults) {
  test(`MESSAGE-13: a storage that ${what} leaves nothing of the message, including earlier files`, async () => {
    storage.break(failAfter(0, fault), ['PUT'])
    assert.equal(await send(note('1')), expected)
    await assertNothingStored()
    storage.break(failAfter(2, fault), ['PUT'])
    assert.equal(await send(note('1'), note('2'), note('3')), expected)
    await assertNothingStored()
    assert.equal(await send(note('1'), note('2'), note('3')), 200)
  })
}

test('MESSAGE-13: a bad image, or one file more than fits, removes the others with it', async () => {
  assert.equal(await send(note('1'), await cutShort(await png())), '400 invalid_image')
  await assertNothingStored()
  assert.equal(await send(bomb({ width: 50_000, height: 50_000 }), note('1')), '400 image_too_complex')
  await assertNothingStored()
  await addStorage(server, space.id, { maxBytes: 10, uploadLimitBytes: 8 })
  assert.equal(await send(note('12345'), note('67890'), note('x')), '413 storage_full')
  await assertNothingStored()
  assert.equal(await send(note('1'), note('123456789')), '413 upload_too_large')
  await assertNothingStored()
  assert.equal(await send(note('12345'), note('67890')), 200)
})

/** Sends a file, and runs `meanwhile` while storing it is paused. */
async function sendWhile(
  meanwhile: () => Promise<unknown>,
  sendSlow = () => send(note('slow')),
): Promise<number | string> {
  const [stopped, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  storage.break(
    async ({ serve }) => {
      stopped.resolve()
      await goOn.promise
      await serve()
    },
    ['PUT'],
  )
  const sending = sendSlow()
  await stopped.promise
  await meanwhile()
  goOn.resolve()
  return sending
}

test('MESSAGE-13: a sender kicked while the file is stored posts nothing', async () => {
  assert.equal(await sendWhile(() => ada.client.members.kick(space.id, eve.id)), '403 not_a_member')
  await assertNothingStored()
  await join(eve, ada, space)
  assert.equal(await sendWhile(() => eve.client.users.me()), 200)
})

test('REPLY-1: a reply does not show a message that was deleted while its file was stored', async () => {
  const { id } = await ada.client.messages.create(space.general, { content: 'regretted' })
  const payload = JSON.stringify({ content: 'look', reference: { message_id: id } })
  const reply = () =>
    codeOf(postForm(eve, space.general, formOf(['payload_json', payload], ['files', note('slow')])))
  assert.equal(await sendWhile(() => ada.client.messages.delete(space.general, id), reply), 200)
  const [sent] = await ada.client.messages.list(space.general)
  assert.deepEqual([sent?.referenced_message, sent?.reference?.message_id], [null, id])
  const journal = await listJournal(server, topicOf.room(space.id, space.general))
  assert.deepEqual(journal.at(-1), { name: 'MESSAGE_CREATE', audience: 0, data: sent })
})

test('MESSAGE-13: a room deleted while the file is stored gets no message', async () => {
  assert.equal(await sendWhile(() => ada.client.rooms.delete(space.id, space.general)), '404 unknown_room')
  assert.deepEqual(await listHoldings(server, space.id), NO_TRACE)
})

test('MESSAGE-13: a room deleted at the last moment gets no message', async () => {
  const { general } = space
  const lock = await holdLock(server, sql`select from message_heads where channel_id = ${general} for update`)
  const deleting = ada.client.rooms.delete(space.id, general)
  await lock.waitForBlocked(1)
  const sending = send(note('late'))
  await lock.waitForBlocked(2)
  await lock.release()
  await deleting
  assert.equal(await sending, '404 unknown_room')
  assert.deepEqual(await listHoldings(server, space.id), NO_TRACE)
})

/** Sends half of a form and cuts the connection in the middle of a file. */
async function breakOffForm(): Promise<void> {
  const { token, session_token } = await openSession(server, eve.id)
  const text = '--b\r\ncontent-disposition: form-data; name="f"; filename="f.txt"\r\n\r\nhalf of'
  const sending = request(`${server.url}/api/rooms/${space.general}/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'x-session-token': session_token,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': text.length + 1000,
    },
  })
  sending.on('error', () => undefined)
  sending.write(text)
  await once(sending, 'socket')
  // The server has read the beginning once a later request is answered.
  await eve.call('GET', '/api/users/@me')
  const closed = new Promise((resolve) => sending.once('close', resolve))
  sending.destroy()
  await closed
}

test('MESSAGE-13: an aborted form leaves nothing', async () => {
  await breakOffForm()
  await assertNothingStored()
  assert.equal(await send(note('whole')), 200)
})

test('MESSAGE-14: an upload stays when the storage fails, and can be named again', async () => {
  const id = await putUpload(eve, space.general, note('kept'))
  const name = () =>
    codeOf(eve.call('POST', `/api/rooms/${space.general}/messages`, { attachment_ids: [id] }))
  storage.break(fail)
  assert.equal(await name(), '503 storage_unavailable')
  storage.mend()
  storage.break(fail, ['PUT'])
  assert.equal(await name(), '503 storage_unavailable')
  assert.deepEqual((await listHoldings(server, space.id)).ids, [id])
  storage.mend()
  assert.equal(await name(), 200)
  await checkFiles(server, storages())
})

const broken: [string, Fault][] = [
  ['aborts', ({ response }) => void response.writeHead(206).write('half', () => response.destroy())],
  ['sends endlessly', ({ response }) => void Readable.from(flood()).pipe(response.writeHead(206))],
]
for (const [what, fault] of broken) {
  test(`MESSAGE-14: an upload stays when its storage ${what} during reading, and can be named again`, async () => {
    for (const [file, readBefore] of [
      [note('text'), 0],
      [await png(), 0],
      [await png(), 1],
    ] as const) {
      const id = await putUpload(eve, space.general, file)
      const name = () =>
        codeOf(eve.call('POST', `/api/rooms/${space.general}/messages`, { attachment_ids: [id] }))
      storage.break(failAfter(readBefore, fault), ['GET'])
      assert.equal(await name(), '503 storage_unavailable')
      storage.mend()
      assert.equal(await name(), 200)
    }
    await checkFiles(server, storages())
  })
}

function* flood(): Generator<Buffer> {
  const piece = Buffer.alloc(64 * 1024)
  for (let sent = 0; sent < FLOOD_BYTES; sent += piece.length) yield piece
}

const drip: Fault = ({ response }) => {
  response.writeHead(206)
  const dripping = setInterval(() => response.write('x'), 10)
  response.once('close', () => clearInterval(dripping))
}

test('STORE-14: a picture that the storage sends too slowly is given up', { timeout: 30_000 }, async () => {
  const id = await putUpload(eve, space.general, await png())
  storage.break(failAfter(1, drip), ['GET'])
  const sender = { tenantId: space.id, channelId: space.general, ownerId: eve.id }
  const finishing = finishUploads({ ...server.deps, fetchTimeoutMs: 200 }, sender, [id])
  await assert.rejects(finishing, { code: 'storage_unavailable' })
  storage.mend()
  await eve.client.messages.create(space.general, { attachment_ids: [id] })
})

test('MESSAGE-14: a claimed upload stays when other parts of the message fail', async () => {
  const id = await putUpload(eve, space.general, note('kept'))
  const payload = JSON.stringify({ attachment_ids: [id] })
  const form = formOf(['payload_json', payload], ['files', await cutShort(await png())])
  assert.equal(await codeOf(postForm(eve, space.general, form)), '400 invalid_image')
  assert.deepEqual((await listHoldings(server, space.id)).ids, [id])
  const sent = await eve.client.messages.create(space.general, { attachment_ids: [id] })
  assert.deepEqual(
    sent.attachments.map((file) => file.id),
    [id],
  )
  await checkFiles(server, storages())
})
