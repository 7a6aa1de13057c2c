import assert from 'node:assert/strict'
import { createECDH, verify } from 'node:crypto'
import { test } from 'node:test'
import { encryptPush, readPushKeys } from './encryption.ts'
import { Vapid } from './vapid.ts'

/** Example of RFC 8291, appendix A. */
const example = {
  text: 'When I grow up, I want to be a watermelon',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}

test('PUSH-5: a push is encrypted as in the example of RFC 8291', () => {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(Buffer.from(example.privateKey, 'base64url'))
  const keys = readPushKeys(example)
  assert.ok(keys)
  const draw = { pair, salt: Buffer.from(example.salt, 'base64url') }
  assert.equal(encryptPush(Buffer.from(example.text), keys, draw).toString('base64url'), example.body)
})

test('PUSH-1: invalid keys are refused', () => {
  assert.ok(readPushKeys(example))
  const offCurve = Buffer.from(example.p256dh, 'base64url')
  offCurve[64] = (offCurve[64] ?? 0) ^ 1
  const compressed = Buffer.from(example.p256dh, 'base64url').subarray(0, 33)
  const wrong = [
    { p256dh: offCurve.toString('base64url') },
    { p256dh: compressed.toString('base64url') },
    { p256dh: Buffer.alloc(65, 4).toString('base64url') },
    { p256dh: '' },
    { auth: '' },
    { auth: Buffer.alloc(15).toString('base64url') },
    { auth: Buffer.alloc(17).toString('base64url') },
  ]
  for (const change of wrong) assert.equal(readPushKeys({ ...example, ...change }), undefined)
})

test('PUSH-6: the key is derived from SECRET_KEY, and signs for one push service, for less than a day', () => {
  const [vapid, same, other] = [
    new Vapid('secret', 'mailto:ada@example.org'),
    new Vapid('secret', 'mailto:ada@example.org'),
    new Vapid('another', 'mailto:ada@example.org'),
  ]
  assert.equal(vapid.publicKey, same.publicKey)
  assert.notEqual(vapid.publicKey, other.publicKey)
  const now = Date.now()
  const endpoint = new URL('https://push.example.org/x/y?z')
  const [, token = '', key] = /^vapid t=(.+), k=(.+)$/.exec(vapid.authorizationFor(endpoint, now)) ?? []
  assert.equal(key, vapid.publicKey)
  const [header = '', claims = '', signature = ''] = token.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  assert.deepEqual(read(header), { typ: 'JWT', alg: 'ES256' })
  const exp = Math.floor(now / 1000) + 12 * 60 * 60
  assert.deepEqual(read(claims), { aud: 'https://push.example.org', exp, sub: 'mailto:ada@example.org' })
  const point = Buffer.from(vapid.publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const jwk = { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }
  const isSigned = (text: string) =>
    verify(
      'sha256',
      Buffer.from(text),
      { key: jwk, format: 'jwk', dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
  assert.ok(isSigned(`${header}.${claims}`))
  assert.ok(!isSigned(`${header}.${claims}x`))
  assert.equal(
    vapid.authorizationFor(new URL('https://push.example.org/other'), now),
    `vapid t=${token}, k=${key}`,
  )
  const later = vapid.authorizationFor(endpoint, now + 11.5 * 60 * 60 * 1000)
  assert.notEqual(later, `vapid t=${token}, k=${key}`)
})
