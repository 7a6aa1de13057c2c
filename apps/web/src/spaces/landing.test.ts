import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import { sampleRoom } from '#src/store/samples.ts'
import { newRoomCategory } from './landing.ts'

const rooms = Object.fromEntries(
  [
    sampleRoom('loose', { position: 0 }),
    sampleRoom('texts', { type: RoomType.Category, position: 1 }),
    sampleRoom('general', { parent_id: 'texts', position: 2 }),
    sampleRoom('voices', { type: RoomType.Category, position: 3 }),
    sampleRoom('lounge', { parent_id: 'voices', type: RoomType.Voice, position: 4 }),
  ].map((room) => [room.id, room]),
)
const spaceId = rooms.general?.space_id ?? ''

test('a new room starts in the category of the current room', () => {
  assert.equal(newRoomCategory(rooms, spaceId, 'lounge'), 'voices')
  assert.equal(newRoomCategory(rooms, spaceId, 'general'), 'texts')
  assert.equal(newRoomCategory(rooms, spaceId, 'loose'), null)
})

test('without a current room, it starts in the first category', () => {
  assert.equal(newRoomCategory(rooms, spaceId, null), 'texts')
  assert.equal(newRoomCategory(rooms, 'other', 'general'), null)
})
