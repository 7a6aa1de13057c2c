import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ListMessagesQuery, Message } from '@foyer/protocol/messages'
import { newId } from '#src/kernel/ids.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let general: string
let elsewhere: string
/** Ids of twelve messages, oldest first. */
let ids: string[]

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  const space = await makeSpace(ada)
  general = space.general
  ids = await say(general, 12)
  const [id = ''] = await say(space.lounge, 1)
  elsewhere = id
})
after(() => server.close())

/** Returns the id of the message with that number as its text. */
function idOf(turn: number): string {
  return ids[turn - 1] ?? ''
}

async function say(roomId: string, count: number): Promise<string[]> {
  const sent: Message[] = []
  for (let turn = 1; turn <= count; turn += 1) {
    sent.push(await ada.client.messages.create(roomId, { content: `${turn}` }))
  }
  return sent.map((message) => message.id)
}

/** Returns the texts of a page, in its order. */
async function page(roomId: string, query: ListMessagesQuery): Promise<number[]> {
  const messages = await ada.client.messages.list(roomId, query)
  return messages.map((message) => Number(message.content))
}

test('MESSAGE-7: history is newest first, 50 at a time unless specified', async () => {
  const { general: long } = await makeSpace(ada)
  await Promise.all(Array.from({ length: 102 }, () => ada.client.messages.create(long, { content: 'x' })))
  const sizes = [{}, { limit: 1 }, { limit: 100 }].map(async (query) => {
    const messages = await ada.client.messages.list(long, query)
    const seqs = messages.map((message) => message.seq)
    assert.deepEqual(
      seqs,
      seqs.map((_, index) => 102 - index),
    )
    return messages.length
  })
  assert.deepEqual(await Promise.all(sizes), [50, 1, 100])
})

test('MESSAGE-7: before and after give the messages next to the anchor', async () => {
  assert.deepEqual(await page(general, { before: idOf(5), limit: 3 }), [4, 3, 2])
  assert.deepEqual(await page(general, { before: idOf(2) }), [1])
  assert.deepEqual(await page(general, { before: idOf(1) }), [])
  assert.deepEqual(await page(general, { after: idOf(5), limit: 3 }), [8, 7, 6])
  assert.deepEqual(await page(general, { after: idOf(11) }), [12])
  assert.deepEqual(await page(general, { after: idOf(12) }), [])
})

test('MESSAGE-7: around gives both sides and the anchor itself', async () => {
  assert.deepEqual(await page(general, { around: idOf(5), limit: 5 }), [7, 6, 5, 4, 3])
  assert.deepEqual(await page(general, { around: idOf(5), limit: 4 }), [7, 6, 5, 4])
  assert.deepEqual(await page(general, { around: idOf(5), limit: 1 }), [5])
  assert.deepEqual(await page(general, { around: idOf(1), limit: 5 }), [3, 2, 1])
  assert.deepEqual(await page(general, { around: idOf(12), limit: 5 }), [12, 11, 10])
})

test('MESSAGE-7: a deleted message still serves as an anchor', async () => {
  const { general: room } = await makeSpace(ada)
  const said = await say(room, 5)
  const [first = '', , third = '', , last = ''] = said
  for (const id of [first, third, last]) await ada.client.messages.delete(room, id)
  assert.deepEqual(await page(room, { before: third }), [2])
  assert.deepEqual(await page(room, { after: third }), [4])
  assert.deepEqual(await page(room, { around: third }), [4, 2])
  assert.deepEqual(await page(room, { before: first }), [])
  assert.deepEqual(await page(room, { after: first }), [4, 2])
  assert.deepEqual(await page(room, { before: last }), [4, 2])
  assert.deepEqual(await page(room, { after: last }), [])
})

test('MESSAGE-7: any id serves as an anchor by its time, even one of another room', async () => {
  assert.deepEqual(await page(general, { after: newId() }), [])
  assert.deepEqual(await page(general, { before: newId(), limit: 2 }), [12, 11])
  assert.deepEqual(await page(general, { before: elsewhere, limit: 2 }), [12, 11])
  assert.deepEqual(await page(general, { after: '00000000-0000-7000-8000-000000000000', limit: 2 }), [2, 1])
})
