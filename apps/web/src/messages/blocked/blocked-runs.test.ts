import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConversationType } from '@foyer/protocol/conversations'
import type { Message } from '@foyer/protocol/messages'
import { blockedIn } from '#src/store/friends.ts'
import { reduceEvent } from '#src/store/reducers.ts'
import { sampleMessage, sampleReady, sampleUser } from '#src/store/samples.ts'
import { initialState } from '#src/store/state.ts'
import { type Row, timelineRows } from '../timeline/rows.ts'
import { foldBlocked } from './blocked-runs.ts'

const since = '2026-01-01T00:00:00.000Z'
const blocks = { rude: { user: sampleUser('rude'), since }, loud: { user: sampleUser('loud'), since } }
const messages = [
  messageBy(1, 'kind'),
  messageBy(2, 'rude'),
  messageBy(3, 'loud'),
  messageBy(4, 'kind'),
  messageBy(5, 'rude'),
  messageBy(6, 'me'),
]

test('FRIEND-17: consecutive messages of blocked people are one row', () => {
  assert.deepEqual(shape(new Set()), ['day', '1', '(2 3)', '4', '(5)', '6'])
  assert.deepEqual(shape(new Set(), {}), ['day', '1', '2', '3', '4', '5', '6'])
})

test('FRIEND-17: a requested message expands its whole run below its row', () => {
  assert.deepEqual(shape(new Set(['message-3'])), ['day', '1', '[2 3]', '2', '3', '4', '(5)', '6'])
})

test('FRIEND-17: the unread divider splits a run', () => {
  const unread = { afterSeq: 2, count: 4, isBeyond: false }
  const rows = timelineRows({ messages, outgoing: [], myId: 'me', unread })
  assert.deepEqual(foldBlocked(rows, blocks, new Set()).map(nameOf).slice(1, 5), ['1', '(2)', 'new', '(3)'])
})

test('FRIEND-17: a run that grows or merges keeps its key, and its halves have two keys', () => {
  const keys = new Map<string, string>()
  const all = [1, 2, 3, 4, 5].map((seq) => messageBy(seq, 'rude'))
  const rowsOf = (shown: readonly Message[], afterSeq: number | null = null) => {
    const unread = afterSeq === null ? null : { afterSeq, count: 1, isBeyond: false }
    const rows = timelineRows({ messages: shown, outgoing: [], myId: 'me', unread })
    return foldBlocked(rows, blocks, new Set(), keys).flatMap(({ kind, key }) =>
      kind === 'blocked' ? [key] : [],
    )
  }
  const [first] = rowsOf(all.slice(2, 4))
  for (const more of [all.slice(1, 4), all.slice(1), all]) assert.deepEqual(rowsOf(more), [first])
  for (const afterSeq of [1, 2, 3]) assert.equal(new Set(rowsOf(all, afterSeq)).size, 2)
  assert.deepEqual(rowsOf(all), [first])
})

test('FRIEND-17: nothing is collapsed in a direct conversation with a blocked user', () => {
  const conversation = (id: string, type: number) => ({
    id,
    type,
    name: null,
    icon: null,
    owner_id: null,
    recipients: [],
    last_message_id: null,
    last_seq: 0,
    created_at: since,
  })
  const conversations = [
    conversation('group', ConversationType.Group),
    conversation('two', ConversationType.Direct),
  ]
  const ready = sampleReady({ conversations, blocks: Object.values(blocks) })
  const state = reduceEvent(initialState, 'READY', ready, 0)
  const counts = ['room', 'group', 'two'].map((id) => Object.keys(blockedIn(state, id)).length)
  assert.deepEqual(counts, [2, 2, 0])
})

function messageBy(seq: number, author: string): Message {
  return sampleMessage(seq, { author: sampleUser(author) })
}

function shape(wanted: ReadonlySet<string>, blocked: Parameters<typeof foldBlocked>[1] = blocks): string[] {
  const rows = timelineRows({ messages, outgoing: [], myId: 'me', unread: null })
  return foldBlocked(rows, blocked, wanted).map(nameOf)
}

function nameOf(row: Row): string {
  if (row.kind === 'message') return `${row.message.seq}`
  if (row.kind !== 'blocked') return row.kind
  const seqs = row.messages.map(({ seq }) => seq).join(' ')
  return row.isShown ? `[${seqs}]` : `(${seqs})`
}
