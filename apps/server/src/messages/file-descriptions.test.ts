import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { limits } from '@foyer/protocol/limits'
import type { Message } from '@foyer/protocol/messages'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { checkFilesAtRest } from '#test/file-consistency.ts'
import { codeOf, note, postForm, putUpload } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { formOf, png } from '#test/scenes/pictures.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { addStorage } from '#test/storages.ts'

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

const descriptionsOf = ({ attachments }: Pick<Message, 'attachments'>) =>
  attachments.map(({ description }) => description)

async function newest(): Promise<Message> {
  const [message] = await ada.client.messages.list(space.general, { limit: 1 })
  assert.ok(message !== undefined)
  return message
}

/** Sends a form with files in the given fields. */
async function sendForm(fields: readonly string[], attachments: unknown): Promise<Message> {
  const files = await Promise.all(fields.map(async (field): Promise<[string, File]> => [field, await png()]))
  const payload = JSON.stringify({ content: 'x', attachments })
  const answer = await postForm(eve, space.general, formOf(...files, ['payload_json', payload]))
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return newest()
}

test('FILE-25: an upload has the description that its message sets, in the answer, the event and the history', async () => {
  const ids = [
    await putUpload(eve, space.general, await png()),
    await putUpload(eve, space.general, note('b')),
  ]
  const sent = await eve.client.messages.create(space.general, {
    attachment_ids: ids,
    attachments: [{ id: ids[0]?.toUpperCase() ?? '', description: '  A cat\non a sofa  ' }],
  })
  assert.deepEqual(descriptionsOf(sent), ['A cat\non a sofa', null])
  const [event] = (await listJournal(server, topicOf.room(space.id, space.general))).slice(-1)
  assert.deepEqual(event?.data, sent)
  assert.deepEqual(
    (await newest()).attachments.map(({ url, ...file }) => file),
    sent.attachments.map(({ url, ...file }) => file),
  )
  const reply = await ada.client.messages.create(space.general, {
    content: 're',
    reference: { message_id: sent.id },
  })
  assert.deepEqual(reply.referenced_message && descriptionsOf(reply.referenced_message), [
    'A cat\non a sofa',
    null,
  ])
})

test('FILE-25: Create Upload accepts a description, which the message keeps, changes or removes', async () => {
  const reserve = async (description: string | null) => {
    const file = await png()
    const body = { filename: 'a.png', size_bytes: file.size, content_type: 'image/png', description }
    const { attachment_id: id, upload } = await eve.client.attachments.create(space.general, body)
    await fetch(eve.client.addressOf(upload.url), { method: 'PUT', headers: upload.headers, body: file })
    return id
  }
  const ids = await Promise.all(['kept', 'changed', 'removed', null].map(reserve))
  const [, changed = '', removed = ''] = ids
  const attachments = [
    { id: changed, description: 'new' },
    { id: removed, description: ' ' },
  ]
  const sent = await eve.client.messages.create(space.general, { attachment_ids: ids, attachments })
  assert.deepEqual(descriptionsOf(sent), ['kept', 'new', null, null])
  assert.deepEqual(descriptionsOf(await newest()), descriptionsOf(sent))
})

test('FILE-25: files of a form are described by the number of their field, else by their order', async () => {
  const numbered = await sendForm(
    ['files[7]', 'files[2]'],
    [
      { id: '2', description: 'two' },
      { id: 7, description: 'seven' },
    ],
  )
  assert.deepEqual(descriptionsOf(numbered), ['seven', 'two'])
  const placed = await sendForm(
    ['file', 'files'],
    [
      { id: 1, description: 'second' },
      { id: '0', description: null },
    ],
  )
  assert.deepEqual(descriptionsOf(placed), [null, 'second'])
})

test('FILE-25: a form with an upload can describe both', async () => {
  const id = await putUpload(eve, space.general, note('u'))
  const attachments = [
    { id, description: 'the upload' },
    { id: 0, description: 'the file' },
  ]
  const payload = JSON.stringify({ attachment_ids: [id], attachments })
  await postForm(eve, space.general, formOf(['payload_json', payload], ['files[0]', note('f')]))
  assert.deepEqual(descriptionsOf(await newest()), ['the file', 'the upload'])
})

test('FILE-25: copies of a forward keep the descriptions, also in a forward of the forward', async () => {
  await sendForm(['files[0]', 'files[1]'], [{ id: 0, description: 'first' }])
  const { id } = await newest()
  const reference = { type: 1, message_id: id, room_id: space.general }
  const forward = await eve.client.messages.create(space.lounge, { reference })
  assert.deepEqual(forward.snapshot && descriptionsOf(forward.snapshot), ['first', null])
  await eve.client.messages.delete(space.general, id)
  const again = await eve.client.messages.create(space.general, {
    reference: { type: 1, message_id: forward.id, room_id: space.lounge },
  })
  assert.deepEqual(again.snapshot && descriptionsOf(again.snapshot), ['first', null])
  assert.deepEqual(
    (await newest()).snapshot?.attachments.map(({ description }) => description),
    ['first', null],
  )
})

test('FILE-25: a description that is too long, not text, or has control characters is refused, and nothing is kept', async () => {
  const id = await putUpload(eve, space.general, note('u'))
  const longest = '😀'.repeat(limits.descriptionMax)
  const send = (attachments: unknown) =>
    codeOf(
      eve.call('POST', `/api/rooms/${space.general}/messages`, {
        content: 'x',
        attachment_ids: [id],
        attachments,
      }),
    )
  const bad: unknown[] = [
    `${longest}!`,
    7,
    true,
    {},
    ['x'],
    'bell\u0007',
    'nul\u0000',
    'csi\u009b31m',
    '\ud800',
  ]
  for (const description of bad)
    assert.equal(await send([{ id, description }]), '400 invalid_request', JSON.stringify(description))
  const strangers: unknown[] = [newId(), '0', 0, -1, 1.5, null, '', id.slice(1), { id }]
  for (const stranger of strangers)
    assert.equal(await send([{ id: stranger, description: 'x' }]), '400 invalid_request', String(stranger))
  assert.equal(await send([{ description: 'x' }]), '400 invalid_request')
  assert.equal(await send('x'), '400 invalid_request')
  assert.equal(await send(Array(11).fill({ id })), '400 invalid_request')
  const upload = { filename: 'a', size_bytes: 1, content_type: 'text/plain' }
  const reserve = (description: unknown) =>
    codeOf(eve.call('POST', `/api/rooms/${space.general}/attachments`, { ...upload, description }))
  for (const description of bad) assert.equal(await reserve(description), '400 invalid_request')
  assert.equal(await reserve(longest), 200)
  assert.equal(await send(null), 200)
  assert.deepEqual(descriptionsOf(await newest()), [null])
})

test('FILE-25: a description without a file is refused', async () => {
  const bare = { content: 'x', attachments: [{ id: 0, description: 'x' }] }
  assert.equal(
    await codeOf(eve.call('POST', `/api/rooms/${space.general}/messages`, bare)),
    '400 invalid_request',
  )
  const none = { content: 'x', attachments: [] }
  assert.equal(await codeOf(eve.call('POST', `/api/rooms/${space.general}/messages`, none)), 200)
})

test('FILE-25: images of emojis have no description', async () => {
  await addStorage(server, space.id, {})
  await ada.client.emojis.create(space.id, { name: 'cat', image: await png() })
  const [image] = await ada.client.attachments.listOfSpace(space.id)
  assert.equal(image?.description, null)
})
