import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import { SecondFactors } from '@foyer/sdk/api/second-factors'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { type Lies, SoftwareAuthenticator } from '#test/outside/authenticator.ts'
import { awaitMail, tokenIn } from '#test/outside/mailbox.ts'
import { emailOf, send } from '#test/scenes/accounts.ts'
import { createOperator } from '#test/scenes/operators.ts'
import {
  addPasskey,
  createOwner,
  logInWith,
  loginOptions,
  PASSKEY_ORIGIN,
  passkeysOf,
  proof,
} from '#test/scenes/passkeys.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { codeAt } from '#test/scenes/second-factors.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let name: string
let count = 0

before(async () => {
  server = await startOwnServer({ publicUrl: PASSKEY_ORIGIN })
})
after(() => server.close())
beforeEach(async () => {
  count += 1
  name = `ada${count}`
  ada = await createOwner(server, name)
})

const newDevice = () => new SoftwareAuthenticator(PASSKEY_ORIGIN)

/** Makes a credential for new options. */
async function made(lies: Lies = {}, device = newDevice()) {
  return device.create(await passkeysOf(ada).prepare(proof), lies)
}

test('PASSKEY-1: a person adds, names, lists and removes passkeys', async () => {
  assert.deepEqual(await passkeysOf(ada).list(), [])
  const options = await passkeysOf(ada).prepare(proof)
  assert.deepEqual(options.rp, { id: 'chat.example.org', name: 'Foyer' })
  assert.deepEqual(options.authenticatorSelection, {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  })
  assert.deepEqual([options.attestation, options.excludeCredentials], ['none', []])
  const device = newDevice()
  const added = await passkeysOf(ada).add({
    name: ' Phone ',
    credential: device.create(options, { isBackedUp: true }),
  })
  assert.deepEqual([added.name, added.is_backed_up, added.last_used_at], ['Phone', true, null])
  const { excludeCredentials } = await passkeysOf(ada).prepare(proof)
  assert.deepEqual(excludeCredentials, [{ id: device.id, type: 'public-key', transports: ['internal'] }])
  assert.equal((await passkeysOf(ada).update(added.id, { name: 'Tablet' })).name, 'Tablet')
  assert.deepEqual(await passkeysOf(ada).list(), [{ ...added, name: 'Tablet' }])
  await passkeysOf(ada).delete(added.id, proof)
  assert.deepEqual(await passkeysOf(ada).list(), [])
  await assert.rejects(passkeysOf(ada).delete(added.id, proof), { code: 'unknown_passkey' })
})

test('PASSKEY-1: asking for options and removing need the password, and a code of a second factor', async () => {
  const { passkey } = await addPasskey(ada)
  const wrong = { password: 'wrong' }
  await assert.rejects(passkeysOf(ada).prepare(wrong), { status: 400, code: 'wrong_password' })
  await assert.rejects(passkeysOf(ada).delete(passkey.id, wrong), { status: 400, code: 'wrong_password' })
  const factors = ada.client.api(SecondFactors)
  const { secret } = await factors.prepareTotp(proof)
  const { codes } = await factors.confirmTotp({ code: codeAt(secret, 0) })
  await assert.rejects(passkeysOf(ada).prepare(proof), { code: 'code_required' })
  await assert.rejects(passkeysOf(ada).delete(passkey.id, proof), { code: 'code_required' })
  assert.equal((await passkeysOf(ada).list()).length, 1)
  const [first = '', second = ''] = codes
  await passkeysOf(ada).prepare({ ...proof, code: first })
  await passkeysOf(ada).delete(passkey.id, { ...proof, code: second })
  assert.deepEqual(await passkeysOf(ada).list(), [])
})

test('PASSKEY-1: the 21st is refused, also of several at once', async () => {
  for (let index = 0; index < 18; index += 1) await addPasskey(ada)
  const credentials = [await made(), await made(), await made(), await made()]
  const results = await Promise.allSettled(
    credentials.map((credential) => passkeysOf(ada).add({ name: 'Key', credential })),
  )
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 2)
  for (const result of results)
    if (result.status === 'rejected') assert.equal(result.reason.code, 'too_many_passkeys')
  assert.equal((await passkeysOf(ada).list()).length, 20)
  await assert.rejects(passkeysOf(ada).prepare(proof), { status: 400, code: 'too_many_passkeys' })
})

test('PASSKEY-1: passkeys of others cannot be seen, renamed or removed', async () => {
  const { passkey } = await addPasskey(ada)
  const bob = await createOwner(server, `bob${count}`)
  assert.deepEqual(await passkeysOf(bob).list(), [])
  for (const id of [passkey.id, newId()]) {
    await assert.rejects(passkeysOf(bob).update(id, { name: 'mine' }), { code: 'unknown_passkey' })
    await assert.rejects(passkeysOf(bob).delete(id, proof), { status: 404, code: 'unknown_passkey' })
  }
  assert.deepEqual(await passkeysOf(ada).list(), [passkey])
})

test('PASSKEY-3: a new passkey of another page, host or ceremony, or made without a check of the person, is refused', async () => {
  const lies: Lies[] = [
    { origin: 'https://chat.example.org.evil.example' },
    { origin: 'http://chat.example.org' },
    { host: 'evil.example' },
    { isVerified: false },
    { type: 'webauthn.get' },
  ]
  for (const lie of lies) {
    const refused = passkeysOf(ada).add({ name: 'Key', credential: await made(lie) })
    await assert.rejects(refused, { status: 400, code: 'passkey_refused' }, JSON.stringify(lie))
  }
  const credential = await made()
  const { id } = newDevice()
  const renamed = { ...credential, id, rawId: id }
  await assert.rejects(passkeysOf(ada).add({ name: 'Key', credential: renamed }), { code: 'passkey_refused' })
  assert.deepEqual(await passkeysOf(ada).list(), [])
  await passkeysOf(ada).add({ name: 'Key', credential: await made() })
})

test('PASSKEY-3: who made the device is not looked at', async () => {
  const attestation = { fmt: 'packed', attStmt: new Map([['x5c', 'no certificate']]) }
  const { id } = await passkeysOf(ada).add({ name: 'Key', credential: await made({ attestation }) })
  assert.equal((await passkeysOf(ada).list())[0]?.id, id)
})

test('PASSKEY-3: a passkey that is known already is refused, also for another account', async () => {
  const { device } = await addPasskey(ada)
  const bob = await createOwner(server, `bob${count}`)
  for (const person of [ada, bob]) {
    const copy = new SoftwareAuthenticator(PASSKEY_ORIGIN, device.id)
    await assert.rejects(addPasskey(person, 'Copy', copy), { status: 400, code: 'passkey_exists' })
  }
  assert.equal((await passkeysOf(ada).list()).length, 1)
  assert.deepEqual(await passkeysOf(bob).list(), [])
  assert.equal((await logInWith(server, device)).status, 200)
})

test('PASSKEY-4: a challenge adds one passkey, for its account, and not after its end', async () => {
  const ended = { status: 400, code: 'passkey_challenge_ended' }
  const options = await passkeysOf(ada).prepare(proof)
  const bob = await createOwner(server, `bob${count}`)
  await assert.rejects(passkeysOf(bob).add({ name: 'Key', credential: newDevice().create(options) }), ended)
  const forLogin = { challenge: (await loginOptions(server)).challenge }
  await assert.rejects(passkeysOf(ada).add({ name: 'Key', credential: await made(forLogin) }), ended)
  await passkeysOf(ada).add({ name: 'Key', credential: newDevice().create(options) })
  await assert.rejects(passkeysOf(ada).add({ name: 'Key', credential: newDevice().create(options) }), ended)
  const late = await made()
  await server.deps.database.execute(sql`update passkey_challenges set expires_at = now()`)
  await assert.rejects(passkeysOf(ada).add({ name: 'Key', credential: late }), ended)
  assert.equal((await passkeysOf(ada).list()).length, 1)
})

test('PASSKEY-6: adding and removing are mailed to the account', async () => {
  const { passkey } = await addPasskey(ada, 'Red key')
  await awaitMail(server, emailOf(name), { subject: 'A passkey was added' })
  await passkeysOf(ada).delete(passkey.id, proof)
  assert.match(await awaitMail(server, emailOf(name), { subject: 'A passkey was removed' }), /Red key/)
})

test('WAYBACK-3: the mail about a new passkey removes it, and what came later, but no earlier one', async () => {
  const earlier = await addPasskey(ada, 'Earlier')
  await awaitMail(server, emailOf(name), { subject: 'A passkey was added' })
  const stolen = await addPasskey(ada, 'Stolen')
  const second = { subject: 'A passkey was added', count: 2 }
  const token = tokenIn(await awaitMail(server, emailOf(name), second))
  const later = await addPasskey(ada, 'Later')
  await server.deps.database.execute(sql`
    insert into identities (issuer, subject, user_id) values ('https://id.example', ${name}, ${ada.id})`)
  const body = { token, password: 'a wholly new password' }
  assert.equal((await send(server, 'POST', '/api/auth/way-back', { body })).status, 204)
  for (const { device } of [stolen, later])
    assert.equal((await logInWith(server, device)).code, 'invalid_passkey')
  assert.equal((await logInWith(server, earlier.device)).status, 200)
  const left = sql`select from identities where user_id = ${ada.id}`
  assert.deepEqual(await server.deps.database.query(left), [])
})

test('PASSKEY-1: invalid bodies are 400 and change nothing', async () => {
  const root = '/api/users/@me/passkeys'
  const { passkey } = await addPasskey(ada)
  const credential = await made()
  const { response } = credential
  const bodies = [
    {},
    null,
    { name: 'Key' },
    { name: '', credential },
    { name: ' ', credential },
    { name: 'x'.repeat(101), credential },
    { name: 1, credential },
    { name: 'Key', credential: null },
    { name: 'Key', credential: { ...credential, type: 'password' } },
    { name: 'Key', credential: { ...credential, id: 'not base64!' } },
    { name: 'Key', credential: { ...credential, id: 'x'.repeat(2000) } },
    { name: 'Key', credential: { ...credential, response: { ...response, attestationObject: 7 } } },
    { name: 'Key', credential: { ...credential, response: { ...response, transports: 'usb' } } },
  ]
  for (const body of bodies)
    assert.equal((await ada.call('POST', root, body)).code, 'invalid_request', JSON.stringify(body))
  for (const clientDataJSON of ['e30', 'bnVsbA', 'AAAA', 'W10']) {
    const unreadable = { ...credential, response: { ...response, clientDataJSON } }
    const { code } = await ada.call('POST', root, { name: 'Key', credential: unreadable })
    assert.equal(code, 'passkey_refused', clientDataJSON)
  }
  for (const body of [{}, { name: null }, { name: '' }, { name: 'x'.repeat(101) }])
    assert.equal((await ada.call('PATCH', `${root}/${passkey.id}`, body)).code, 'invalid_request')
  for (const path of [`${root}/options`, `${root}/${passkey.id}`])
    for (const body of [{}, { password: 1 }, { ...proof, code: 1 }])
      assert.equal(
        (await ada.call(path.endsWith('options') ? 'POST' : 'DELETE', path, body)).code,
        'invalid_request',
      )
  const broken = { ...credential, response: { ...response, attestationObject: 'AAAA' } }
  assert.equal((await ada.call('POST', root, { name: 'Key', credential: broken })).code, 'passkey_refused')
  assert.deepEqual(await passkeysOf(ada).list(), [passkey])
})

test('PASSKEY-8: no answer contains a key, and passkeys go with the account', async () => {
  const { device } = await addPasskey(ada)
  const { text } = await send(server, 'GET', '/api/users/@me/passkeys', { headers: ada.credentials })
  assert.ok(!text.includes(device.id))
  assert.deepEqual(Object.keys(JSON.parse(text)[0]).sort(), [
    'created_at',
    'id',
    'is_backed_up',
    'last_used_at',
    'name',
  ])
  await passkeysOf(ada).prepare(proof)
  await ada.client.users.deleteMe(proof)
  const rows = await server.deps.database.query(sql`
    select user_id from passkeys where user_id = ${ada.id} union all
    select user_id from passkey_challenges where user_id = ${ada.id}`)
  assert.deepEqual(rows, [])
  assert.equal((await logInWith(server, device)).code, 'invalid_passkey')
})

test('PASSKEY-8: an operator who turns off a second factor removes passkeys, and nobody else does', async () => {
  const { device } = await addPasskey(ada)
  const operator = await createOperator(server, `operator${count}`)
  const stranger = await createPerson(server, `stranger${count}`)
  const path = `/api/operator/users/${ada.id}/second-factors`
  for (const person of [stranger, ada])
    assert.equal((await person.call('DELETE', path)).code, 'operator_only')
  const administration = operator.client.api(Administration)
  const [found] = await administration.findUsers({ query: ada.id })
  assert.deepEqual([found?.has_passkeys, found?.has_second_factor], [true, false])
  assert.equal((await administration.removeSecondFactor(ada.id)).has_passkeys, false)
  await administration.removeSecondFactor(ada.id)
  assert.equal((await logInWith(server, device)).code, 'invalid_passkey')
  await awaitMail(server, emailOf(name), { subject: 'Your passkeys were removed' })
  const { entries } = await administration.log({ target_id: ada.id })
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['user_second_factor_remove'],
  )
})
