import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phoneNumber } from './phone-number.ts'

test('a phone number is understood as people write it', () => {
  for (const written of ['+49 30 1234567', '0049301234567', '+49 (30) 123-45-67', ' +49.30/1234567 '])
    assert.equal(phoneNumber(written), '+49301234567')
})

test('the zero in parentheses, which is for callers from within the country, is no part of it', () => {
  for (const written of ['+49 (0)30 1234567', '0049 (0) 30 1234567'])
    assert.equal(phoneNumber(written), '+49301234567')
})

test('a number without its country, or with anything else in it, is none', () => {
  for (const written of ['', '030 1234567', '+0 30 1234567', '+49', '+49 30 12a4567', '+1234567890123456'])
    assert.equal(phoneNumber(written), null)
})
