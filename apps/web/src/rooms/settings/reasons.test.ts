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
    'Allowed: Kim is an administrator by the role Admins.',
    'Allowed: the overwrite of Kim gives it, and has the last word.',
    'Allowed: the overwrite of Guides gives it.',
    'Allowed: the overwrites of Guides and Scouts give it.',
    'Allowed: the overwrite of @everyone gives it.',
    'Allowed: the roles Guides, Scouts, and @everyone have it, and no overwrite takes it.',
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
    'Denied: the overwrite of Kim takes it, and has the last word.',
    'Denied: the overwrite of Guides takes it, and no overwrite of Kim or another of their roles gives it back.',
    'Denied: the overwrite of @everyone takes it, and no overwrite of Kim or one of their roles gives it back.',
    'Denied: no role of Kim has it, and no overwrite gives it.',
  ])
})

test('a permission in a room the member may not view is explained to have no effect', () => {
  const reason: PermissionReason = { kind: 'roles', roleIds: ['Guides'] }
  assert.equal(
    textOf(true, reason, true),
    'Allowed: the role Guides has it, and no overwrite takes it. But it is of no use here, as Kim may not view the room.',
  )
  assert.doesNotMatch(textOf(false, { kind: 'no_role' }, true), /no use/)
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
    'Inherited: nobody’s role allows it',
    'Inherited: denied by the overwrite of @everyone',
    'Inherited: allowed by the overwrite of @everyone',
    'Inherited: denied by the overwrites of Guides and Scouts',
    'Inherited: allowed, as to every owner',
    'Inherited: allowed, as Admins makes administrators',
  ])
})
