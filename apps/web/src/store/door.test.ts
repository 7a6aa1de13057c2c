import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isClosedBySensor, sortedWaitingSpaces } from './door.ts'
import { reduceEvent } from './reducers.ts'
import { sampleDoor, sampleReady, sampleSpace, sampleWaitingSpace } from './samples.ts'
import { initialState, type State } from './state.ts'

const CLOSED = '2026-03-01T10:00:00.000Z'

test('DOOR-40: READY replaces the spaces that the user waits for', () => {
  const waiting = sampleWaitingSpace('club')
  const state = ready({ waiting_spaces: [waiting] })
  assert.deepEqual(state.waitingSpaces, { club: waiting })
  assert.deepEqual(reduceEvent(state, 'READY', sampleReady(), 0).waitingSpaces, {})
})

test('DOOR-40: a space is waited for until its event, or until the user is a member', () => {
  const waiting = sampleWaitingSpace('club')
  const asked = reduceEvent(ready(), 'WAITING_SPACE_CREATE', waiting, 0)
  assert.deepEqual(asked.waitingSpaces, { club: waiting })
  assert.deepEqual(reduceEvent(asked, 'WAITING_SPACE_DELETE', { space_id: 'club' }, 0).waitingSpaces, {})
  assert.deepEqual(reduceEvent(asked, 'SPACE_CREATE', sampleSpace('other'), 0).waitingSpaces, {
    club: waiting,
  })
  assert.deepEqual(reduceEvent(asked, 'SPACE_CREATE', sampleSpace('club'), 0).waitingSpaces, {})
})

test('DOOR-40: spaces that are waited for are in the order in which the waiting began', () => {
  const later = sampleWaitingSpace('a', { waiting_since: '2026-02-01T00:00:00.000Z' })
  const first = sampleWaitingSpace('b')
  assert.deepEqual(sortedWaitingSpaces({ a: later, b: first }), [first, later])
})

test('DOOR-41: a door is kept with its space, and the space knows whether it is closed', () => {
  const door = sampleDoor({ closed_at: CLOSED, cause: 'joins', newcomers: 3 })
  const closed = reduceEvent(ready(), 'SPACE_DOOR_UPDATE', door, 0)
  assert.deepEqual([closed.doors, closed.spaces.space?.door_closed_at], [{ space: door }, CLOSED])
  const opened = reduceEvent(closed, 'SPACE_DOOR_UPDATE', sampleDoor({ newcomers: 3 }), 0)
  assert.deepEqual([opened.doors.space?.newcomers, opened.spaces.space?.door_closed_at], [3, null])
  assert.deepEqual(reduceEvent(closed, 'SPACE_DELETE', { space_id: 'space' }, 0).doors, {})
  assert.deepEqual(reduceEvent(closed, 'READY', sampleReady(), 0).doors, {})
  const foreign = sampleDoor({ space_id: 'left' })
  assert.equal(reduceEvent(closed, 'SPACE_DOOR_UPDATE', foreign, 0), closed)
})

test('DOOR-41: the sensor closes a door because of joins or messages', () => {
  const cause = (name: 'joins' | 'messages' | 'moderator') =>
    isClosedBySensor(sampleDoor({ closed_at: CLOSED, cause: name }))
  assert.deepEqual([cause('joins'), cause('messages'), cause('moderator')], [true, true, false])
  assert.equal(isClosedBySensor(sampleDoor()), false)
})

function ready(change = {}): State {
  return reduceEvent(initialState, 'READY', sampleReady(change), 0)
}
