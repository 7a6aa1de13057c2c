import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { OwnerProofs } from '@foyer/sdk/api/owner-proofs'
import { SecondFactors } from '@foyer/sdk/api/second-factors'
import { sql } from '#src/kernel/sql/sql.ts'
import { type Lies, SoftwareAuthenticator } from '#test/outside/authenticator.ts'
import { awaitMail } from '#test/outside/mailbox.ts'
import { emailOf } from '#test/scenes/accounts.ts'
import {
  addPasskey,
  createOwner,
  loginOptions,
  PASSKEY_ORIGIN,
  passkeysOf,
  proof,
  sendLogin,
} from '#test/scenes/passkeys.ts'
import type { Person } from '#test/scenes/people.ts'
import { awaitSteadyPeriod, codeAt } from '#test/scenes/second-factors.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { unusedProvider } from '#test/sign-in/unused-provider.ts'

let server: TestServer
let ada: Person
let name: string
let device: SoftwareAuthenticator
let count = 0

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

const proofsOf = ({ client }: Pick<Person, 'client'>) => client.api(OwnerProofs)

async function forgetPassword({ id }: Person): Promise<void> {
  await server.deps.database.execute(sql`update users set password_hash = null where id = ${id}`)
}

async function prove(owner = ada, by = device, lies: Lies = {}): Promise<string> {
  const credential = by.use(await proofsOf(owner).preparePasskey(), lies)
  return (await proofsOf(owner).byPasskey({ credential })).proof
}

test('PASSKEY-9: a passkey proves who is there, where the account has no password', async () => {
  await assert.rejects(proofsOf(ada).preparePasskey(), { status: 400, code: 'password_required' })
  await forgetPassword(ada)
  assert.deepEqual(await proofsOf(ada).ways(), { password: false, code: false, passkey: true, providers: [] })
  const fresh = await prove()
  const { challenge } = await passkeysOf(ada).prepare({ proof: fresh })
  assert.ok(challenge)
  await assert.rejects(passkeysOf(ada).prepare({ proof: fresh }), { status: 400, code: 'proof_ended' })
  await ada.client.users.deleteMe({ proof: await prove() })
})

test('PASSKEY-9: no code is needed', async () => {
  await awaitSteadyPeriod()
  const factors = ada.client.api(SecondFactors)
  const { secret } = await factors.prepareTotp(proof)
  await factors.confirmTotp({ code: codeAt(secret, 0) })
  await forgetPassword(ada)
  assert.equal((await factors.renewRecoveryCodes({ proof: await prove() })).codes.length, 10)
})

test('PASSKEY-9: the passkey of another, one without a check of the person, and one for another page prove nothing', async () => {
  await forgetPassword(ada)
  const bob = await createOwner(server, `bob${count}`)
  const { device: own } = await addPasskey(bob)
  const refused = { status: 400, code: 'passkey_refused' }
  await assert.rejects(prove(ada, own), refused)
  const unknown = new SoftwareAuthenticator(PASSKEY_ORIGIN)
  await assert.rejects(prove(ada, unknown, { userHandle: 'AAAA' }), refused)
  for (const lies of [{ isVerified: false }, { origin: 'https://evil.example' }, { userHandle: 'AAAA' }])
    await assert.rejects(prove(ada, device, lies), refused, JSON.stringify(lies))
  assert.ok(await prove())
})

test('PASSKEY-9: a challenge counts once, in its session, and for what it was made', async () => {
  await forgetPassword(ada)
  await forgetPassword(await createOwner(server, `eve${count}`))
  const ended = { status: 400, code: 'passkey_challenge_ended' }
  const options = await proofsOf(ada).preparePasskey()
  const creation = {
    ...(await passkeysOf(ada).prepare({ proof: await prove() })),
    challenge: options.challenge,
  }
  const credential = new SoftwareAuthenticator(PASSKEY_ORIGIN).create(creation)
  await assert.rejects(passkeysOf(ada).add({ name: 'Key', credential }), ended)
  const login = await sendLogin(server, device.use(options))
  assert.equal(login.code, 'passkey_challenge_ended')
  const forLogin = device.use(await loginOptions(server))
  await assert.rejects(proofsOf(ada).byPasskey({ credential: forLogin }), ended)
  const used = device.use(options)
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, () => proofsOf(ada).byPasskey({ credential: used })),
  )
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('PASSKEY-9: it is not offered to an account without a passkey', async () => {
  const carl = await createOwner(server, `carl${count}`)
  await forgetPassword(carl)
  await assert.rejects(proofsOf(carl).preparePasskey(), { status: 404, code: 'unknown_passkey' })
  assert.equal((await proofsOf(carl).ways()).passkey, false)
})

test('PASSKEY-9: one that may have been copied proves nothing, and its account gets a mail', async () => {
  await forgetPassword(ada)
  await prove(ada, device, { counter: 5 })
  await assert.rejects(prove(ada, device, { counter: 5 }), { status: 400, code: 'passkey_refused' })
  assert.match(await awaitMail(server, emailOf(name), { subject: 'A passkey was refused' }), /copied/)
})

test('FACTOR-13: where passwords are off, an account with one proves itself by a passkey, too', async () => {
  const oidcProviders = [unusedProvider('main')]
  const off = await startOwnServer({ publicUrl: PASSKEY_ORIGIN, passwordLogin: false, oidcProviders })
  try {
    const eva = await createOwner(off, 'eva')
    const { device: own } = await addPasskey(eva)
    assert.deepEqual(await proofsOf(eva).ways(), {
      password: true,
      code: false,
      passkey: true,
      providers: [],
    })
    await eva.client.users.deleteMe({ proof: await prove(eva, own) })
  } finally {
    await off.close()
  }
})
