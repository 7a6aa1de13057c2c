import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reduceEvent } from '#src/store/reducers.ts'
import { sampleMessage, sampleReady, sampleRoom, sampleSpace } from '#src/store/samples.ts'
import { initialState } from '#src/store/state.ts'
import { neighbourPath, spacePath, unreadPath } from './neighbours.ts'

const rooms = ['a', 'b', 'c'].map((id, position) => sampleRoom(id, { position }))
const other = sampleSpace('other', { rooms: [sampleRoom('z', { space_id: 'other' })] })
const ready = sampleReady({ spaces: [sampleSpace('space', { rooms }), other] })
const quiet = reduceEvent(initialState, 'READY', ready, 0)
const inC = sampleMessage(1, { room_id: 'c', space_id: 'space' })
const state = reduceEvent(quiet, 'MESSAGE_CREATE', inC, 0)
const [a, b, c] = ['a', 'b', 'c'].map((id) => `/spaces/space/rooms/${id}`)

test('rooms follow each other as listed, and wrap around at the ends', () => {
  assert.equal(neighbourPath(state, a ?? '', 'down'), b)
  assert.equal(neighbourPath(state, `${a}/message`, 'down'), b)
  assert.equal(neighbourPath(state, a ?? '', 'up'), c)
})

test('the next unread room is found from anywhere, and none if nothing is unread', () => {
  for (const here of [a ?? '', '/home', '/spaces/other/rooms/z']) {
    assert.equal(unreadPath(state, here, 'down'), c)
    assert.equal(unreadPath(state, here, 'up'), c)
  }
  assert.equal(unreadPath(quiet, a ?? '', 'down'), undefined)
})

test('spaces follow each other, with home above the first', () => {
  assert.equal(spacePath(state, '/home', 'up'), '/spaces/space')
  assert.equal(spacePath(state, a ?? '', 'up'), '/spaces/other')
  assert.equal(spacePath(state, '/conversations/x', 'down'), '/spaces/other')
})
