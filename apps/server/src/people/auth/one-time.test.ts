import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { SecondFactors } from '@foyer/sdk/api/second-factors'
import { hashToken, newId } from '#src/kernel/ids.ts'
import { AttemptLimits } from '#src/kernel/limits/attempt-limits.ts'
import { LocalCounters } from '#src/kernel/limits/local-counters.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { emailOf, send } from '#test/scenes/accounts.ts'
import {
  addPasskey,
  createOwner,
  loginOptions,
  PASSKEY_ORIGIN,
  proof,
  sendLogin,
} from '#test/scenes/passkeys.ts'
import type { Person } from '#test/scenes/people.ts'
import { awaitSteadyPeriod, codeAt } from '#test/scenes/second-factors.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { begin, callBack } from '#test/sign-in/attack.ts'
import { SignInBrowser } from '#test/sign-in/browser.ts'
import { type HostileProvider, startHostileProvider } from '#test/sign-in/hostile-provider.ts'
import { createMailToken, type MailPurpose } from './mail-tokens.ts'
import { insertProof } from './owner-proofs/queries.ts'
import { confirmSession } from './second-factors/confirmed-sessions.ts'

/** Uses of each thing that counts once, such as ONE_TIME_USES=10000 for a long run. */
const USES = Number(process.env.ONE_TIME_USES ?? 300)
/** Uses under way at the same moment. */
const AT_ONCE = 100

let provider: HostileProvider
let server: TestServer
let ada: Person
let name: string
let count = 0

before(async () => {
  provider = await startHostileProvider()
  server = await startOwnServer({ publicUrl: PASSKEY_ORIGIN, oidcProviders: [provider.settings] })
})
after(async () => {
  await server.close()
  await provider.close()
})
beforeEach(async () => {
  count += 1
  name = `ada${count}`
  ada = await createOwner(server, name)
})

/** Uses the thing many times at once. @returns how often each outcome came */
async function useOften(use: () => Promise<string>): Promise<Record<string, number>> {
  const outcomes = new Map<string, number>()
  let left = USES
  async function keepUsing(): Promise<void> {
    while (left > 0) {
      left -= 1
      const outcome = await use()
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, keepUsing))
  return Object.fromEntries(outcomes)
}

/** Returns the outcomes of one success among refusals of one kind. */
const once = (refusal: string) => ({ used: 1, [refusal]: USES - 1 })

const outcomeOf = ({ status, code }: { status: number; code: string | null }) =>
  status < 300 ? 'used' : String(code)

/** Without the limit of ten attempts, which would end this after ten. */
async function confirmBy(code: string): Promise<string> {
  const attempts = new AttemptLimits(new LocalCounters())
  const session = { userId: ada.id, sessionId: newId() }
  return confirmSession({ ...server.deps, attempts }, session, code).then(
    () => 'used',
    (error) => String(error.code),
  )
}

async function turnOn(): Promise<{ secret: string; codes: string[] }> {
  await awaitSteadyPeriod()
  const factors = ada.client.api(SecondFactors)
  const { secret } = await factors.prepareTotp(proof)
  const { codes } = await factors.confirmTotp({ code: codeAt(secret, -1) })
  return { secret, codes }
}

test('FACTOR-3: of many uses of a code of an app at once, one counts', async () => {
  const { secret } = await turnOn()
  const code = codeAt(secret, 1)
  assert.deepEqual(await useOften(() => confirmBy(code)), once('wrong_code'))
})

test('FACTOR-3: of many uses of a recovery code at once, one counts', async () => {
  const [code = ''] = (await turnOn()).codes
  assert.deepEqual(await useOften(() => confirmBy(code)), once('wrong_code'))
})

for (const [purpose, path] of [
  ['verify', '/api/auth/verify'],
  ['change-email', '/api/auth/change-email'],
] as const satisfies [MailPurpose, string][])
  test(`AUTH-18: of many uses of a mailed link at once, one counts: ${purpose}`, async () => {
    const owner = { user_id: ada.id, email: purpose === 'verify' ? emailOf(name) : emailOf(`new.${name}`) }
    await server.deps.database.execute(sql`update users set email = ${emailOf(name)} where id = ${ada.id}`)
    const token = await createMailToken(server.deps.database, purpose, owner)
    const use = async () => outcomeOf(await send(server, 'POST', path, { body: { token } }))
    assert.deepEqual(await useOften(use), once('invalid_token'))
  })

test('PASSKEY-4: of many uses of a challenge at once, one counts', async () => {
  const { device } = await addPasskey(ada)
  const credential = device.use(await loginOptions(server))
  const use = async () => outcomeOf(await sendLogin(server, credential))
  assert.deepEqual(await useOften(use), once('passkey_challenge_ended'))
})

test('FACTOR-13: of many uses of a fresh proof at once, one counts', async () => {
  const session = { userId: ada.id, sessionId: await sessionOfAda() }
  const kind = { kind: 'provider', isConfirmed: true, seconds: 600 } as const
  await insertProof(server.deps.database, { hash: hashToken(name), ...session, ...kind })
  const request = { headers: { ...ada.credentials }, body: { proof: name } }
  const use = async () => outcomeOf(await send(server, 'POST', '/api/users/@me/second-factors/totp', request))
  assert.deepEqual(await useOften(use), once('proof_ended'))
})

async function sessionOfAda(): Promise<string> {
  const [row] = await server.deps.database.query<{ id: string }>(
    sql`select id from sessions where user_id = ${ada.id}`,
  )
  return row?.id ?? ''
}

test('OIDC-3 and OIDC-4: of many uses of a callback and of its ticket at once, one counts', async () => {
  const { issuer } = provider.settings
  await server.deps.database.execute(sql`
    insert into identities (issuer, subject, user_id) values (${issuer}, 'mallory', ${ada.id})`)
  const { browser, ...begun } = await begin(server, provider)
  provider.tokens = { id_token: await provider.sign(provider.claims({ nonce: begun.nonce })) }
  let arrived = browser
  const finish = async () => {
    const own = copyOf(browser)
    const outcome = await callBack(server, provider, { browser: own, ...begun })
    if (outcome !== 'ticket') return outcome
    arrived = own
    return 'used'
  }
  assert.deepEqual(await useOften(finish), once('no_ticket'))
  const logIn = async () => {
    const response = await copyOf(arrived).post(`${server.url}/api/auth/oidc/login`, {})
    await response.arrayBuffer()
    return outcomeOf({ status: response.status, code: response.headers.get('x-error-code') })
  }
  assert.deepEqual(await useOften(logIn), once('no_ticket'))
})

/** Keeps the cookies of before, as somebody does who has copied them. */
function copyOf({ cookies }: SignInBrowser): SignInBrowser {
  const copy = new SignInBrowser()
  for (const [cookie, kept] of cookies) copy.cookies.set(cookie, kept)
  return copy
}
