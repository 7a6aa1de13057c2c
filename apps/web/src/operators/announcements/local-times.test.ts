import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromLocalField, toLocalField } from './local-times.ts'

test('ANNOUNCE-9: a time is shown in the field on the clock of the user, and read back as it was', () => {
  const time = new Date(2027, 0, 5, 7, 9).toISOString()
  assert.equal(toLocalField(time), '2027-01-05T07:09')
  assert.equal(fromLocalField('2027-01-05T07:09'), time)
})

test('ANNOUNCE-9: an empty field has no time', () => {
  assert.equal(fromLocalField(''), null)
  assert.equal(fromLocalField('soon'), null)
})
