import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reduceEvent } from '#src/store/reducers.ts'
import { sampleMessage, sampleReady, sampleRoom, sampleSpace } from '#src/store/samples.ts'
import { initialState } from '#src/store/state.ts'
import { listedRooms } from './listed-rooms.ts'

test('a message changes none of 500 listed rooms, a new name changes one', () => {
  const rooms = Array.from({ length: 500 }, (_, place) => sampleRoom(`r${place}`, { position: place }))
  const spaces = [sampleSpace('space', { rooms }), sampleSpace('other', { rooms: [] })]
  const state = reduceEvent(initialState, 'READY', sampleReady({ spaces }), 0)
  const pick = listedRooms('space')
  const before = pick(state.rooms)
  assert.equal(Object.keys(before).length, 500)
  const counted = reduceEvent(state, 'MESSAGE_CREATE', sampleMessage(7, { room_id: 'r7' }), 0)
  assert.notEqual(counted.rooms, state.rooms, 'the message is counted')
  assert.equal(pick(counted.rooms), before)
  const elsewhere = reduceEvent(counted, 'ROOM_CREATE', sampleRoom('far', { space_id: 'other' }), 0)
  assert.equal(pick(elsewhere.rooms), before)
  const renamed = reduceEvent(elsewhere, 'ROOM_UPDATE', sampleRoom('r7', { name: 'new', position: 7 }), 0)
  const after = pick(renamed.rooms)
  const changed = Object.keys(after).filter((id) => after[id] !== before[id])
  assert.deepEqual([changed, after.r7?.name], [['r7'], 'new'])
  const gone = reduceEvent(renamed, 'ROOM_DELETE', { space_id: 'space', room_id: 'r7' }, 0)
  assert.equal(Object.keys(pick(gone.rooms)).length, 499)
})

test('FOLLOW-20: a room that begins or ceases to announce changes in the list', () => {
  const ready = sampleReady({ spaces: [sampleSpace('space', { rooms: [sampleRoom('news')] })] })
  const state = reduceEvent(initialState, 'READY', ready, 0)
  const pick = listedRooms('space')
  assert.equal(pick(state.rooms).news?.announces, undefined)
  const announcing = reduceEvent(state, 'ROOM_UPDATE', sampleRoom('news', { announces: true }), 0)
  assert.equal(pick(announcing.rooms).news?.announces, true)
  const quiet = reduceEvent(announcing, 'ROOM_UPDATE', sampleRoom('news'), 0)
  assert.equal(pick(quiet.rooms).news?.announces, undefined)
})
