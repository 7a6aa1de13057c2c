import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { checkFiles, checkFilesAtRest, passTime } from '#test/file-consistency.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { codeOf, namesOf, note, putUpload } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { jpegWithExif, png } from '#test/scenes/pictures.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { listHoldings } from '#test/storages.ts'
import { placeFile } from '#test/stored-files.ts'

let server: TestServer
let ada: Person
let eve: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
})
after(async () => {
  try {
    await checkFilesAtRest(server)
  } finally {
    await server.close()
  }
})
beforeEach(async () => {
  space = await makeSpace(ada, [eve])
})

const upload = (name = 'u.txt') => putUpload(eve, space.general, note('uploaded', name))
/** An upload that a failed send has already moved to its final key. */
async function storeUpload(filename: string): Promise<string> {
  const file = { tenantId: space.id, roomId: space.general, ownerId: eve.id, filename }
  const { id } = await placeFile(server, { ...file, state: 'stored', bytes: Buffer.from('uploaded') })
  return id
}

const send = (person: Person, ids: string[], roomId = space.general) =>
  codeOf(person.call('POST', `/api/rooms/${roomId}/messages`, { content: 'x', attachment_ids: ids }))

test('MESSAGE-14: an upload belongs to the message that names it, cleaned, and can no longer be written', async () => {
  const photo = await jpegWithExif({ width: 40, height: 30 })
  const body = { filename: 'p.jpg', size_bytes: photo.size, content_type: 'image/jpeg' }
  const { attachment_id: id, upload } = await eve.client.attachments.create(space.general, body)
  const put = () =>
    fetch(eve.client.addressOf(upload.url), { method: 'PUT', headers: upload.headers, body: photo })
  await put()
  const sent = await eve.client.messages.create(space.general, { attachment_ids: [id] })
  const [file] = sent.attachments
  assert.deepEqual([file?.id, file?.message_id, file?.filename], [id, sent.id, 'p.jpg'])
  assert.deepEqual([file?.content_type, file?.width, file?.height], ['image/jpeg', 40, 30])
  const download = async () => {
    const response = await server.fetch(`${file?.url}&stream=1`)
    return Buffer.from(await response.arrayBuffer())
  }
  const stored = await download()
  assert.equal(stored.length, file?.size_bytes)
  assert.ok(!stored.includes('SecretCamera'))
  assert.equal((await put()).status, 404)
  assert.deepEqual(await download(), stored)
  await checkFiles(server)
})

test('MESSAGE-14: only the sender’s unclaimed uploads to this room can be named', async () => {
  const id = await upload()
  const hers = await putUpload(ada, space.general, note('hers'))
  const { general: elsewhere } = await makeSpace(ada, [eve])
  assert.equal(await send(eve, [newId()]), '404 unknown_attachment')
  assert.equal(await send(eve, [hers]), '404 unknown_attachment')
  assert.equal(await send(ada, [id]), '404 unknown_attachment')
  assert.equal(await send(eve, [id], space.lounge), '404 unknown_attachment')
  assert.equal(await send(eve, [id], elsewhere), '404 unknown_attachment')
  assert.equal(await send(eve, [`${id}x`]), '400 invalid_request')
  assert.equal(await send(eve, [id, newId()]), '404 unknown_attachment')
  assert.equal(await send(eve, [id]), 200)
  assert.equal(await send(eve, [id]), '404 unknown_attachment')
  assert.deepEqual((await listHoldings(server, space.id)).ids, [id, hers].toSorted())
  assert.equal((await listJournal(server, topicOf.room(space.id, space.general))).length, 1)
})

test('MESSAGE-14: missing uploads are named, and the others can be sent', async () => {
  const id = await upload()
  const gone = [newId(), newId()]
  const sending = eve.client.messages.create(space.general, {
    content: '',
    attachment_ids: [gone[0] ?? '', id, gone[1] ?? ''],
  })
  await assert.rejects(sending, { code: 'unknown_attachment', unknownAttachments: gone })
  assert.equal(await send(eve, [id]), 200)
})

test('MESSAGE-14: an upload cancelled while its message is written is named, and the other can be sent', async () => {
  const [given, kept] = [await upload(), await upload()]
  const { general } = space
  const lock = await holdLock(server, sql`select from message_heads where channel_id = ${general} for update`)
  const sending = eve.client.messages.create(general, { content: '', attachment_ids: [kept, given] })
  const refused = assert.rejects(sending, { code: 'unknown_attachment', unknownAttachments: [given] })
  await lock.waitForBlocked(1)
  await eve.client.attachments.cancel(general, given)
  await lock.release()
  await refused
  assert.equal(await send(eve, [kept]), 200)
})

test('MESSAGE-14: a file that is not for messages cannot be named', async () => {
  const id = await upload()
  const emoji = await server.deps.database.query<{ id: string }>(sql`
    update attachments set purpose = 'emoji' where id = ${id} returning id`)
  assert.equal(await send(eve, [emoji[0]?.id ?? '']), '404 unknown_attachment')
})

test('MESSAGE-14: an upload that is missing, or not as announced, is incomplete until it is complete', async () => {
  const body = { filename: 'late.txt', size_bytes: 4, content_type: 'text/plain' }
  const { attachment_id: id, upload } = await eve.client.attachments.create(space.general, body)
  assert.equal(await send(eve, [id]), '400 upload_incomplete')
  const put = (text: string) =>
    fetch(eve.client.addressOf(upload.url), { method: 'PUT', headers: upload.headers, body: text })
  await put('longer than announced')
  assert.equal(await send(eve, [id]), '400 upload_incomplete')
  await put('late')
  assert.equal(await send(eve, [id]), 200)
})

test('MESSAGE-14: a cancelled or expired upload is 404', async () => {
  const [cancelled, expired] = [await upload(), await upload()]
  await eve.client.attachments.cancel(space.general, cancelled)
  assert.equal(await send(eve, [cancelled]), '404 unknown_attachment')
  await passTime(server)
  assert.equal(await send(eve, [expired]), '404 unknown_attachment')
  assert.deepEqual(await listHoldings(server, space.id), { ids: [], usedBytes: 0 })
})

test('MESSAGE-14: an upload cancelled before the message is written is not in it', async () => {
  const id = await upload()
  const { general } = space
  const lock = await holdLock(server, sql`select from message_heads where channel_id = ${general} for update`)
  const sending = send(eve, [id])
  await lock.waitForBlocked(1)
  await eve.client.attachments.cancel(general, id)
  await lock.release()
  assert.equal(await sending, '404 unknown_attachment')
  assert.deepEqual(await eve.client.messages.list(general), [])
})

for (const [what, place] of [
  ['while the room is held', 'head'],
  ['while the file is held', 'file'],
] as const) {
  test(`MESSAGE-14: one of several messages that name an upload at once gets it, ${what}`, async () => {
    const { general } = space
    const [id, other] = [await storeUpload('1.txt'), await storeUpload('2.txt')]
    const lock = await holdLock(
      server,
      place === 'head'
        ? sql`select from message_heads where channel_id = ${general} for update`
        : sql`select from attachments where id = ${id} for update`,
    )
    const sending = [send(eve, [id, other]), send(eve, [id]), send(eve, [other, id])]
    await lock.waitForBlocked(1)
    await lock.release()
    const outcomes = await Promise.all(sending)
    const messages = await eve.client.messages.list(general)
    const winner = messages[0]
    assert.equal(messages.length, 1)
    const expectedOutcomes = [200, '404 unknown_attachment', '404 unknown_attachment']
    assert.deepEqual(outcomes.map(String).toSorted(), expectedOutcomes.map(String))
    const expected = [['1.txt', '2.txt'], ['1.txt'], ['2.txt', '1.txt']][outcomes.indexOf(200)]
    assert.deepEqual(winner && namesOf(winner), expected)
    assert.ok(winner?.attachments.every(({ message_id }) => message_id === winner.id))
  })
}

test('MESSAGE-14: one of several messages of one batch that name an upload gets it', async () => {
  const ids = [await storeUpload('1.txt'), await storeUpload('2.txt')]
  const { general } = space
  const said = await eve.client.messages.create(general, { content: 'x' })
  const write = (fileIds: string[]) => {
    const id = newId()
    const facts = { content_type: 'text/plain', size_bytes: 8, width: null, height: null, deleted_at: null }
    const attachments = fileIds.map((fileId) => ({
      ...facts,
      id: fileId,
      message_id: id,
      filename: fileId,
      description: null,
      created_at: said.created_at,
    }))
    const message = { ...said, id, nonce: null, attachments }
    return server.deps.messageWriter.write({
      place: { tenantId: space.id, channelId: general },
      message,
      fileIds,
    })
  }
  // The first write is a batch of its own; the others are batched after it.
  const written = await Promise.all([write([]), write(ids), write(ids.slice(0, 1)), write(ids.toReversed())])
  assert.deepEqual(
    written.map((message) => message !== undefined),
    [true, true, false, false],
  )
  const [newest] = await eve.client.messages.list(general)
  assert.deepEqual(newest && namesOf(newest), ['1.txt', '2.txt'])
})

test('MESSAGE-19: an error of the database with one message does not affect others of its batch', async () => {
  const { general } = space
  const said = await eve.client.messages.create(general, { content: 'x' })
  const write = (content: string, flags = 0) => {
    const message = { ...said, id: newId(), nonce: null, content, flags }
    const place = { tenantId: space.id, channelId: general }
    return server.deps.messageWriter.write({ place, message, fileIds: [] })
  }
  const attempts = await Promise.allSettled([write('1'), write('2'), write('wrong', 2 ** 32), write('3')])
  assert.deepEqual(
    attempts.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
  const history = await ada.client.messages.list(general)
  assert.deepEqual(
    history.map(({ content, seq }) => [content, seq]),
    [
      ['3', 4],
      ['2', 3],
      ['1', 2],
      ['x', 1],
    ],
  )
})

test('MESSAGE-14: many simultaneous messages with files each get their own, and seq counts all of them', async () => {
  const ids = await Promise.all(Array.from({ length: 24 }, (_, index) => upload(`${index}.txt`)))
  const sent = await Promise.all(
    ids.flatMap((id, index) => [
      eve.client.messages.create(space.general, { content: `${index}`, attachment_ids: [id] }),
      ada.client.messages.create(space.general, { content: 'plain' }),
    ]),
  )
  for (const message of sent)
    assert.deepEqual(namesOf(message), message.content === 'plain' ? [] : [`${message.content}.txt`])
  const history = await ada.client.messages.list(space.general)
  assert.deepEqual(
    history.map(({ seq }) => seq),
    history.map((_, index) => 48 - index),
  )
  const bySeq = sent.toSorted((a, b) => b.seq - a.seq)
  assert.deepEqual(history, bySeq)
})

test('MESSAGE-14: one of several messages that name an upload before it was claimed gets it', async () => {
  for (const file of [note('uploaded'), await png({ width: 300, height: 300 })]) {
    const id = await putUpload(eve, space.general, file)
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => send(eve, [id])))
    assert.deepEqual(outcomes.map(String).toSorted(), ['200', ...Array(5).fill('404 unknown_attachment')])
  }
  await checkFiles(server)
})

test('FORM-5: an uploaded picture counts on the disk while it is cleaned, like a form', async () => {
  const id = await putUpload(eve, space.general, await png())
  const place = server.deps.formSpace.enter(eve.id)
  place.grow(1.5 * 1024 ** 3)
  assert.equal(await send(eve, [id]), '503 unavailable')
  place.leave()
  assert.equal(await send(eve, [id]), 200)
  assert.deepEqual(server.deps.formSpace.used, { forms: 0, bytes: 0 })
})
