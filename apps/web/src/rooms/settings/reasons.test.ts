import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PermissionReason } from '@foyer/protocol/permission-reasons'
import { inheritedText, reasonText } from './reasons.ts'

const roleNames = (ids: readonly string[]) => ids.map((id) => (id === 'space' ? '@everyone' : id))
const kim = { name: 'Kim', roleNames }

function told(allowed: boolean, reason: PermissionReason, needsView = false): string {
  return reasonText({ allowed, reason, needsView }, kim)
}

test('an allowed permission names who or what gives it', () => {
  const asked = [
    told(true, { kind: 'owner' }),
    told(true, { kind: 'administrator', roleIds: ['Admins'] }),
    told(true, { kind: 'member_overwrite' }),
    told(true, { kind: 'role_overwrites', roleIds: ['Guides'] }),
    told(true, { kind: 'role_overwrites', roleIds: ['Guides', 'Scouts'] }),
    told(true, { kind: 'everyone_overwrite' }),
    told(true, { kind: 'roles', roleIds: ['Guides', 'Scouts', 'space'] }),
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

test('a denied permission names what takes it, or that nothing gives it', () => {
  const asked = [
    told(false, { kind: 'member_overwrite' }),
    told(false, { kind: 'role_overwrites', roleIds: ['Guides'] }),
    told(false, { kind: 'everyone_overwrite' }),
    told(false, { kind: 'no_role' }),
  ]
  assert.deepEqual(asked, [
    'Denied: the overwrite of Kim takes it, and has the last word.',
    'Denied: the overwrite of Guides takes it, and no overwrite of Kim or another of their roles gives it back.',
    'Denied: the overwrite of @everyone takes it, and no overwrite of Kim or one of their roles gives it back.',
    'Denied: no role of Kim has it, and no overwrite gives it.',
  ])
})

test('what is allowed in a room that one may not view is told to be of no use', () => {
  const reason: PermissionReason = { kind: 'roles', roleIds: ['Guides'] }
  assert.equal(
    told(true, reason, true),
    'Allowed: the role Guides has it, and no overwrite takes it. But it is of no use here, as Kim may not view the room.',
  )
  assert.doesNotMatch(told(false, { kind: 'no_role' }, true), /no use/)
})

test('what is inherited is told with where it comes from', () => {
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
