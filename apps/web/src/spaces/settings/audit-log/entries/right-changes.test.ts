import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { sampleEntry } from './entry-samples.ts'
import { lackedRights } from './right-changes.ts'

const sides = {
  before: { permissions: Permission.PinMessages | Permission.SendMessages },
  after: { permissions: Permission.ManageMessages | Permission.SendMessages },
}

test('an undo names the changed rights that the user lacks, and no others', () => {
  const entry = sampleEntry('role_update', sides)
  const own = (permissions: number) => ({ permissions, capabilities: 0 })
  assert.deepEqual(lackedRights(entry, own(Permission.ManageMessages)), ['Pin messages'])
  assert.deepEqual(lackedRights(entry, own(Permission.ManageMessages | Permission.PinMessages)), [])
  assert.deepEqual(lackedRights(entry, own(0)).toSorted(), ['Manage messages', 'Pin messages'])
  assert.deepEqual(lackedRights(sampleEntry('role_create', sides), own(0)), [])
})
