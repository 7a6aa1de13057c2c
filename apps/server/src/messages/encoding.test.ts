import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Message } from '@foyer/protocol/messages'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { encodeMessages } from './encoding.ts'

/** Contains the same bytes that the encoder replaces. */
const HOSTILE = '"mentions":[] \\"mentions\\":[] "messages":[]'

let server: TestServer
let ada: Person
let eve: Person
let bob: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  bob = await createPerson(server, 'bob')
  space = await makeSpace(ada, [eve, bob])
})
after(() => server.close())

test('MESSAGE-20: every list shows a message as it is shown alone, whomever it and the one it replies to mention', async () => {
  const both = `<@${eve.id}> <@${bob.id}>`
  const original = await ada.client.messages.create(space.general, { content: `${HOSTILE} ${both}` })
  const answer = (content: string) => ({ content, reference: { message_id: original.id } })
  const sent = [
    original,
    await eve.client.messages.create(space.general, { content: HOSTILE }),
    await eve.client.messages.create(space.general, answer(`nobody ${HOSTILE}`)),
    await bob.client.messages.create(space.general, answer(`<@${eve.id}>`)),
  ]
  const alone: Message[] = []
  for (const { id } of sent.toReversed()) alone.push(await eve.client.messages.get(space.general, id))
  assert.deepEqual(
    alone.at(-1)?.mentions.map(({ id }) => id),
    [eve.id, bob.id],
  )
  assert.deepEqual(
    alone[0]?.referenced_message?.mentions.map(({ id }) => id),
    [eve.id, bob.id],
  )
  assert.deepEqual(await eve.client.messages.list(space.general), alone)
  for (const { id } of sent) await ada.client.pins.add(space.general, id)
  const pins = await eve.client.pins.list(space.general)
  const pinned = alone.map((message) => ({ ...message, pinned: true }))
  const withPinned = pinned.map(({ id }) => pins.find((pin) => pin.id === id)?.mentions)
  assert.deepEqual(
    withPinned,
    pinned.map(({ mentions }) => mentions),
  )
  const { messages } = await eve.client.mentions.list()
  assert.deepEqual(
    messages.map(({ id }) => id),
    [sent[3]?.id, original.id],
  )
  assert.deepEqual(
    messages.map(({ mentions }) => mentions),
    [alone[0]?.mentions, alone[3]?.mentions],
  )
})

/** Makes messages that all mention one user. `reads` counts how often the user's name is read. */
async function manyMentions(count: number) {
  const { id } = await ada.client.messages.create(space.lounge, { content: `<@${bob.id}>` })
  const message = await ada.client.messages.get(space.lounge, id)
  const [user] = message.mentions
  assert.ok(user)
  const counted = { reads: 0 }
  const watched = Object.defineProperty({ ...user }, 'username', {
    get: () => {
      counted.reads += 1
      return user.username
    },
  })
  const messages = Array.from({ length: count }, () => ({ ...message, mentions: [watched] }))
  return { messages, counted, expected: Array.from({ length: count }, () => message) }
}

test('MESSAGE-20: a user mentioned by every message of a page is encoded once', async () => {
  const { messages, counted, expected } = await manyMentions(100)
  assert.deepEqual(JSON.parse(String(await encodeMessages(messages))), expected)
  assert.equal(counted.reads, 1)
})

test('MESSAGE-20: the event loop gets turns while a long page is encoded', async () => {
  const { messages } = await manyMentions(20)
  const countTurns = async (content: string) => {
    let turns = 0
    let isOver = false
    const encoding = encodeMessages(messages.map((message) => ({ ...message, content }))).finally(() => {
      isOver = true
    })
    while (!isOver) {
      await nextTurn()
      turns += 1
    }
    await encoding
    return turns
  }
  assert.ok((await countTurns('short')) <= 2)
  assert.ok((await countTurns('x'.repeat(64 * 1024))) >= 20)
})
