import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { permissionTexts } from './permission-texts.ts'

test('every permission is told of once, with a label of its own', () => {
  const told = permissionTexts.map(({ name, flag }) => [name, flag])
  assert.deepEqual(Object.fromEntries(told), Permission)
  assert.equal(told.length, Object.keys(Permission).length)
  assert.equal(new Set(permissionTexts.map(({ label }) => label)).size, told.length)
})
