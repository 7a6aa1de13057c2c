import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { sampleRoom, sampleSpace } from '#src/store/samples.ts'
import { listRoomIn, listRoomOf } from './list-room.ts'

const { SendMessages, ViewChannels } = Permission

const overwrite = (room_id: string, target_id: string, allow_flags: number, deny_flags = 0) => ({
  room_id,
  target_id,
  target_type: OverwriteTarget.Role,
  allow_flags,
  allow_capabilities: 0,
  deny_capabilities: 0,
  deny_flags,
})

test('LIST-14: rooms with the same viewers share a list, and rooms that everyone views use the list of the space', () => {
  const overwrites = [
    overwrite('c', 'space', 0, ViewChannels),
    overwrite('c', 'crew', ViewChannels),
    overwrite('b', 'crew', ViewChannels | SendMessages),
    overwrite('b', 'space', 0, ViewChannels),
    overwrite('a', 'space', 0, ViewChannels),
    overwrite('quiet', 'space', 0, SendMessages),
  ]
  const ids = ['a', 'b', 'c', 'quiet', 'open']
  const rooms = Object.fromEntries(ids.map((id) => [id, sampleRoom(id)]))
  const space = sampleSpace('space', { overwrites })
  assert.deepEqual(
    ids.map((id) => listRoomOf(space, rooms, id)),
    ['a', 'b', 'b', null, null],
  )
  const { b: _gone, ...left } = rooms
  assert.equal(listRoomOf(space, left, 'c'), 'c', 'a deleted room is ignored')
  const closed = sampleSpace('space', { roles: space.roles.map((role) => ({ ...role, permissions: 0 })) })
  assert.deepEqual(
    ['quiet', 'open'].map((id) => listRoomOf(closed, rooms, id)),
    ['a', 'a'],
  )
})

test('LIST-14: a message recomputes nothing, a new or deleted room does', () => {
  const hidden = ['b', 'c'].map((id) => overwrite(id, 'space', 0, ViewChannels))
  let looks = 0
  const space = {
    ...sampleSpace('space'),
    get overwrites() {
      looks += 1
      return hidden
    },
  }
  const spaces = { space }
  const rooms = { b: sampleRoom('b'), c: sampleRoom('c') }
  const listRoom = listRoomIn('space', 'c')
  assert.equal(listRoom({ spaces, rooms }), 'b')
  const before = looks
  assert.ok(before > 0)
  assert.equal(listRoom({ spaces, rooms: { ...rooms, b: { ...rooms.b, last_seq: 7 } } }), 'b')
  assert.equal(looks, before)
  assert.equal(listRoom({ spaces, rooms: { c: rooms.c } }), 'c')
  assert.equal(listRoom({ spaces: { space: sampleSpace('space') }, rooms }), null)
  assert.equal(listRoom({ spaces: {}, rooms }), null)
})
