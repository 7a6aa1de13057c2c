import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_PERMISSIONS, OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { explainHere } from './space-wide.ts'

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
