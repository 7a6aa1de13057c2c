import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_PERMISSIONS, OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import type { RightName } from '@foyer/protocol/rights'
import { RoomType } from '@foyer/protocol/rooms'
import { countsIn, explainHere } from './space-wide.ts'

const { ViewChannels, SendMessages, ChangeNickname } = Permission
const subject = {
  userId: 'kim',
  ownerId: 'owner',
  spaceId: 'space',
  roles: [{ id: 'space', permissions: DEFAULT_PERMISSIONS }],
}

test('overwrites deny permissions used in the room, not those of the whole space', () => {
  const deny = (flags: number) => [
    { target_id: 'space', target_type: OverwriteTarget.Role, allow_flags: 0, deny_flags: flags },
  ]
  assert.equal(explainHere(subject, deny(SendMessages), 'SendMessages').allowed, false)
  const hidden = deny(ViewChannels | ChangeNickname)
  assert.equal(explainHere(subject, hidden, 'SendMessages').needsView, true)
  assert.deepEqual(explainHere(subject, hidden, 'ChangeNickname'), {
    allowed: true,
    reason: { kind: 'roles', roleIds: ['space'] },
    needsView: false,
  })
})

test('a room allows and denies the permissions of its type', () => {
  const types = [RoomType.Text, RoomType.Voice, RoomType.Category]
  const counts = (name: RightName) => types.map((type) => countsIn(type, name))
  assert.deepEqual(counts('ViewChannels'), [true, true, true])
  assert.deepEqual(counts('SendMessages'), [true, true, false])
  for (const name of ['JoinVoice', 'UseVideo', 'ShareScreen'] as const)
    assert.deepEqual(counts(name), [false, true, false])
  assert.deepEqual(counts('AttachFiles'), [true, true, false])
  for (const name of ['ManageRoles', 'Administrator', 'ChangeNickname', 'KickMembers'] as const)
    assert.deepEqual(counts(name), [false, false, false])
})
