import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let tea: TestSpace

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
})
after(() => server.close())

test('MESSAGE-3: a repeated nonce answers with the first message and publishes nothing', async () => {
  tea = await makeSpace(ada)
  const first = await ada.client.messages.create(tea.general, { content: 'once', nonce: 'n' })
  const repeat = await ada.client.messages.create(tea.general, { content: 'twice', nonce: 'n' })
  assert.deepEqual(repeat, first)
  assert.deepEqual(await ada.client.messages.list(tea.general), [first])
  assert.equal((await listJournal(server, topicOf.room(tea.id, tea.general))).length, 1)
  const other = await ada.client.messages.create(tea.general, { content: 'twice', nonce: 'm' })
  assert.equal(other.seq, 2)
})

test('MESSAGE-3: repeating an edited message answers with the edited one', async () => {
  const { general } = await makeSpace(ada)
  const first = await ada.client.messages.create(general, { content: 'teh', nonce: 'n' })
  const edited = await ada.client.messages.update(general, first.id, { content: 'the' })
  assert.deepEqual(await ada.client.messages.create(general, { content: 'teh', nonce: 'n' }), edited)
})

test('MESSAGE-3: repeating a deleted message does not bring it back', async () => {
  const { general } = await makeSpace(ada)
  const first = await ada.client.messages.create(general, { content: 'gone', nonce: 'n' })
  await ada.client.messages.delete(general, first.id)
  const repeat = await ada.call('POST', `/api/rooms/${general}/messages`, { content: 'gone', nonce: 'n' })
  assert.deepEqual([repeat.status, repeat.code], [404, 'unknown_message'])
  assert.deepEqual(await ada.client.messages.list(general), [])
})

test('MESSAGE-3: a nonce belongs to its author in its room', async () => {
  const { general, lounge } = await makeSpace(ada, [eve])
  const sent = await Promise.all([
    ada.client.messages.create(general, { content: 'a', nonce: 'n' }),
    eve.client.messages.create(general, { content: 'b', nonce: 'n' }),
    ada.client.messages.create(lounge, { content: 'c', nonce: 'n' }),
  ])
  assert.deepEqual(
    sent.map((message) => message.content),
    ['a', 'b', 'c'],
  )
})

test('MESSAGE-3: simultaneous repeats become one message', async () => {
  const { general } = await makeSpace(ada)
  const repeats = Array.from({ length: 40 }, (_, index) => ({ content: `${index}`, nonce: `${index % 4}` }))
  const sent = await Promise.all(repeats.map((body) => ada.client.messages.create(general, body)))
  const history = await ada.client.messages.list(general)
  assert.deepEqual(
    history.map((message) => message.seq),
    [4, 3, 2, 1],
  )
  for (const message of sent) {
    assert.deepEqual(
      message,
      history.find((known) => known.nonce === message.nonce),
    )
  }
})

test('MESSAGE-3: a nonce can be used again after 24 hours', async () => {
  const { general } = await makeSpace(ada)
  const age = (interval: string) =>
    server.deps.database.execute(sql`
      update message_nonces set created_at = now() - ${interval}::interval where channel_id = ${general}`)
  const first = await ada.client.messages.create(general, { content: 'old', nonce: 'n' })
  await age('23 hours 59 minutes')
  assert.deepEqual(await ada.client.messages.create(general, { content: 'new', nonce: 'n' }), first)
  await age('24 hours 1 minute')
  const second = await ada.client.messages.create(general, { content: 'new', nonce: 'n' })
  assert.equal(second.content, 'new')
  assert.deepEqual(await ada.client.messages.create(general, { content: 'newer', nonce: 'n' }), second)
})
