import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListMessagesQuery, Message } from '@foyer/protocol/messages'
import { sampleMessage } from '#src/store/samples.ts'
import { findUnread, type Lister } from './find-unread.ts'

const START = Date.UTC(2026, 0, 1)
const room = idAt(START, 0)

/** Answers like the server: messages on both sides of the anchor, which need not exist, newest first. */
function serverWith(messages: readonly Message[]) {
  let asked = 0
  const list = async (_channel: unknown, { around = '', limit = 0 }: ListMessagesQuery = {}) => {
    asked += 1
    const older = messages.filter(({ id }) => id < around).slice(-limit / 2)
    const newer = messages.filter(({ id }) => id >= around).slice(0, limit / 2)
    return [...older, ...newer].reverse()
  }
  const client: Lister = { messages: { list } }
  return { client, asked: () => asked }
}

/** Messages sent at these times, numbered from 1. */
function messagesAt(times: readonly number[]): Message[] {
  return times.map((time, index) => sampleMessage(index + 1, { id: idAt(time, index + 1) }))
}

function idAt(time: number, number: number): string {
  const hex = time.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${String(number).padStart(12, '0')}`
}

const evenly = Array.from({ length: 5000 }, (_, index) => START + index * 60_000)
/** All but 50 messages within one hour, a year later. */
const inBursts = evenly.map((time, index) => (index < 50 ? time : START + 31_536_000_000 + index * 700))

for (const [name, times] of [
  ['evenly', evenly],
  ['in bursts', inBursts],
] as const) {
  for (const lastRead of [0, 1, 30, 49, 50, 51, 2500, 4890]) {
    test(`the first unread message after ${lastRead} messages sent ${name} is found`, async () => {
      const messages = messagesAt(times)
      const { client, asked } = serverWith(messages)
      const unread = messages[4900]
      assert.ok(unread)
      const page = await findUnread(client, room, { lastRead, unread })
      assert.ok(page?.some(({ seq }) => seq === lastRead + 1))
      assert.ok(asked() <= 16, `${asked()} requests`)
    })
  }
}

test('the last read message and those after it may be deleted', async () => {
  const messages = messagesAt(evenly).filter(({ seq }) => seq < 100 || seq > 700)
  const unread = messages.at(-1)
  assert.ok(unread)
  const page = await findUnread(serverWith(messages).client, room, { lastRead: 300, unread })
  assert.ok(page?.some(({ seq }) => seq === 701))
})

test('the search gives up if the ids have no usable times', async () => {
  const messages = messagesAt(evenly.map(() => START))
  const { client, asked } = serverWith(messages)
  const unread = messages[4900]
  assert.ok(unread)
  assert.equal(await findUnread(client, room, { lastRead: 2500, unread }), undefined)
  assert.equal(asked(), 16)
})
