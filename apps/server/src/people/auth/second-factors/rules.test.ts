import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { CloseCode, Opcode } from '@foyer/protocol/gateway'
import type { SecondFactorRule } from '@foyer/protocol/second-factors'
import { Administration } from '@foyer/sdk/api/administration'
import { SecondFactors } from '@foyer/sdk/api/second-factors'
import { firstIdAt, newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { type GatewayClient, identify, openGateway } from '#test/gateway-client.ts'
import { needsNoAccount } from '#test/routes-without-account.ts'
import { createOperator } from '#test/scenes/operators.ts'
import {
  addPasskey,
  createOwner,
  logInWith,
  PASSKEY_ORIGIN,
  passkeysOf,
  proof,
} from '#test/scenes/passkeys.ts'
import { createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { awaitSteadyPeriod, codeAt, setConfirmed } from '#test/scenes/second-factors.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let count = 0

before(async () => {
  server = await startOwnServer({ publicUrl: PASSKEY_ORIGIN })
})
after(() => server.close())
beforeEach(async () => {
  count += 1
  ada = await createOwner(server, `ada${count}`)
  await awaitSteadyPeriod()
})

const factorsOf = ({ client }: Person) => client.api(SecondFactors)
const isConfirmed = async (person: Person) => (await factorsOf(person).get()).is_session_confirmed

async function turnOn(person: Person): Promise<{ secret: string; codes: string[] }> {
  const { secret } = await factorsOf(person).prepareTotp(proof)
  const { codes } = await factorsOf(person).confirmTotp({ code: codeAt(secret, -1) })
  return { secret, codes }
}

/** Takes the second factor from the session, as one that was opened before has none. */
const weaken = (person: Person) => setConfirmed(server, person, false)

async function makeOperator(name: string): Promise<Person> {
  const operator = await createOperator(server, name)
  const hash = await server.deps.passwords.hash(proof.password, name)
  await server.deps.database.execute(sql`update users set password_hash = ${hash} where id = ${operator.id}`)
  return operator
}

/** Applies the rule while the work runs. */
async function under(rule: SecondFactorRule, work: (operator: Person) => Promise<void>): Promise<void> {
  const operator = await makeOperator(`operator${count}`)
  await turnOn(operator)
  const administration = operator.client.api(Administration)
  await administration.updateLoginRules({ second_factor_for: rule })
  try {
    await work(operator)
  } finally {
    await administration.updateLoginRules({ second_factor_for: 'nobody' })
  }
}

function identityOf({ credentials }: Person) {
  const { authorization = '', 'x-session-token': session_token = '' } = credentials
  return { token: authorization.replace('Bearer ', ''), session_token }
}

async function tryToConnect(person: Person, op: number, more = {}): Promise<GatewayClient> {
  const gateway = await openGateway(server)
  gateway.send(op, { ...identityOf(person), ...more })
  return gateway
}

test('FACTOR-9: a session has a second factor once it confirmed an app or a code', async () => {
  assert.equal(await isConfirmed(ada), false)
  await assert.rejects(factorsOf(ada).confirmSession({ code: '123456' }), { code: 'no_second_factor' })
  const { secret, codes } = await turnOn(ada)
  assert.equal(await isConfirmed(ada), true)
  await weaken(ada)
  assert.equal(await isConfirmed(ada), false)
  await assert.rejects(factorsOf(ada).confirmSession({ code: '000000' }), { status: 400, code: 'wrong_code' })
  await assert.rejects(factorsOf(ada).confirmSession({ code: ' ' }), { status: 400, code: 'code_required' })
  assert.equal(await isConfirmed(ada), false)
  await factorsOf(ada).confirmSession({ code: codeAt(secret, 0) })
  assert.equal(await isConfirmed(ada), true)
  await assert.rejects(factorsOf(ada).confirmSession({ code: codeAt(secret, 0) }), { code: 'wrong_code' })
  await factorsOf(ada).confirmSession({ code: codes[0] ?? '' })
})

test('FACTOR-9: without an app and passkeys no session has one, and its connections come back without', async () => {
  const { codes } = await turnOn(ada)
  const gateway = await identify(server, identityOf(ada))
  await factorsOf(ada).removeTotp({ ...proof, code: codes[0] ?? '' })
  assert.equal(await gateway.closed, CloseCode.Unknown)
  assert.equal(await isConfirmed(ada), false)
  const key = await addPasskey(ada)
  assert.equal(await isConfirmed(ada), true)
  const { text } = await logInWith(server, key.device)
  assert.match(text, /access_token/)
  const rows = () =>
    server.deps.database.query(sql`
      select has_second_factor from sessions where user_id = ${ada.id} and has_second_factor`)
  assert.equal((await rows()).length, 2)
  await passkeysOf(ada).delete(key.passkey.id, proof)
  assert.deepEqual(await rows(), [])
  assert.equal(await isConfirmed(ada), false)
})

test('FACTOR-10: nobody makes it a must who would be locked out', async () => {
  const operator = await makeOperator(`boss${count}`)
  const administration = operator.client.api(Administration)
  for (const rule of ['operators', 'everybody'] as const)
    await assert.rejects(administration.updateLoginRules({ second_factor_for: rule }), {
      status: 403,
      code: 'second_factor_needed',
    })
  assert.deepEqual(await administration.getLoginRules(), { second_factor_for: 'nobody' })
  for (const person of [ada, await createBot(server, `bot${count}`)]) {
    const { status } = await person.call('PATCH', '/api/operator/login-rules', {
      second_factor_for: 'nobody',
    })
    assert.equal(status, 403)
  }
  for (const second_factor_for of ['all', 1, null])
    assert.equal(
      (await operator.call('PATCH', '/api/operator/login-rules', { second_factor_for })).code,
      'invalid_request',
    )
})

test('FACTOR-10: operators can need one for all that operators do, and it is in their log', async () => {
  await under('operators', async (operator) => {
    const other = await createOperator(server, `other${count}`)
    assert.equal((await factorsOf(other).get()).is_needed, true)
    assert.equal((await factorsOf(ada).get()).is_needed, false)
    for (const [method, path] of [
      ['GET', '/api/operator/users'],
      ['GET', '/api/operator/login-rules'],
      ['PUT', `/api/operator/users/${ada.id}/lock`],
      ['PUT', `/api/operator/operators/${ada.id}`],
    ] as const)
      assert.equal((await other.call(method, path)).code, 'second_factor_needed')
    assert.equal((await ada.call('GET', '/api/operator/users')).code, 'operator_only')
    assert.equal((await other.call('GET', '/api/users/@me/friends')).status, 200)
    const { entries } = await operator.client.api(Administration).log({ action: 'login_rules_update' })
    assert.deepEqual(entries[0]?.details, {
      before: { second_factor_for: 'nobody' },
      after: { second_factor_for: 'operators' },
    })
  })
})

/** Routes by which people set up a second factor, or leave. */
const ACCOUNT_CARE = `
  POST /api/auth/logout
  GET /api/auth/sessions
  DELETE /api/auth/sessions/{sessionId}
  POST /api/auth/verify/send
  POST /api/auth/reset-password/send
  POST /api/auth/change-email/send
  GET /api/auth/address
  GET /api/users/@me
  DELETE /api/users/@me
  PATCH /api/users/@me/password
  GET /api/users/@me/second-factors
  POST /api/users/@me/second-factors/confirm-session
  POST /api/users/@me/second-factors/recovery-codes
  POST /api/users/@me/second-factors/totp
  POST /api/users/@me/second-factors/totp/confirm
  DELETE /api/users/@me/second-factors/totp
  GET /api/users/@me/passkeys
  POST /api/users/@me/passkeys
  POST /api/users/@me/passkeys/options
  PATCH /api/users/@me/passkeys/{passkeyId}
  DELETE /api/users/@me/passkeys/{passkeyId}
  GET /api/auth/oidc/logout
  GET /api/users/@me/proofs
  POST /api/users/@me/proofs/passkey
  POST /api/users/@me/proofs/passkey/options
  POST /api/users/@me/proofs/providers/{provider}/start
  GET /api/users/@me/identities
  DELETE /api/users/@me/identities/{provider}
  POST /api/users/@me/identities/{provider}/start`

test('FACTOR-11: where everybody needs one, no other route is open without it', async () => {
  const [care, withoutAccount] = [ACCOUNT_CARE, needsNoAccount].map(
    (list) => new Set(list.trim().split(/\s*\n\s*/)),
  )
  assert.ok(care && withoutAccount)
  const response = await server.fetch('/api/docs/json')
  const { paths }: { paths: Record<string, Record<string, { security?: unknown[] }>> } = JSON.parse(
    await response.text(),
  )
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  assert.ok([...care].every((route) => routes.includes(route)))
  await under('everybody', async () => {
    assert.equal((await factorsOf(ada).get()).is_needed, true)
    for (const [index, route] of routes.entries()) {
      // One of them logs out.
      const person: Person = care.has(route) ? await createPerson(server, `carer${index}`) : ada
      const [method = '', pattern = ''] = route.split(' ')
      const path = pattern.replaceAll(/\{\w+\}/g, newId())
      const { code }: { code: string | null } = await person.call(
        method,
        path,
        method === 'GET' ? undefined : '{"no',
      )
      if (withoutAccount.has(route) || care.has(route)) assert.notEqual(code, 'second_factor_needed', route)
      else assert.equal(code, 'second_factor_needed', route)
    }
  })
})

test('FACTOR-11: the gateway lets nobody in without it, and closes connections that are open', async () => {
  const [open, bot] = [await identify(server, identityOf(ada)), await createBot(server, `helper${count}`)]
  const strong = await createOwner(server, `strong${count}`)
  const { secret } = await turnOn(strong)
  const staying = await identify(server, identityOf(strong))
  await open.findEvent('READY')
  // Not that of READY: ids of a process in which another test moved the clock are in the future.
  const s = firstIdAt(Date.now() - 1000)
  await under('everybody', async () => {
    assert.equal(await open.closed, CloseCode.Unknown)
    const refused = await tryToConnect(ada, Opcode.Identify)
    assert.equal(await refused.closed, CloseCode.SecondFactorNeeded)
    const resumed = await tryToConnect(ada, Opcode.Resume, { s })
    assert.equal(await resumed.closed, CloseCode.SecondFactorNeeded)
    const ofBot = await openGateway(server)
    ofBot.send(Opcode.Identify, { token: bot.token })
    await ofBot.findEvent('READY')
    assert.equal((await bot.call('GET', '/api/users/@me')).status, 200)
    await staying.settle()
    await weaken(strong)
    assert.equal((await strong.call('GET', '/api/users/@me/friends')).code, 'second_factor_needed')
    await factorsOf(strong).confirmSession({ code: codeAt(secret, 0) })
    assert.equal((await strong.call('GET', '/api/users/@me/friends')).status, 200)
    await turnOn(ada)
    await (await tryToConnect(ada, Opcode.Identify)).findEvent('READY')
    ofBot.close()
  })
  staying.close()
})

test('FACTOR-11: it ends with the rule', async () => {
  await under('everybody', async () => {
    assert.equal((await ada.call('GET', '/api/users/@me/friends')).code, 'second_factor_needed')
    const { code } = await (await createPerson(server, `new${count}`)).call('GET', '/api/users/@me/friends')
    assert.equal(code, 'second_factor_needed')
  })
  assert.equal((await ada.call('GET', '/api/users/@me/friends')).status, 200)
})
