import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Conversation, ConversationType } from '@foyer/protocol/conversations'
import { MessageType } from '@foyer/protocol/messages'
import type { Call } from '@foyer/protocol/voice'
import { reduceEvent } from './reducers.ts'
import { sampleMessage, sampleReady, sampleUser } from './samples.ts'
import { initialState, type State } from './state.ts'

const TIME = '2026-01-01T00:00:00.000Z'
const conversation: Conversation = {
  id: 'direct',
  type: ConversationType.Direct,
  name: null,
  icon: null,
  owner_id: null,
  recipients: [sampleUser('me'), sampleUser('mira')],
  last_message_id: null,
  last_seq: 0,
  created_at: TIME,
}
const call: Call = { conversation_id: 'direct', initiator_id: 'mira', ringing: ['me'], started_at: TIME }
const ready = sampleReady({
  conversations: [conversation],
  calls: [call],
  read_states: [{ room_id: null, conversation_id: 'direct', last_read_seq: 0, ...counts(0) }],
})
const state = reduceEvent(initialState, 'READY', ready, 0)

function counts(unread: number) {
  return { unread_count: unread, mention_count: 0 }
}

function unread({ readStates }: State): number | undefined {
  return readStates.direct?.unread_count
}

test('a call comes with READY, follows its updates, and is removed when it ends', () => {
  assert.deepEqual(state.calls, { direct: call })
  const answered = reduceEvent(state, 'CALL_UPDATE', { ...call, ringing: [] }, 0)
  assert.deepEqual(answered.calls.direct?.ringing, [])
  const ended = reduceEvent(answered, 'CALL_DELETE', { conversation_id: 'direct' }, 0)
  assert.deepEqual(ended.calls, {})
  assert.deepEqual(reduceEvent(ended, 'CALL_CREATE', call, 0).calls, { direct: call })
})

test('a removed conversation removes its call, and READY replaces all calls', () => {
  const closed = reduceEvent(state, 'CONVERSATION_DELETE', { conversation_id: 'direct' }, 0)
  assert.deepEqual(closed.calls, {})
  assert.deepEqual(reduceEvent(state, 'READY', { ...ready, calls: [] }, 0).calls, {})
})

test('a call that the user took part in is read if nothing else is unread; a missed call is not', () => {
  const place = { room_id: null, space_id: null, conversation_id: 'direct', author: sampleUser('mira') }
  const withCallMessage = (before: State, seq: number, ...participants: string[]) => {
    const record = { started_at: TIME, ended_at: TIME, participant_ids: participants }
    const message = sampleMessage(seq, { ...place, type: MessageType.Call, call: record })
    return reduceEvent(before, 'MESSAGE_CREATE', message, 0)
  }
  assert.equal(unread(withCallMessage(state, 1, 'mira', 'me')), 0)
  assert.equal(unread(withCallMessage(state, 1, 'mira')), 1)
  const behind = reduceEvent(state, 'MESSAGE_CREATE', sampleMessage(1, place), 0)
  assert.equal(unread(withCallMessage(behind, 2, 'mira', 'me')), 2)
})
