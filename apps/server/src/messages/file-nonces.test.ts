import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Message } from '@foyer/protocol/messages'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { BreakableStorage } from '#test/breakable-storage.ts'
import { checkFiles, checkFilesAtRest } from '#test/file-consistency.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { codeOf, namesOf, note, postForm, putUpload } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { formOf } from '#test/scenes/pictures.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { listHoldings } from '#test/storages.ts'

let storage: BreakableStorage
let server: TestServer
let ada: Person
let space: TestSpace

before(async () => {
  storage = await BreakableStorage.start()
  server = await startTestServer({ s3: storage.settings })
  ada = await createPerson(server, 'ada')
})
after(async () => {
  try {
    await checkFilesAtRest(server, { own: () => storage.list() })
  } finally {
    await server.close()
    await storage.close()
  }
})
beforeEach(async () => {
  space = await makeSpace(ada)
})

const send = (name: string, nonce = 'n'): Promise<Message> =>
  ada.client.messages.createWithFiles(space.general, { nonce }, [note(name, name)])

/** Checks that exactly one message was stored and published, and that only its files are kept. */
async function checkOnly(message: Message): Promise<void> {
  assert.deepEqual(await ada.client.messages.list(space.general), [message])
  assert.equal((await listJournal(server, topicOf.room(space.id, space.general))).length, 1)
  const ids = message.attachments.map(({ id }) => id).toSorted()
  assert.deepEqual((await listHoldings(server, space.id)).ids, ids)
  await checkFiles(server, { own: () => storage.list() })
}

test('MESSAGE-15: repeating a form stores nothing and answers with the first message', async () => {
  const first = await send('once')
  const writes = storage.requests.length
  assert.deepEqual(await send('twice'), first)
  assert.equal(storage.requests.length, writes)
  await checkOnly(first)
  assert.deepEqual(namesOf(await send('other', 'm')), ['other'])
})

test('MESSAGE-15: simultaneous repeats become one message, and the other files are deleted', async () => {
  const { general } = space
  const lock = await holdLock(server, sql`select from message_heads where channel_id = ${general} for update`)
  const sending = ['a', 'b', 'c', 'd'].map((name) => send(name))
  await lock.waitForBlocked(1)
  await lock.release()
  const [first, ...others] = await Promise.all(sending)
  assert.ok(first)
  for (const other of others) assert.deepEqual(other, first)
  await checkOnly(first)
})

test('MESSAGE-15: repeating a message with uploads answers with the first message', async () => {
  const id = await putUpload(ada, space.general, note('uploaded'))
  const body = { attachment_ids: [id], nonce: 'n' }
  const first = await ada.client.messages.create(space.general, body)
  assert.deepEqual(await ada.client.messages.create(space.general, body), first)
  await checkOnly(first)
})

test('MESSAGE-15: two simultaneous messages with one upload and one nonce become one message', async () => {
  const id = await putUpload(ada, space.general, note('uploaded'))
  const body = { attachment_ids: [id], nonce: 'n' }
  const sending = Array.from({ length: 4 }, () => ada.client.messages.create(space.general, body))
  const [first, ...others] = await Promise.all(sending)
  assert.ok(first)
  for (const other of others) assert.deepEqual(other, first)
  await checkOnly(first)
})

test('MESSAGE-15: repeating a deleted message keeps nothing', async () => {
  const { id } = await send('gone')
  await ada.client.messages.delete(space.general, id)
  const form = formOf(['nonce', 'n'], ['files', note('again')])
  assert.equal(await codeOf(postForm(ada, space.general, form)), '404 unknown_message')
  assert.deepEqual((await listHoldings(server, space.id)).ids, [])
})

test('MESSAGE-15: a nonce sends its files again after 24 hours', async () => {
  await send('old')
  await server.deps.database.execute(sql`
    update message_nonces set created_at = now() - interval '24 hours 1 minute' where channel_id = ${space.general}`)
  const second = await send('new')
  assert.deepEqual([second.seq, namesOf(second)], [2, ['new']])
})

test('MESSAGE-15: an old nonce does not answer for a message whose file is gone', async () => {
  await send('old')
  await server.deps.database.execute(sql`
    update message_nonces set created_at = now() - interval '24 hours 1 minute' where channel_id = ${space.general}`)
  const id = await putUpload(ada, space.general, note('uploaded'))
  const { general } = space
  const lock = await holdLock(server, sql`select from message_heads where channel_id = ${general} for update`)
  const body = { attachment_ids: [id], nonce: 'n' }
  const sending = codeOf(ada.call('POST', `/api/rooms/${general}/messages`, body))
  await lock.waitForBlocked(1)
  await ada.client.attachments.cancel(general, id)
  await lock.release()
  assert.equal(await sending, '404 unknown_attachment')
})
