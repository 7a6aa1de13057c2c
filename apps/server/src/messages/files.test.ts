import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { checkFiles, checkFilesAtRest } from '#test/file-consistency.ts'
import { codeOf, namesOf, note, postForm, putUpload } from '#test/scenes/messages.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { fileOf, formOf, jpegWithExif, png } from '#test/scenes/pictures.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { addStorage, listHoldings } from '#test/storages.ts'

const NOTHING = { ids: [], usedBytes: 0 }

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

const newest = async () => (await ada.client.messages.list(space.general))[0]
const send = (form: FormData) => postForm(eve, space.general, form)

test('MESSAGE-1: the answer to a message with files equals history, its own path and MESSAGE_CREATE', async () => {
  const files = [await jpegWithExif({ width: 30, height: 20 }), note('hello')]
  const sent = await eve.client.messages.createWithFiles(space.general, { content: 'look' }, files)
  const [photo, text] = sent.attachments
  assert.deepEqual([photo?.filename, photo?.content_type], ['photo.jpg', 'image/jpeg'])
  assert.deepEqual([photo?.width, photo?.height, photo?.deleted_at], [30, 20, null])
  assert.deepEqual([text?.filename, text?.content_type, text?.size_bytes], ['note.txt', 'text/plain', 5])
  assert.deepEqual([text?.width, text?.height], [null, null])
  assert.ok(sent.attachments.every(({ message_id }) => message_id === sent.id))
  assert.deepEqual(await ada.client.messages.list(space.general), [sent])
  assert.deepEqual(await ada.client.messages.get(space.general, sent.id), sent)
  const [created] = await listJournal(server, topicOf.room(space.id, space.general))
  assert.deepEqual(created, { name: 'MESSAGE_CREATE', audience: 0, data: sent })
  const bytes = sent.attachments.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
  const ids = sent.attachments.map(({ id }) => id)
  assert.deepEqual(await listHoldings(server, space.id), { ids: ids.toSorted(), usedBytes: bytes })
  await checkFiles(server)
})

test('MESSAGE-12: files of a form keep their order, followed by earlier uploads', async () => {
  const [first, second] = [
    await putUpload(eve, space.general, note('1', '1.txt')),
    await putUpload(eve, space.general, note('2', '2.txt')),
  ]
  const files = [note('3', '3.txt'), await png(), note('4', '4.txt')]
  const body = { attachment_ids: [second, first] }
  const sent = await eve.client.messages.createWithFiles(space.general, body, files)
  assert.deepEqual(namesOf(sent), ['3.txt', 'picture.png', '4.txt', '2.txt', '1.txt'])
  assert.equal(sent.content, '')
  assert.deepEqual(await newest(), sent)
})

test('MESSAGE-12: the parts of a form come in any order, and its files in fields of any name', async () => {
  const payload = JSON.stringify({ content: 'x', nonce: 'n' })
  await send(formOf(['a', note('1', 'a')], ['payload_json', payload], ['b[]', note('2', 'b')]))
  const sent = await newest()
  assert.deepEqual([sent?.content, sent?.nonce, sent && namesOf(sent)], ['x', 'n', ['a', 'b']])
  await send(formOf(['file', note('1', 'c')], ['nonce', 'm'], ['content', ' y '], ['other', 'ignored']))
  const simple = await newest()
  assert.deepEqual([simple?.content, simple?.nonce, simple && namesOf(simple)], ['y', 'm', ['c']])
  await send(formOf(['content', 'no file']))
  assert.equal((await newest())?.content, 'no file')
})

test('MESSAGE-12: a file of zero bytes is accepted', async () => {
  const sent = await eve.client.messages.createWithFiles(space.general, {}, [fileOf('', 'empty.bin', 'a/b')])
  assert.deepEqual([sent.attachments[0]?.filename, sent.attachments[0]?.size_bytes], ['empty.bin', 0])
  const id = await putUpload(eve, space.general, fileOf('', 'nothing', 'text/plain'))
  const other = await eve.client.messages.create(space.general, { attachment_ids: [id] })
  assert.deepEqual([other.attachments[0]?.filename, other.attachments[0]?.size_bytes], ['nothing', 0])
})

test('MESSAGE-12: a bot sends files like people, into the active bucket', async () => {
  const bot = await createApplicationBot(server, ada, { name: 'Kettle' })
  await ada.client.members.addBot(space.id, bot.id)
  const bucketId = await addStorage(server, space.id)
  const sent = await bot.client.messages.createWithFiles(space.general, {}, [note('beep')])
  const [file] = await server.deps.database.query<{ bucket_id: string }>(sql`
    select bucket_id from attachments where id = ${sent.attachments[0]?.id}`)
  assert.equal(file?.bucket_id, bucketId)
})

test('MESSAGE-12: a message has at most 10 files, however they are sent', async () => {
  const notes = Array.from({ length: 12 }, (_, index) => note(`${index}`, `${index}`))
  const form = (count: number) =>
    formOf(...notes.slice(0, count).map((file): [string, File] => ['files', file]))
  assert.equal(await codeOf(send(form(12))), '400 too_many_files')
  assert.equal(await codeOf(send(form(11))), '400 too_many_files')
  assert.deepEqual(await listHoldings(server, space.id), NOTHING)
  const id = await putUpload(eve, space.general, note('one more'))
  const both = form(10)
  both.append('payload_json', JSON.stringify({ attachment_ids: [id] }))
  assert.equal(await codeOf(send(both)), '400 too_many_files')
  assert.deepEqual((await listHoldings(server, space.id)).ids, [id])
  assert.equal(await codeOf(send(form(10))), 200)
  const sent = await newest()
  assert.deepEqual(sent && namesOf(sent), ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
})

const badTexts: [string, [string, string][], string][] = [
  ['a payload that is not JSON', [['payload_json', '{"content"']], '400 invalid_json'],
  ['a payload that is not an object', [['payload_json', '[]']], '400 invalid_request'],
  ['a payload of the wrong shape', [['payload_json', '{"content":5}']], '400 invalid_request'],
  ['a payload with NUL', [['payload_json', '{"content":"\\u0000"}']], '400 invalid_request'],
  [
    'two payloads',
    [
      ['payload_json', '{}'],
      ['payload_json', '{}'],
    ],
    '400 invalid_request',
  ],
  ['content that is too long', [['content', 'x'.repeat(4001)]], '400 invalid_request'],
  ['an empty nonce', [['nonce', '']], '400 invalid_request'],
  ['invalid attachment_ids', [['payload_json', '{"attachment_ids":["../../etc"]}']], '400 invalid_request'],
  [
    'an upload twice',
    [['payload_json', JSON.stringify({ attachment_ids: Array(2).fill(crypto.randomUUID()) })]],
    '400 invalid_request',
  ],
]
for (const [what, texts, expected] of badTexts) {
  test(`MESSAGE-13: a form with ${what} leaves nothing`, async () => {
    assert.equal(await codeOf(send(formOf(['files', note('x')], ...texts))), expected)
    assert.equal(await codeOf(send(formOf(...texts, ['files', note('x')]))), expected)
    assert.equal(await newest(), undefined)
    assert.deepEqual(await listHoldings(server, space.id), NOTHING)
  })
}

test('MESSAGE-4: a form without content is an empty message', async () => {
  const forms = [formOf(['content', ' ']), formOf(['payload_json', '{}']), formOf(['x', 'y']), new FormData()]
  for (const form of forms) assert.equal(await codeOf(send(form)), '400 empty_message')
})

const badNames: [string, string][] = [
  ['a path', '../../etc/passwd'],
  ['a Windows path', '..\\..\\boot.ini'],
  ['a direction mark', 'picture\u202egnp.exe'],
  ['10,000 characters', 'x'.repeat(10_000)],
  ['nothing but dots', '..'],
  ['a control character', 'a\u0001b'],
  ['NUL', 'a\0b'],
]
for (const [what, name] of badNames) {
  test(`MESSAGE-13: a file whose name has ${what} is refused, together with the other files`, async () => {
    const form = formOf(['files', note('good')], ['files', note('bad', name)])
    const { status, body } = await send(form)
    assert.equal(status, 400, JSON.stringify(body))
    assert.equal(await newest(), undefined)
    assert.deepEqual(await listHoldings(server, space.id), NOTHING)
  })
}
