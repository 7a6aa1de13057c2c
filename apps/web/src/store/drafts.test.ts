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

test('WEB-9: drafts and queued messages stay when access to their channel is lost', () => {
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

test('WEB-9: drafts and queued messages of a deleted room and its threads are removed, and no others', () => {
  const { drafts, outbox } = reduceLocal(drafted, 'channel_deleted', { channel_id: 'room' }, 0)
  assert.deepEqual([Object.keys(drafts), Object.keys(outbox)], [['direct'], ['direct']])
})

test('drafts and queued messages are removed for another user', () => {
  const other = sampleReady({ user: { ...sampleReady().user, id: 'other' } })
  for (const state of [reduceLocal(drafted, 'signed_out', null, 0), reduceEvent(drafted, 'READY', other, 0)])
    assert.deepEqual([state.drafts, state.outbox], [{}, {}])
})

test('drafts of an earlier session are restored, except where newer ones exist', () => {
  const kept = {
    room: { content: 'old', named: {}, reply: null },
    gone: { content: 'x', named: {}, reply: null },
  }
  const { drafts } = reduceLocal(drafted, 'drafts_restored', kept, 0)
  assert.deepEqual([drafts.room?.content, drafts.gone?.content], ['begun', 'x'])
})
