import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleMessage, sampleUser } from '#src/store/samples.ts'
import type { OutgoingMessage } from '#src/store/state.ts'
import { timelineRows } from './rows.ts'

const mine = sampleUser('me')
const options = { outgoing: [], myId: 'me', unread: null }

test('messages by one author within a short time are grouped under one name', () => {
  const messages = [
    at(1, '12:00:00'),
    at(2, '12:06:00'),
    at(3, '12:14:00'),
    { ...at(4, '12:14:10'), author: mine },
    { ...at(5, '12:14:20'), author: mine },
  ]
  assert.deepEqual(shape(timelineRows({ ...options, messages })), ['day', '1', '+2', '3', '4', '+5'])
})

test('a new day starts with a divider and a name', () => {
  const messages = [at(1, '12:00:00', '01'), at(2, '12:00:00', '03')]
  assert.deepEqual(shape(timelineRows({ ...options, messages })), ['day', '1', 'day', '2'])
})

test('the unread divider comes before the first unread message of others', () => {
  const messages = [
    at(1, '12:00:00'),
    { ...at(2, '12:00:01'), author: mine },
    at(3, '12:00:02'),
    at(4, '12:00:03'),
  ]
  assert.deepEqual(
    shape(timelineRows({ ...options, messages, unread: { afterSeq: 1, count: 0, isBeyond: false } })),
    ['day', '1', '2', 'new', '3', '+4'],
  )
  assert.equal(
    shape(
      timelineRows({ ...options, messages, unread: { afterSeq: 4, count: 0, isBeyond: false } }),
    ).includes('new'),
    false,
  )
})

test('queued messages come last, grouped under the user’s own name', () => {
  const outgoing: OutgoingMessage = {
    nonce: 'n',
    channel: 'room',
    options: {},
    content: 'hi',
    upload_ids: [],
    stickers: [],
    created_at: '2026-01-01T12:01:00.000Z',
    status: 'sending',
    error: null,
  }
  const others = timelineRows({ ...options, messages: [at(1, '12:00:00')], outgoing: [outgoing] })
  const own = timelineRows({
    ...options,
    messages: [{ ...at(1, '12:00:00'), author: mine }],
    outgoing: [outgoing],
  })
  assert.deepEqual(shape(others).at(-1), 'n')
  assert.deepEqual(shape(own).at(-1), '+n')
})

test('a reply starts a new group, and so does a webhook with another name', () => {
  const channel = { room_id: 'room', conversation_id: null, space_id: 'space' }
  const answer = { ...at(2, '12:00:10'), reference: { type: 0, message_id: '1', ...channel } }
  assert.deepEqual(shape(timelineRows({ ...options, messages: [at(1, '12:00:00'), answer] })), [
    'day',
    '1',
    '2',
  ])
  const by = (seq: number, username: string) => ({
    ...at(seq, '12:00:00'),
    webhook_id: 'hook',
    author: sampleUser('hook', { username }),
  })
  const hooks = [by(1, 'Build'), by(2, 'Build'), by(3, 'Deploy')]
  assert.deepEqual(shape(timelineRows({ ...options, messages: hooks })), ['day', '1', '+2', '3'])
})

function at(seq: number, time: string, day = '01') {
  return sampleMessage(seq, { created_at: `2026-01-${day}T${time}.000Z` })
}

function shape(rows: ReturnType<typeof timelineRows>): string[] {
  return rows.map((row) => {
    if (row.kind === 'day' || row.kind === 'new' || row.kind === 'blocked') return row.kind
    const mark = row.grouped ? '+' : ''
    return mark + (row.kind === 'message' ? row.message.seq : row.message.nonce)
  })
}
