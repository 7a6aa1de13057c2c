import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import { Passkeys } from '@foyer/sdk/api/passkeys'
import { SecondFactors } from '@foyer/sdk/api/second-factors'
import { Client } from '@foyer/sdk/client'
import { upkeepJobs } from '#src/jobs/upkeep.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { type Lies, SoftwareAuthenticator } from '#test/outside/authenticator.ts'
import { awaitMail } from '#test/outside/mailbox.ts'
import { codeOf, emailOf, loginResult, send, statusOf } from '#test/scenes/accounts.ts'
import { createOperator } from '#test/scenes/operators.ts'
import {
  addPasskey,
  createOwner,
  logInWith,
  loginOptions,
  PASSKEY_ORIGIN,
  passkeysOf,
  proof,
  sendLogin,
} from '#test/scenes/passkeys.ts'
import type { Person } from '#test/scenes/people.ts'
import { codeAt } from '#test/scenes/second-factors.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let name: string
let count = 0
let device: SoftwareAuthenticator

before(async () => {
  server = await startOwnServer({ publicUrl: PASSKEY_ORIGIN })
})
after(() => server.close())
beforeEach(async () => {
  count += 1
  name = `ada${count}`
  ada = await createOwner(server, name)
  device = (await addPasskey(ada)).device
})

async function countSessions(): Promise<number> {
  return (await server.deps.database.query(sql`select id from sessions where user_id = ${ada.id}`)).length
}

test('PASSKEY-2: a passkey alone logs in, with the answer and the cookies of a login', async () => {
  const byPassword = await send(server, 'POST', '/api/auth/login', {
    body: { email: name, password: proof.password },
  })
  const answer = await logInWith(server, device)
  assert.equal(answer.status, 200)
  const result = loginResult(answer)
  assert.equal(result.user.id, ada.id)
  assert.equal(await statusOf(server, result), 200)
  assert.deepEqual(Object.keys(result).sort(), Object.keys(loginResult(byPassword)).sort())
  const flagsOf = (headers: Headers) =>
    headers.getSetCookie().map((cookie) => cookie.replace(/=[^;]*/, '').replace(/Max-Age=\d+/, ''))
  assert.deepEqual(flagsOf(answer.headers), flagsOf(byPassword.headers))
  assert.ok((await passkeysOf(ada).list())[0]?.last_used_at)
  const credential = device.use(await loginOptions(server))
  const inCookies = await sendLogin(server, credential, { 'x-token-storage': 'cookie' })
  assert.equal(inCookies.status, 200)
  assert.ok(!('refresh_token' in JSON.parse(inCookies.text)))
  assert.equal(inCookies.headers.getSetCookie().length, 2)
})

test('PASSKEY-2: no code is needed', async () => {
  const factors = ada.client.api(SecondFactors)
  const { secret } = await factors.prepareTotp(proof)
  await factors.confirmTotp({ code: codeAt(secret, 0) })
  assert.equal((await logInWith(server, device)).status, 200)
})

test('RATE-3: an address gets the options of 60 logins a minute', async () => {
  const limited = await startOwnServer({ publicUrl: PASSKEY_ORIGIN, rateLimits: true })
  const ask = () => send(limited, 'POST', '/api/auth/passkeys/options')
  const answers = await Promise.all(Array.from({ length: 61 }, ask))
  const { code } = await ask()
  await limited.close()
  assert.equal(answers.filter(({ status }) => status === 200).length, 60)
  assert.equal(code, 'rate_limited')
})

test('PASSKEY-2: the options are alike for everybody', async () => {
  const { challenge, ...options } = await loginOptions(server)
  assert.deepEqual(options, { rpId: 'chat.example.org', timeout: 300_000, userVerification: 'required' })
  const asAda = await send(server, 'POST', '/api/auth/passkeys/options', { headers: ada.credentials })
  const { challenge: other, ...same } = JSON.parse(asAda.text)
  assert.deepEqual(same, options)
  assert.notEqual(other, challenge)
})

test('PASSKEY-2: with the header, a page of another site is refused before anything is used', async () => {
  const credential = device.use(await loginOptions(server))
  const headers = { 'x-token-storage': 'cookie', 'sec-fetch-site': 'cross-site' }
  assert.deepEqual(await codeOf(sendLogin(server, credential, headers)), [403, 'cross_site'])
  assert.equal((await sendLogin(server, credential)).status, 200)
})

test('PASSKEY-2: a locked account is refused as at a login by password', async () => {
  const operator = await createOperator(server, `operator${count}`)
  await operator.client.api(Administration).lockUser(ada.id, {})
  assert.deepEqual(await codeOf(logInWith(server, device)), [403, 'account_locked'])
  assert.deepEqual(await codeOf(logInWith(server, device, { isVerified: false })), [401, 'invalid_passkey'])
  assert.equal(await countSessions(), 0)
  await operator.client.api(Administration).unlockUser(ada.id)
  assert.equal((await logInWith(server, device)).status, 200)
})

test('PASSKEY-3: what was signed for another page, host or ceremony, or without a check of the person, is refused', async () => {
  const lies: Lies[] = [
    { origin: 'https://evil.example' },
    { origin: 'https://chat.example.org:8443' },
    { host: 'evil.example' },
    { host: 'example.org' },
    { isVerified: false },
    { type: 'webauthn.create' },
    { userHandle: undefined },
    { userHandle: 'AAAA' },
  ]
  const before = await countSessions()
  for (const lie of lies)
    assert.deepEqual(
      await codeOf(logInWith(server, device, lie)),
      [401, 'invalid_passkey'],
      JSON.stringify(lie),
    )
  assert.equal(await countSessions(), before)
  assert.equal((await logInWith(server, device)).status, 200)
})

test('PASSKEY-3: the key of another person, and a passkey that is unknown, do not log in', async () => {
  const bob = await createOwner(server, `bob${count}`)
  const { device: own } = await addPasskey(bob)
  const { userHandle } = device.use(await loginOptions(server)).response
  assert.ok(userHandle)
  for (const lies of [{}, { userHandle }]) {
    const credential = own.use(await loginOptions(server), lies)
    const asAda = { ...credential, id: device.id, rawId: device.id }
    assert.deepEqual(await codeOf(sendLogin(server, asAda)), [401, 'invalid_passkey'])
  }
  assert.deepEqual(await codeOf(logInWith(server, own, { userHandle })), [401, 'invalid_passkey'])
  const unknown = new SoftwareAuthenticator(PASSKEY_ORIGIN)
  assert.deepEqual(await codeOf(logInWith(server, unknown, { userHandle })), [401, 'invalid_passkey'])
  assert.equal((await logInWith(server, own)).status, 200)
})

test('PASSKEY-4: of many logins with one challenge at once, one succeeds', async () => {
  const before = await countSessions()
  const credential = device.use(await loginOptions(server))
  const answers = await Promise.all(Array.from({ length: 8 }, () => sendLogin(server, credential)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 7 }, () => 400)])
  assert.equal(await countSessions(), before + 1)
  assert.deepEqual(await codeOf(sendLogin(server, credential)), [400, 'passkey_challenge_ended'])
})

test('PASSKEY-4: a challenge that has ended, was made elsewhere or for adding does not log in', async () => {
  const ended = [400, 'passkey_challenge_ended']
  const late = device.use(await loginOptions(server))
  await server.deps.database.execute(sql`update passkey_challenges set expires_at = now()`)
  assert.deepEqual(await codeOf(sendLogin(server, late)), ended)
  assert.deepEqual(await codeOf(logInWith(server, device, { challenge: 'AAAA' })), ended)
  const { challenge } = await passkeysOf(ada).prepare(proof)
  assert.deepEqual(await codeOf(logInWith(server, device, { challenge })), ended)
})

test('PASSKEY-4: a challenge is used up by a login that is refused, and swept after its end', async () => {
  const options = await loginOptions(server)
  const refused = device.use(options, { isVerified: false })
  assert.deepEqual(await codeOf(sendLogin(server, refused)), [401, 'invalid_passkey'])
  assert.deepEqual(await codeOf(sendLogin(server, device.use(options))), [400, 'passkey_challenge_ended'])
  await loginOptions(server)
  await server.deps.database.execute(
    sql`update passkey_challenges set expires_at = now() - interval '1 second'`,
  )
  const { challenge } = await loginOptions(server)
  await upkeepJobs(server.deps).handlers.sweep?.({})
  const rows = await server.deps.database.query<{ challenge: Buffer }>(
    sql`select challenge from passkey_challenges`,
  )
  assert.deepEqual(
    rows.map((row) => row.challenge.toString('base64url')),
    [challenge],
  )
})

test('PASSKEY-5: a counter that does not go up is refused and mailed, and opens nothing', async () => {
  assert.equal((await logInWith(server, device, { counter: 5 })).status, 200)
  const before = await countSessions()
  for (const counter of [5, 4, 0])
    assert.deepEqual(await codeOf(logInWith(server, device, { counter })), [401, 'passkey_copied'])
  assert.equal(await countSessions(), before)
  await awaitMail(server, emailOf(name), { subject: 'A passkey was refused' })
  assert.equal((await logInWith(server, device, { counter: 6 })).status, 200)
})

test('PASSKEY-5: of two uses with one counter at once, one succeeds', async () => {
  const uses = [await loginOptions(server), await loginOptions(server)]
  const answers = await Promise.all(
    uses.map((options) => sendLogin(server, device.use(options, { counter: 3 }))),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401])
})

test('PASSKEY-5: a device that does not count logs in again and again', async () => {
  for (let index = 0; index < 3; index += 1) assert.equal((await logInWith(server, device)).status, 200)
})

test('PASSKEY-2: a passkey that was removed does not log in', async () => {
  const [passkey] = await passkeysOf(ada).list()
  assert.ok(passkey)
  const credential = device.use(await loginOptions(server))
  await passkeysOf(ada).delete(passkey.id, proof)
  assert.deepEqual(await codeOf(sendLogin(server, credential)), [401, 'invalid_passkey'])
})

test('PASSKEY-2: invalid bodies are 400 and use no challenge', async () => {
  const credential = device.use(await loginOptions(server))
  const { response } = credential
  const invalid = [
    null,
    {},
    { ...credential, id: '' },
    { ...credential, id: 'x'.repeat(2000) },
    { ...credential, type: 'x' },
    { ...credential, response: null },
    { ...credential, response: { ...response, signature: 1 } },
    { ...credential, response: { ...response, userHandle: 'x'.repeat(200) } },
    { ...credential, response: { ...response, authenticatorData: 'not base64!' } },
  ]
  for (const body of invalid)
    assert.deepEqual(await codeOf(sendLogin(server, body)), [400, 'invalid_request'], JSON.stringify(body))
  for (const clientDataJSON of ['e30', 'bnVsbA', 'AAAA']) {
    const unreadable = { ...credential, response: { ...response, clientDataJSON } }
    assert.deepEqual(await codeOf(sendLogin(server, unreadable)), [401, 'invalid_passkey'])
  }
  assert.equal((await sendLogin(server, credential)).status, 200)
})

test('PASSKEY-7: without PUBLIC_URL passkeys work on localhost, and not on addresses of numbers', async () => {
  const local = await startOwnServer()
  try {
    const origin = local.url.replace('127.0.0.1', 'localhost')
    const owner = await createOwner(local, 'ada')
    const [here, byNumbers] = [owner.at({ url: origin }), owner]
    assert.equal((await here.client.instance.get()).passkey_origin, origin)
    assert.equal((await byNumbers.client.instance.get()).passkey_origin, null)
    const own = new SoftwareAuthenticator(origin)
    await addPasskey(here, 'Laptop', own)
    const client = new Client({ baseUrl: origin })
    const credential = own.use(await client.api(Passkeys).prepareLogin())
    assert.equal((await client.auth.loginByPasskey({ credential })).user.id, owner.id)
    const unavailable = { status: 422, code: 'passkeys_unavailable' }
    await assert.rejects(passkeysOf(byNumbers).prepare(proof), unavailable)
    await assert.rejects(byNumbers.client.api(Passkeys).prepareLogin(), unavailable)
    await assert.rejects(byNumbers.client.auth.loginByPasskey({ credential }), unavailable)
    assert.equal((await passkeysOf(byNumbers).list()).length, 1)
  } finally {
    await local.close()
  }
})

for (const publicUrl of ['http://chat.example.org', 'https://192.0.2.7', 'https://[2001:db8::7]'])
  test(`PASSKEY-7: with PUBLIC_URL=${publicUrl} there are no passkeys`, async () => {
    const other = await startOwnServer({ publicUrl })
    const instance = await send(other, 'GET', '/api/instance')
    const refused = await codeOf(send(other, 'POST', '/api/auth/passkeys/options'))
    await other.close()
    assert.equal(JSON.parse(instance.text).passkey_origin, null)
    assert.deepEqual(refused, [422, 'passkeys_unavailable'])
  })
