import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { permissionTexts } from './permission-texts.ts'

test('every permission is listed once, with its own label', () => {
  const listed = permissionTexts.map(({ name, flag }) => [name, flag])
  assert.deepEqual(Object.fromEntries(listed), Permission)
  assert.equal(listed.length, Object.keys(Permission).length)
  assert.equal(new Set(permissionTexts.map(({ label }) => label)).size, listed.length)
})
