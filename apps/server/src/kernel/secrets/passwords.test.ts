import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { Passwords } from './passwords.ts'

const passwords = new Passwords()
/** A hash of the lowest cost. The queue does not depend on the cost; this tests the queue. */
const cheap = '$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAA'

test('AUTH-5: a password is stored as argon2id with 19 MiB, two passes, one lane and its own salt', async () => {
  const [first, second] = [
    await passwords.hash('correct horse', 'a sender'),
    await passwords.hash('correct horse', 'a sender'),
  ]
  assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(first, second)
})

test('AUTH-5: the right password matches, and no other', async () => {
  const hash = await passwords.hash('correct horse', 'a sender')
  assert.equal(await passwords.verify('correct horse', hash, 'a sender'), true)
  assert.equal(await passwords.verify('correct horse ', hash, 'a sender'), false)
  assert.equal(await passwords.verify('Correct horse', hash, 'a sender'), false)
  assert.equal(await passwords.verify('', hash, 'a sender'), false)
})

test('AUTH-5: a hash of another program with another cost matches by that cost', async () => {
  // argon2 of the reference implementation: echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -l 24
  const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  assert.equal(await passwords.verify('password', hash, 'a sender'), true)
})

test('AUTH-7: no password matches an account without one', async () => {
  assert.equal(await passwords.verify('', null, 'a sender'), false)
  assert.equal(await passwords.verify('correct horse', null, 'a sender'), false)
})

test('AUTH-5: files are read and the event loop runs while many passwords are hashed', async () => {
  const flood = Array.from({ length: 40 }, (_, index) => passwords.hash('correct horse', `sender ${index}`))
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

test('AUTH-5: further passwords are refused at once while 200 are waiting', async () => {
  const busy = new Passwords()
  const flood = Array.from({ length: 203 }, (_, index) =>
    busy.verify('correct horse', cheap, `sender ${index}`),
  )
  await assert.rejects(flood[202] ?? assert.fail(), { code: 'unavailable', status: 503 })
  assert.ok((await Promise.all(flood.slice(0, 202))).every((matches) => !matches))
})

test('AUTH-33: further passwords of a sender are refused at once while 20 of theirs are waiting, and others wait', async () => {
  const busy = new Passwords()
  const flood = Array.from({ length: 23 }, () => busy.verify('correct horse', cheap, 'one sender'))
  const other = busy.verify('correct horse', cheap, 'another')
  await assert.rejects(flood[22] ?? assert.fail(), { code: 'unavailable', status: 503 })
  assert.equal(await other, false)
  assert.ok((await Promise.all(flood.slice(0, 22))).every((matches) => !matches))
})
