import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newTotpSecret, periodOf, totpCode, totpUri } from './totp.ts'

/** '12345678901234567890', the secret of RFC 6238, in base 32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test('FACTOR-1: codes are those of RFC 6238, appendix B', () => {
  const vectors: [seconds: number, code: string][] = [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ]
  for (const [seconds, code] of vectors)
    assert.equal(totpCode(SECRET, Math.floor(seconds / 30)), code.slice(2))
})

test('FACTOR-3: a code is accepted in its own period, the one before and the one after', () => {
  const code = totpCode(SECRET, 1000)
  const at = (period: number) => periodOf(SECRET, code, period * 30_000)
  assert.deepEqual([998, 999, 1000, 1001, 1002].map(at), [undefined, 1000, 1000, 1000, undefined])
  assert.equal(periodOf(SECRET, code, 1001 * 30_000 + 29_999), 1000)
})

test('FACTOR-1: a secret has 160 random bits, and its address is one for authenticator apps', () => {
  const [one, other] = [newTotpSecret(), newTotpSecret()]
  assert.notEqual(one, other)
  for (const secret of [one, other]) assert.match(secret, /^[A-Z2-7]{32}$/)
  assert.equal(
    totpUri(one, { issuer: 'Our place', account: 'ada' }),
    `otpauth://totp/Our%20place:ada?secret=${one}&issuer=Our%20place`,
  )
})
