import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConversationType } from '@foyer/protocol/conversations'
import { reduceEvent } from '#src/store/reducers.ts'
import { sampleReady, sampleUser } from '#src/store/samples.ts'
import { initialState, type State } from '#src/store/state.ts'
import { callNotice, ringChanges, ringingIn } from './call-notices.ts'

const TIME = '2026-01-01T00:00:00.000Z'
const call = { conversation_id: 'talk', initiator_id: 'mira', ringing: ['me'], started_at: TIME }

test('a call is announced when it starts to ring, until it is answered elsewhere or ends', () => {
  const quiet = talking()
  const rings = reduceEvent(quiet, 'CALL_CREATE', call, 0)
  const answered = reduceEvent(rings, 'CALL_UPDATE', { ...call, ringing: [] }, 0)
  const ended = reduceEvent(rings, 'CALL_DELETE', { conversation_id: 'talk' }, 0)
  assert.deepEqual(ringChanges(rings, quiet), { begun: ['talk'], ended: [] })
  assert.deepEqual(ringChanges(answered, rings), { begun: [], ended: ['talk'] })
  assert.deepEqual(ringChanges(ended, rings), { begun: [], ended: ['talk'] })
  assert.deepEqual(ringChanges(ended, answered), { begun: [], ended: [] })
})

test('a call that only rings for others is not announced', () => {
  const others = reduceEvent(talking(), 'CALL_CREATE', { ...call, ringing: ['jonas'] }, 0)
  assert.equal(ringingIn(others, 'talk'), undefined)
  assert.deepEqual(ringChanges(others, talking()).begun, [])
})

test('the notification of a call names the caller and the group, and has the tag of its push', () => {
  const { title, body, tag, url } = callNotice(talking(), call)
  assert.deepEqual([title, body, tag, url], ['mira', 'is calling you', 'call-talk', '/conversations/talk'])
  assert.equal(callNotice(talking('Hikers'), call).title, 'mira (Hikers)')
  assert.equal(callNotice(talking(), { ...call, initiator_id: 'nobody' }).title, 'Incoming call')
})

/** @param name the name of the group; null for a direct message */
function talking(name: string | null = null): State {
  const conversation = {
    id: 'talk',
    type: name === null ? ConversationType.Direct : ConversationType.Group,
    name,
    icon: null,
    owner_id: null,
    recipients: [sampleUser('me'), sampleUser('mira')],
    last_message_id: null,
    last_seq: 0,
    created_at: TIME,
  }
  return reduceEvent(initialState, 'READY', sampleReady({ conversations: [conversation] }), 0)
}
