import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reduceEvent } from '#src/store/reducers.ts'
import { sampleMessage, sampleReady, sampleRoom, sampleSpace } from '#src/store/samples.ts'
import { initialState } from '#src/store/state.ts'
import { roomSigns } from './room-signs.ts'

const FOREVER = '9999-12-31T23:59:59.999Z'

test('markers show unread and muted rooms, and the others keep theirs', () => {
  const rooms = ['a', 'b', 'c'].map((id, position) => sampleRoom(id, { position }))
  const state = reduceEvent(
    initialState,
    'READY',
    sampleReady({ spaces: [sampleSpace('space', { rooms })] }),
    0,
  )
  const read = roomSigns(state.rooms)
  const none = read(state)
  assert.deepEqual(none, {})
  const counted = reduceEvent(state, 'MESSAGE_CREATE', sampleMessage(1, { room_id: 'b' }), 0)
  const one = read(counted)
  assert.deepEqual(one, { b: { isUnread: true, mentions: 0, isMuted: false } })
  const again = reduceEvent(counted, 'MESSAGE_CREATE', sampleMessage(2, { room_id: 'b' }), 0)
  assert.notEqual(again.readStates, counted.readStates, 'it is counted')
  assert.equal(read(again), one, 'and shows nothing else')
  const setting = { scope: 'room', id: 'c', level: null, muted_until: FOREVER } as const
  const muted = read(reduceEvent(again, 'NOTIFICATION_SETTING_UPDATE', setting, 0))
  assert.deepEqual(muted.c, { isUnread: false, mentions: 0, isMuted: true })
})
