import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { Passwords } from './passwords.ts'

const passwords = new Passwords()

test('AUTH-5: a password is kept as argon2id with 19 MiB, two passes, one lane and a salt of its own', async () => {
  const [first, second] = [await passwords.hash('correct horse'), await passwords.hash('correct horse')]
  assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(first, second)
})

test('AUTH-5: the right password matches, and no other', async () => {
  const hash = await passwords.hash('correct horse')
  assert.equal(await passwords.verify('correct horse', hash), true)
  assert.equal(await passwords.verify('correct horse ', hash), false)
  assert.equal(await passwords.verify('Correct horse', hash), false)
  assert.equal(await passwords.verify('', hash), false)
})

test('AUTH-5: a hash that another program made, of another cost, matches by the cost it names', async () => {
  // argon2 of the reference implementation: echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -l 24
  const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  assert.equal(await passwords.verify('password', hash), true)
})

test('AUTH-7: nothing matches an account without a password', async () => {
  assert.equal(await passwords.verify('', null), false)
  assert.equal(await passwords.verify('correct horse', null), false)
})

test('AUTH-5: while many passwords are hashed, files are read and the event loop turns', async () => {
  const flood = Array.from({ length: 40 }, () => passwords.hash('correct horse'))
  let hashed = 0
  for (const hash of flood) hash.then(() => (hashed += 1))
  let turns = 0
  const turn = setInterval(() => (turns += 1), 1)
  await readFile(import.meta.filename)
  assert.ok(hashed < 20, `${hashed} of 40 passwords were hashed before a file was read`)
  await Promise.all(flood)
  clearInterval(turn)
  assert.ok(turns > 50, `the event loop turned ${turns} times`)
})

test('AUTH-5: past 200 that wait, further ones are told so at once', async () => {
  const busy = new Passwords()
  // Of the least cost, which the queue does not know: what is proven is who waits.
  const cheap = '$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAA'
  const flood = Array.from({ length: 203 }, () => busy.verify('correct horse', cheap))
  await assert.rejects(flood[202] ?? assert.fail(), { code: 'unavailable', status: 503 })
  assert.ok((await Promise.all(flood.slice(0, 202))).every((matches) => !matches))
})
