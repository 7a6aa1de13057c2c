import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import type { RoomOverwrite } from '@foyer/protocol/roles'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import type { SpaceState } from '@foyer/protocol/spaces'
import { reduceEvent } from '#src/store/reducers.ts'
import { sampleReady, sampleRoom, sampleSpace } from '#src/store/samples.ts'
import { initialState } from '#src/store/state.ts'
import { followTargets } from './follow-targets.ts'

const mine = { owner_id: 'me' }
const inMine = (id: string, change: Partial<Room> = {}) => sampleRoom(id, { space_id: 'mine', ...change })

function targetsOf(...spaces: SpaceState[]) {
  const state = reduceEvent(initialState, 'READY', sampleReady({ spaces }), 0)
  return followTargets(state, 'news').map(({ space, rooms }) => [space.id, ...rooms.map(({ id }) => id)])
}

test('FOLLOW-22: text rooms of spaces whose webhooks the user manages can follow, without the room itself', () => {
  const rooms = [
    inMine('news', { announces: true, position: 0 }),
    inMine('late', { position: 9 }),
    inMine('early', { position: 1 }),
    inMine('other-news', { announces: true, position: 10 }),
    inMine('voice', { type: RoomType.Voice }),
    inMine('forum', { type: RoomType.Forum }),
    inMine('category', { type: RoomType.Category }),
  ]
  const foreign = sampleSpace('foreign', { rooms: [sampleRoom('there', { space_id: 'foreign' })] })
  assert.deepEqual(targetsOf(sampleSpace('mine', { ...mine, rooms }), foreign), [
    ['mine', 'early', 'late', 'other-news'],
  ])
})

test('FOLLOW-22: a frozen space is not offered, nor one without a text room', () => {
  const frozen = sampleSpace('frozen', {
    ...mine,
    frozen_at: '2026-01-02T00:00:00.000Z',
    rooms: [sampleRoom('cold', { space_id: 'frozen' })],
  })
  assert.deepEqual(targetsOf(frozen, sampleSpace('empty', mine)), [])
})

test('FOLLOW-22: a room in which overwrites take the rights to manage webhooks or to write is not offered', () => {
  const space = sampleSpace('mine', {
    rooms: ['open', 'unmanaged', 'silent'].map((id, position) => inMine(id, { position })),
    overwrites: [
      denied('unmanaged', Permission.ManageSpaceWebhooks),
      denied('silent', Permission.SendMessages),
    ],
  })
  const { ManageSpaceWebhooks } = Permission
  const roles = space.roles.map((role) => ({ ...role, permissions: role.permissions | ManageSpaceWebhooks }))
  assert.deepEqual(targetsOf({ ...space, roles }), [['mine', 'open']])
})

function denied(roomId: string, flags: number): RoomOverwrite {
  return {
    room_id: roomId,
    target_id: 'mine',
    target_type: OverwriteTarget.Role,
    allow_flags: 0,
    deny_flags: flags,
    allow_capabilities: 0,
    deny_capabilities: 0,
  }
}
