import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Capability } from '@foyer/protocol/capabilities'
import { Permission } from '@foyer/protocol/permissions'
import { sampleRole } from '#src/store/samples.ts'
import { createBody, emptyDraft, updateBody, valuesOf, withDraft, withPermission } from './role-draft.ts'

const { SendMessages, ManageRoles, ViewChannels } = Permission

const role = sampleRole('mods', { permissions: SendMessages | ViewChannels, color_from: 0xff0000 })

test('only changed fields are sent', () => {
  const saved = valuesOf(role)
  assert.deepEqual(updateBody(saved, emptyDraft), {})
  assert.deepEqual(updateBody(saved, { ...emptyDraft, name: 'mods ', hoisted: false }), {})
  assert.deepEqual(updateBody(saved, { ...emptyDraft, name: 'Mods', hoisted: true }), {
    name: 'Mods',
    hoisted: true,
  })
})

test('a permission switched on and off again is unchanged', () => {
  const on = withPermission(emptyDraft, 'ManageRoles', true)
  assert.deepEqual(updateBody(valuesOf(role), on), { permissions: role.permissions | ManageRoles })
  assert.deepEqual(updateBody(valuesOf(role), withPermission(on, 'ManageRoles', false)), {})
})

test('a capability is sent as such, and the permissions are not', () => {
  const draft = withPermission(emptyDraft, 'KickMembers', true)
  assert.deepEqual(updateBody(valuesOf(role), draft), { capabilities: Capability.KickMembers })
})

test('changes by other members stay', () => {
  const draft = withPermission(withPermission(emptyDraft, 'ManageRoles', true), 'SendMessages', false)
  const changed = sampleRole('mods', { name: 'renamed', permissions: SendMessages })
  assert.deepEqual(withDraft(valuesOf(changed), draft), {
    name: 'renamed',
    hoisted: false,
    colors: [],
    rights: { permissions: ManageRoles, capabilities: 0 },
  })
})

test('colours are sent together: one is the first, two are the ends', () => {
  const sent = (...colors: string[]) => updateBody(valuesOf(role), { ...emptyDraft, colors })
  assert.deepEqual(sent('#ff0000'), {})
  assert.deepEqual(sent(), { color_from: null, color_via: null, color_to: null })
  assert.deepEqual(sent('#000001', '#000002'), { color_from: 1, color_via: null, color_to: 2 })
  assert.deepEqual(sent('#000001', '#000002', '#000003'), { color_from: 1, color_via: 2, color_to: 3 })
})

test('a new role has the values of the form', () => {
  const draft = withPermission({ ...emptyDraft, name: ' Mods ' }, 'ManageRoles', true)
  const colors = { color_from: null, color_via: null, color_to: null }
  assert.deepEqual(createBody(draft), {
    name: 'Mods',
    hoisted: false,
    permissions: ManageRoles,
    capabilities: 0,
    ...colors,
  })
})
