import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_PERMISSIONS, OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { countsIn, explainHere } from './space-wide.ts'

const { ViewChannels, SendMessages, ChangeNickname } = Permission
const subject = {
  userId: 'kim',
  ownerId: 'owner',
  spaceId: 'space',
  roles: [{ id: 'space', permissions: DEFAULT_PERMISSIONS }],
}

test('a room takes what is done in it, and not what is about the whole space', () => {
  const deny = (flags: number) => [
    { target_id: 'space', target_type: OverwriteTarget.Role, allow_flags: 0, deny_flags: flags },
  ]
  assert.equal(explainHere(subject, deny(SendMessages), SendMessages).allowed, false)
  const hidden = deny(ViewChannels | ChangeNickname)
  assert.equal(explainHere(subject, hidden, SendMessages).needsView, true)
  assert.deepEqual(explainHere(subject, hidden, ChangeNickname), {
    allowed: true,
    reason: { kind: 'roles', roleIds: ['space'] },
    needsView: false,
  })
})

test('a room gives and takes what is done in rooms of its type', () => {
  const { ManageRoles, JoinVoice, Administrator } = Permission
  const types = [RoomType.Text, RoomType.Voice, RoomType.Category]
  const told = (flag: number) => types.map((type) => countsIn(type, flag))
  assert.deepEqual(told(ViewChannels), [true, true, true])
  assert.deepEqual(told(SendMessages), [true, true, false])
  assert.deepEqual(told(JoinVoice), [false, true, false])
  for (const flag of [ManageRoles, Administrator, ChangeNickname])
    assert.deepEqual(told(flag), [false, false, false])
})
