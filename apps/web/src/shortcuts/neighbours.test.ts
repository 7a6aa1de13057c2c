import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reduceEvent, reduceLocal } from '#src/store/reducers.ts'
import { sampleMessage, sampleReady, sampleRoom, sampleSpace, sampleThread } from '#src/store/samples.ts'
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

test('the listed threads of a room follow it, and the open one does even if it is not followed', () => {
  const own = { follow: null, read_seq: 0, unread_count: 0, mention_count: 0 }
  const inA = { room_id: 'a', active_at: new Date().toISOString() }
  const threads = [sampleThread('t', inA), sampleThread('u', { ...inA, own })]
  const threaded = reduceLocal(quiet, 'threads_loaded', threads, 0)
  const [t, u] = ['t', 'u'].map((id) => `/spaces/space/rooms/${id}`)
  assert.equal(neighbourPath(threaded, a ?? '', 'down'), t)
  assert.equal(neighbourPath(threaded, t ?? '', 'down'), b)
  assert.equal(neighbourPath(threaded, u ?? '', 'down'), b)
  assert.equal(neighbourPath(threaded, `${u}/message`, 'up'), t)
  const inThread = sampleMessage(1, { room_id: 't', parent_room_id: 'a', space_id: 'space' })
  const unread = reduceEvent(threaded, 'MESSAGE_CREATE', inThread, 0)
  for (const here of [b ?? '', '/home', u ?? '']) assert.equal(unreadPath(unread, here, 'down'), t)
})

test('spaces follow each other, with home above the first', () => {
  assert.equal(spacePath(state, '/home', 'up'), '/spaces/space')
  assert.equal(spacePath(state, a ?? '', 'up'), '/spaces/other')
  assert.equal(spacePath(state, '/conversations/x', 'down'), '/spaces/other')
})
