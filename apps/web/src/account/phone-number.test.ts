import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phoneNumber } from './phone-number.ts'

test('a phone number may be written in the usual ways', () => {
  for (const written of ['+49 30 1234567', '0049301234567', '+49 (30) 123-45-67', ' +49.30/1234567 '])
    assert.equal(phoneNumber(written), '+49301234567')
})

test('a zero in parentheses, for calls from within the country, is dropped', () => {
  for (const written of ['+49 (0)30 1234567', '0049 (0) 30 1234567'])
    assert.equal(phoneNumber(written), '+49301234567')
})

test('a number without a country code, or with other characters, is refused', () => {
  for (const written of ['', '030 1234567', '+0 30 1234567', '+49', '+49 30 12a4567', '+1234567890123456'])
    assert.equal(phoneNumber(written), null)
})
