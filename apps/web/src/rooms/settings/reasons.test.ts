import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PermissionReason } from '@foyer/protocol/permission-reasons'
import { inheritedText, reasonText } from './reasons.ts'

const roleNames = (ids: readonly string[]) => ids.map((id) => (id === 'space' ? '@everyone' : id))
const kim = { name: 'Kim', roleNames }

function textOf(allowed: boolean, reason: PermissionReason, needsView = false): string {
  return reasonText({ allowed, reason, needsView }, kim)
}

test('an allowed permission names its source', () => {
  const asked = [
    textOf(true, { kind: 'owner' }),
    textOf(true, { kind: 'administrator', roleIds: ['Admins'] }),
    textOf(true, { kind: 'member_overwrite' }),
    textOf(true, { kind: 'role_overwrites', roleIds: ['Guides'] }),
    textOf(true, { kind: 'role_overwrites', roleIds: ['Guides', 'Scouts'] }),
    textOf(true, { kind: 'everyone_overwrite' }),
    textOf(true, { kind: 'roles', roleIds: ['Guides', 'Scouts', 'space'] }),
  ]
  assert.deepEqual(asked, [
    'Allowed: Kim owns the space.',
    'Allowed: Kim is an administrator through the role Admins.',
    'Allowed for Kim in this room, which overrides their roles.',
    'Allowed for the role Guides in this room.',
    'Allowed for the roles Guides and Scouts in this room.',
    'Allowed for @everyone in this room.',
    'Allowed by the roles Guides, Scouts, and @everyone, and not denied in this room.',
  ])
})

test('a denied permission names its source, or says that nothing allows it', () => {
  const asked = [
    textOf(false, { kind: 'member_overwrite' }),
    textOf(false, { kind: 'role_overwrites', roleIds: ['Guides'] }),
    textOf(false, { kind: 'everyone_overwrite' }),
    textOf(false, { kind: 'no_role' }),
  ]
  assert.deepEqual(asked, [
    'Denied for Kim in this room, which overrides their roles.',
    'Denied for the role Guides in this room, and none of Kim’s other roles allow it here.',
    'Denied for @everyone in this room, and none of Kim’s roles allow it here.',
    'Denied: none of Kim’s roles allow it, and it isn’t allowed in this room.',
  ])
})

test('a permission in a room the member may not view is explained to have no effect', () => {
  const reason: PermissionReason = { kind: 'roles', roleIds: ['Guides'] }
  assert.equal(
    textOf(true, reason, true),
    'Allowed by the role Guides, and not denied in this room. (Has no effect: Kim can’t see this room.)',
  )
  assert.doesNotMatch(textOf(false, { kind: 'no_role' }, true), /no effect/)
})

test('an inherited permission names its source', () => {
  const inherited = (allowed: boolean, reason: PermissionReason) =>
    inheritedText({ allowed, reason, needsView: false }, roleNames)
  const asked = [
    inherited(true, { kind: 'roles', roleIds: ['Guides', 'space'] }),
    inherited(false, { kind: 'no_role' }),
    inherited(false, { kind: 'everyone_overwrite' }),
    inherited(true, { kind: 'everyone_overwrite' }),
    inherited(false, { kind: 'role_overwrites', roleIds: ['Guides', 'Scouts'] }),
    inherited(true, { kind: 'owner' }),
    inherited(true, { kind: 'administrator', roleIds: ['Admins'] }),
  ]
  assert.deepEqual(asked, [
    'Inherited: allowed by Guides and @everyone',
    'Inherited: denied, because no role allows it',
    'Inherited: denied here for @everyone',
    'Inherited: allowed here for @everyone',
    'Inherited: denied here for the roles Guides and Scouts',
    'Inherited: allowed for the space owner',
    'Inherited: allowed because Admins has the administrator permission',
  ])
})
