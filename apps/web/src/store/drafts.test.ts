import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConversationType } from '@foyer/protocol/conversations'
import { reduceEvent, reduceLocal } from './reducers.ts'
import { sampleReady, sampleSpace } from './samples.ts'
import { initialState, type State } from './state.ts'

const direct = {
  id: 'direct',
  type: ConversationType.Direct,
  name: null,
  icon: null,
  owner_id: null,
  recipients: [],
  last_message_id: null,
  last_seq: 0,
  created_at: '2026-01-01T00:00:00.000Z',
}

const begun = ['room', 'room thread', 'direct'].reduce(
  (state: State, channel_id) => reduceLocal(state, 'draft_changed', { channel_id, content: 'begun' }, 0),
  reduceEvent(initialState, 'READY', sampleReady({ conversations: [direct] }), 0),
)
const waiting = {
  nonce: 'nonce',
  content: 'tea',
  options: {},
  upload_ids: [],
  stickers: [],
  created_at: '2026-01-01T00:00:00.000Z',
  status: 'waiting',
  error: null,
} as const

const drafted = ['room', { conversation: 'direct' }].reduce(
  (state: State, channel) => reduceLocal(state, 'message_queued', { ...waiting, channel }, 0),
  begun,
)

test('WEB-9: what was begun or not sent stays when its channel is out of sight, which may come back', () => {
  for (const state of [
    reduceEvent(drafted, 'ROOM_DELETE', { space_id: 'space', room_id: 'room' }, 0),
    reduceEvent(drafted, 'CONVERSATION_DELETE', { conversation_id: 'direct' }, 0),
    reduceEvent(drafted, 'SPACE_CREATE', sampleSpace('space', { rooms: [] }), 0),
    reduceEvent(drafted, 'SPACE_DELETE', { space_id: 'space' }, 0),
    reduceEvent(drafted, 'READY', sampleReady({ spaces: [] }), 0),
  ]) {
    assert.ok(!('room' in state.rooms && 'direct' in state.conversations))
    assert.equal(state.drafts, drafted.drafts)
    assert.equal(state.outbox, drafted.outbox)
  }
})

test('WEB-9: what was begun or not sent in a room that was deleted is gone, in its threads too, and nowhere else', () => {
  const { drafts, outbox } = reduceLocal(drafted, 'channel_deleted', { channel_id: 'room' }, 0)
  assert.deepEqual([Object.keys(drafts), Object.keys(outbox)], [['direct'], ['direct']])
})

test('what was begun or not sent is for nobody else', () => {
  const other = sampleReady({ user: { ...sampleReady().user, id: 'other' } })
  for (const state of [reduceLocal(drafted, 'signed_out', null, 0), reduceEvent(drafted, 'READY', other, 0)])
    assert.deepEqual([state.drafts, state.outbox], [{}, {}])
})

test('what was kept of an earlier session is there again, but for what was written since', () => {
  const kept = {
    room: { content: 'old', named: {}, reply: null },
    gone: { content: 'x', named: {}, reply: null },
  }
  const { drafts } = reduceLocal(drafted, 'drafts_restored', kept, 0)
  assert.deepEqual([drafts.room?.content, drafts.gone?.content], ['begun', 'x'])
})
