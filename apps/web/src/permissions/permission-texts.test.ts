import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RightName, rightNames } from '@foyer/protocol/rights'
import { permissionTexts } from './permission-texts.ts'

/** Capabilities without an effect so far: their features do not exist yet. */
const unused: readonly RightName[] = ['PrioritySpeaker', 'CreatePolls', 'ManageEvents']

test('every permission and capability with an effect is listed once, with its own label', () => {
  const listed = permissionTexts.map(({ name }) => name)
  assert.deepEqual(listed.toSorted(), rightNames.filter((name) => !unused.includes(name)).toSorted())
  assert.equal(new Set(permissionTexts.map(({ label }) => label)).size, listed.length)
})
