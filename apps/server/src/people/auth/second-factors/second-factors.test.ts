import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import { SecondFactors } from '@foyer/sdk/api/second-factors'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { awaitMail } from '#test/outside/mailbox.ts'
import { codeOf, emailOf, type RawAnswer, send } from '#test/scenes/accounts.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createOwner } from '#test/scenes/passkeys.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { awaitSteadyPeriod, codeAt } from '#test/scenes/second-factors.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let name: string
let count = 0

before(async () => {
  server = await startOwnServer()
})
after(() => server.close())
beforeEach(async () => {
  count += 1
  name = `ada${count}`
  ada = await createOwner(server, name)
  await awaitSteadyPeriod()
})

const proof = { password: TEST_PASSWORD }
const NONE = { totp_since: null, recovery_codes: 0, is_needed: false, is_session_confirmed: false }
const factorsOf = ({ client }: Person) => client.api(SecondFactors)

function logIn(code?: string, password = TEST_PASSWORD): Promise<RawAnswer> {
  return send(server, 'POST', '/api/auth/login', { body: { email: name, password, code } })
}

/** Turns on an app by the code of the period before, so that those of the present one and the next are unused. */
async function turnOn(person = ada): Promise<{ secret: string; codes: string[] }> {
  const { secret } = await factorsOf(person).prepareTotp(proof)
  const { codes } = await factorsOf(person).confirmTotp({ code: codeAt(secret, -1) })
  return { secret, codes }
}

test('FACTOR-1: an app counts once its code is confirmed, which gives ten recovery codes', async () => {
  assert.deepEqual(await factorsOf(ada).get(), NONE)
  await assert.rejects(factorsOf(ada).confirmTotp({ code: '123456' }), { code: 'no_pending_app' })
  await assert.rejects(factorsOf(ada).prepareTotp({ password: 'wrong' }), { code: 'wrong_password' })
  const { secret, uri } = await factorsOf(ada).prepareTotp(proof)
  assert.match(uri, new RegExp(`^otpauth://totp/.+:${name}\\?secret=${secret}&issuer=`))
  await assert.rejects(factorsOf(ada).confirmTotp({ code: '12345' }), { status: 400, code: 'wrong_code' })
  assert.equal((await logIn()).status, 200)
  const { codes } = await factorsOf(ada).confirmTotp({ code: codeAt(secret, 0) })
  assert.equal(new Set(codes).size, 10)
  for (const code of codes) assert.match(code, /^[a-z2-9]{5}-[a-z2-9]{5}$/)
  const { totp_since, recovery_codes } = await factorsOf(ada).get()
  assert.ok(totp_since)
  assert.equal(recovery_codes, 10)
})

test('FACTOR-1: a new app replaces the old one once it is confirmed, with new recovery codes', async () => {
  const old = await turnOn()
  await assert.rejects(factorsOf(ada).prepareTotp(proof), { code: 'code_required' })
  const { secret } = await factorsOf(ada).prepareTotp({ ...proof, code: codeAt(old.secret, 0) })
  assert.equal((await logIn(codeAt(secret, 0))).code, 'invalid_code')
  assert.equal((await logIn(codeAt(old.secret, 1))).status, 200)
  await factorsOf(ada).confirmTotp({ code: codeAt(secret, -1) })
  assert.equal((await logIn(old.codes[0])).code, 'invalid_code')
  assert.equal((await logIn(codeAt(secret, 0))).status, 200)
})

test('FACTOR-2: login needs a code of the app or a recovery code, after the right password', async () => {
  const { secret, codes } = await turnOn()
  const missing = await logIn()
  assert.deepEqual([missing.status, missing.code], [401, 'second_factor_required'])
  assert.equal(missing.headers.get('x-second-factors'), 'totp, recovery_code')
  assert.equal((await logIn(' ')).code, 'second_factor_required')
  for (const code of ['000000', 'aaaaa-aaaaa', 'x', '１２３４５６'])
    assert.deepEqual(await codeOf(logIn(code)), [401, 'invalid_code'])
  assert.deepEqual(await codeOf(logIn(codeAt(secret, 0), 'wrong')), [401, 'invalid_login'])
  const code = codeAt(secret, 0)
  assert.equal((await logIn(`${code.slice(0, 3)} ${code.slice(3)}`)).status, 200)
  assert.equal((await logIn(codes[0]?.toUpperCase().replace('-', ''))).status, 200)
})

test('FACTOR-2: the refusal does not name recovery codes when none is left', async () => {
  await turnOn()
  await server.deps.database.execute(sql`delete from recovery_codes where user_id = ${ada.id}`)
  assert.equal((await logIn()).headers.get('x-second-factors'), 'totp')
})

test('FACTOR-3: of many logins with one code at once, one succeeds', async () => {
  const { secret, codes } = await turnOn()
  for (const code of [codeAt(secret, 0), codes[0]]) {
    const answers = await Promise.all(Array.from({ length: 8 }, () => logIn(code)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [
      200,
      ...Array.from({ length: 7 }, () => 401),
    ])
    assert.deepEqual(await codeOf(logIn(code)), [401, 'invalid_code'])
    // The wrong ones have counted.
    await server.deps.attempts.clear('secondFactor', ada.id)
  }
})

test('FACTOR-3: a code before the last one that was used is refused', async () => {
  const { secret } = await turnOn()
  assert.equal((await logIn(codeAt(secret, 1))).status, 200)
  assert.deepEqual(await codeOf(logIn(codeAt(secret, 0))), [401, 'invalid_code'])
})

test('FACTOR-4: after ten wrong codes the right one is refused, and strangers without the password do not count', async () => {
  const { secret } = await turnOn()
  for (let index = 0; index < 9; index += 1) await logIn('000000', 'wrong password')
  for (let index = 0; index < 10; index += 1)
    assert.deepEqual(await codeOf(logIn('000000')), [401, 'invalid_code'])
  assert.deepEqual(await codeOf(logIn(codeAt(secret, 0))), [429, 'too_many_failed_logins'])
  await assert.rejects(factorsOf(ada).removeTotp({ ...proof, code: codeAt(secret, 0) }), {
    code: 'too_many_failed_logins',
  })
})

test('FACTOR-5: what a stolen session must not do needs a code, and changes nothing without one', async () => {
  const { secret, codes } = await turnOn()
  const heir = await createPerson(server, `heir${count}`)
  const space = await makeSpace(ada, [heir])
  const calls: [string, string, Record<string, string>][] = [
    ['PATCH', '/api/users/@me/password', { ...proof, new_password: 'a wholly new password' }],
    ['POST', '/api/auth/change-email/send', { ...proof, email: `new-${emailOf(name)}` }],
    ['POST', '/api/users/@me/second-factors/totp', proof],
    ['DELETE', '/api/users/@me/second-factors/totp', proof],
    ['POST', '/api/users/@me/second-factors/recovery-codes', proof],
    ['DELETE', '/api/users/@me', proof],
    ['POST', `/api/spaces/${space.id}/transfer`, { user_id: heir.id }],
  ]
  for (const [method, path, body] of calls) {
    assert.equal((await ada.call(method, path, body)).code, 'code_required', path)
    assert.equal((await ada.call(method, path, { ...body, code: '000000' })).code, 'wrong_code', path)
  }
  assert.equal((await ada.client.spaces.get(space.id)).owner_id, ada.id)
  assert.equal((await logIn(codeAt(secret, 0))).status, 200)
  const transferred = await ada.client.spaces.transfer(space.id, { user_id: heir.id, code: codes[0] ?? '' })
  assert.equal(transferred.owner_id, heir.id)
  await ada.client.auth.changePassword({
    ...{ password: TEST_PASSWORD, new_password: 'a wholly new password' },
    code: codes[1] ?? '',
  })
  await ada.client.users.deleteMe({ password: 'a wholly new password', code: codes[2] ?? '' })
  const rows = await server.deps.database.query(sql`
    select user_id from totp where user_id = ${ada.id} union all
    select user_id from recovery_codes where user_id = ${ada.id}`)
  assert.deepEqual(rows, [])
})

test('FACTOR-5: turning off needs a code, after which the password is enough', async () => {
  const { secret } = await turnOn()
  await factorsOf(ada).removeTotp({ ...proof, code: codeAt(secret, 0) })
  assert.deepEqual(await factorsOf(ada).get(), NONE)
  assert.equal((await logIn()).status, 200)
  await assert.rejects(factorsOf(ada).renewRecoveryCodes(proof), { code: 'no_second_factor' })
})

test('FACTOR-6: each change and each use of a recovery code is mailed to the account', async () => {
  const { secret, codes } = await turnOn()
  const mailed = (subject: string) => awaitMail(server, emailOf(name), { subject })
  await mailed('Two-step login was turned on')
  await logIn(codes[0])
  await mailed('A recovery code was used')
  await factorsOf(ada).renewRecoveryCodes({ ...proof, code: codeAt(secret, 0) })
  await mailed('New recovery codes')
  assert.deepEqual(await codeOf(logIn(codes[1])), [401, 'invalid_code'])
  await factorsOf(ada).removeTotp({ ...proof, code: codeAt(secret, 1) })
  await mailed('Two-step login was turned off')
})

test('FACTOR-7: nothing stored is a code or a secret in plain text', async () => {
  const { secret, codes } = await turnOn()
  const rows = await server.deps.database.query(sql`
    select encode(secret, 'escape') as text from totp union all select mac from recovery_codes`)
  const text = JSON.stringify(rows)
  assert.ok(!text.includes(secret))
  for (const code of codes) assert.ok(!text.includes(code) && !text.includes(code.replace('-', '')))
})

test('FACTOR-7: invalid bodies are 400 and change nothing', async () => {
  const root = '/api/users/@me/second-factors'
  for (const body of [{}, { code: 123456 }, { code: null }, { code: 'x'.repeat(33) }])
    assert.equal((await ada.call('POST', `${root}/totp/confirm`, body)).code, 'invalid_request')
  for (const body of [{}, { password: 1 }, { ...proof, code: 1 }, { ...proof, code: 'x'.repeat(33) }])
    for (const [method, path] of [
      ['POST', `${root}/totp`],
      ['DELETE', `${root}/totp`],
      ['POST', `${root}/recovery-codes`],
    ] as const)
      assert.equal((await ada.call(method, path, body)).code, 'invalid_request')
  assert.deepEqual(await factorsOf(ada).get(), NONE)
})

test('FACTOR-8: an operator turns it off for somebody who has lost it, and nobody else does', async () => {
  await turnOn()
  const operator = await createOperator(server, `operator${count}`)
  const stranger = await createPerson(server, `stranger${count}`)
  const path = `/api/operator/users/${ada.id}/second-factors`
  for (const person of [stranger, ada])
    assert.equal((await person.call('DELETE', path)).code, 'operator_only')
  const administration = operator.client.api(Administration)
  const [before] = await administration.findUsers({ query: ada.id })
  assert.equal(before?.has_second_factor, true)
  assert.equal((await administration.removeSecondFactor(ada.id)).has_second_factor, false)
  assert.equal((await administration.removeSecondFactor(ada.id)).has_second_factor, false)
  assert.equal((await logIn()).status, 200)
  await awaitMail(server, emailOf(name), { subject: 'Two-step login was turned off' })
  const { entries } = await administration.log({ target_id: ada.id })
  assert.deepEqual(
    entries.map(({ action, actor_id }) => [action, actor_id]),
    [['user_second_factor_remove', operator.id]],
  )
  await assert.rejects(administration.removeSecondFactor(newId()), { code: 'unknown_user' })
})
