import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import { sql } from '#src/kernel/sql/sql.ts'
import { Registration } from '#src/people/registration/settings.ts'
import { codeOf, send, sendSignUp } from '#test/scenes/accounts.ts'
import { createOperator } from '#test/scenes/operators.ts'
import type { Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let space: TestSpace
let count = 0

before(async () => {
  server = await startOwnServer()
  ada = await createOperator(server, 'ada')
  space = await makeSpace(ada)
})
after(() => server.close())
beforeEach(async () => {
  count += 1
  await ada.client.api(Administration).updateRegistration({ mode: 'open', question: null, domains: [] })
})

const signUp = (name: string, more: Record<string, unknown> = {}) => sendSignUp(server, name, more)

const setRules = (rules: Parameters<Administration['updateRegistration']>[0]) =>
  ada.client.api(Administration).updateRegistration(rules)

test('REGISTRATION-1: a server is open to everyone unless REGISTRATION says otherwise', async () => {
  const answer = await signUp(`free${count}`)
  assert.equal(answer.status, 200)
  const closed = await startOwnServer({ registration: 'closed', registrationDomains: ['example.org'] })
  try {
    const { registration } = JSON.parse((await send(closed, 'GET', '/api/instance')).text)
    assert.deepEqual(registration, { mode: 'closed', question: null, has_domain_rule: true })
    assert.equal((await sendSignUp(closed, 'first')).status, 200, 'the first account is the operator')
    assert.deepEqual(await codeOf(sendSignUp(closed, 'second')), [403, 'registration_closed'])
  } finally {
    await closed.close()
  }
})

test('REGISTRATION-1: the environment decides about the rules that operators have not changed', async () => {
  const other = await startOwnServer({ registration: 'closed', registrationDomains: ['example.org'] })
  try {
    const eve = await createOperator(other, 'eve')
    const saved = await eve.client.api(Administration).updateRegistration({ puzzle: 'always' })
    assert.deepEqual(saved, { mode: 'closed', question: null, domains: ['example.org'], puzzle: 'always' })
    const elsewhere = new Registration(other.deps, {
      registration: 'open',
      registrationDomains: [],
      signupPuzzle: 'off',
      firstBecomesOperator: true,
    })
    assert.deepEqual(await elsewhere.read(other.deps.database), {
      mode: 'open',
      question: null,
      domains: [],
      puzzle: 'always',
    })
    await eve.client.api(Administration).updateRegistration({ mode: 'approval', question: 'Who are you?' })
    await eve.client.api(Administration).updateRegistration({ domains: [] })
    const { mode, question } = await eve.client.api(Administration).getRegistration()
    assert.deepEqual([mode, question], ['approval', 'Who are you?'])
    assert.equal((await eve.client.api(Administration).updateRegistration({ question: null })).question, null)
  } finally {
    await other.close()
  }
})

test('REGISTRATION-1: operators change the rules while the server runs, and anyone sees the mode', async () => {
  const question = 'How do you know us?'
  const rules = await setRules({ mode: 'approval', question, domains: ['Example.ORG', 'bücher.example'] })
  assert.deepEqual(rules.domains, ['example.org', 'xn--bcher-kva.example'])
  const shown = (await ada.client.instance.get()).registration
  assert.deepEqual(shown, { mode: 'approval', question, has_domain_rule: true })
  await setRules({ mode: 'invite' })
  assert.deepEqual((await ada.client.instance.get()).registration, {
    mode: 'invite',
    question: null,
    has_domain_rule: true,
  })
  assert.deepEqual(await ada.client.api(Administration).getRegistration(), { ...rules, mode: 'invite' })
  const bad = await ada.call('PATCH', '/api/operator/registration', { domains: ['not a domain'] })
  assert.deepEqual([bad.status, bad.code], [400, 'invalid_request'])
  const [entry] = (await ada.client.api(Administration).log({ action: 'registration_update' })).entries
  assert.deepEqual(entry?.details, { before: rules, after: { ...rules, mode: 'invite' } })
})

test('REGISTRATION-2: in mode invite, an invite to a space or of an operator opens the door', async () => {
  await setRules({ mode: 'invite' })
  const { code } = await ada.client.invites.create(space.id, space.general)
  assert.deepEqual(await codeOf(signUp(`none${count}`)), [403, 'invite_required'])
  assert.deepEqual(await codeOf(signUp(`none${count}`, { invite: '' })), [403, 'invite_required'])
  assert.deepEqual(await codeOf(signUp(`none${count}`, { invite: 'guess' })), [403, 'invite_unusable'])
  assert.equal((await signUp(`guest${count}`, { invite: code })).status, 200)
  const { code: own } = await ada.client.api(Administration).createInvite({ note: 'for Bea' })
  assert.equal((await signUp(`bea${count}`, { invite: own })).status, 200)
  assert.deepEqual(await codeOf(signUp(`late${count}`, { invite: own })), [403, 'invite_unusable'])
  await ada.client.api(Administration).freezeSpace(space.id)
  assert.deepEqual(await codeOf(signUp(`late${count}`, { invite: code })), [403, 'invite_unusable'])
  await ada.client.api(Administration).unfreezeSpace(space.id)
})

test('REGISTRATION-3: an invite of an operator makes as many accounts as it says, also for several at once', async () => {
  await setRules({ mode: 'invite' })
  const invite = await ada.client.api(Administration).createInvite({ max_uses: 2 })
  const answers = await Promise.all(
    ['a', 'b', 'c', 'd'].map((each) => signUp(`crowd${each}${count}`, { invite: invite.code })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 403, 403])
  assert.deepEqual(
    (await ada.client.api(Administration).listInvites()).filter(({ id }) => id === invite.id),
    [],
    'a used-up invite is not listed',
  )
  const other = await ada.client.api(Administration).createInvite({ max_uses: 0, max_age: 0 })
  assert.equal(other.expires_at, null)
  await ada.client.api(Administration).deleteInvite(other.id)
  await assert.rejects(ada.client.api(Administration).deleteInvite(other.id), { code: 'unknown_invite' })
  assert.deepEqual(await codeOf(signUp(`x${count}`, { invite: other.code })), [403, 'invite_unusable'])
  const expired = await ada.client.api(Administration).createInvite()
  await server.deps.database.execute(
    sql`update operator_invites set expires_at = now() where id = ${expired.id}`,
  )
  assert.deepEqual(await codeOf(signUp(`x${count}`, { invite: expired.code })), [403, 'invite_unusable'])
})

test('REGISTRATION-4: a closed server accepts nobody, with an invite neither', async () => {
  await setRules({ mode: 'closed' })
  const { code } = await ada.client.api(Administration).createInvite()
  assert.deepEqual(await codeOf(signUp(`no${count}`, { invite: code })), [403, 'registration_closed'])
  const { body } = await signUp(`no${count}`)
  assert.deepEqual(body, { error: 'this server accepts no new accounts' })
})

test('REGISTRATION-5: a new address of an account obeys the rule, too', async () => {
  const { auth } = await server.signUp(`mover${count}`)
  await setRules({ domains: ['allowed.example'] })
  const change = (domain: string) =>
    auth.sendEmailChange({ email: `mover${count}@${domain}`, password: TEST_PASSWORD })
  await assert.rejects(change('example.com'), { status: 403, code: 'email_domain_refused' })
  await change('allowed.example')
})

test('REGISTRATION-5: only addresses of the listed mail domains are accepted, but for invites of operators', async () => {
  await setRules({ domains: ['allowed.example', 'bücher.example'] })
  const at = (name: string, domain: string, more = {}) =>
    signUp(`${name}${count}`, { email: `${name}${count}@${domain}`, ...more })
  assert.deepEqual(await codeOf(at('a', 'example.org')), [403, 'email_domain_refused'])
  assert.deepEqual(await codeOf(at('a', 'sub.allowed.example')), [403, 'email_domain_refused'])
  assert.deepEqual(await codeOf(at('a', 'allowed.example.org')), [403, 'email_domain_refused'])
  assert.equal((await at('b', 'ALLOWED.example')).status, 200)
  assert.equal((await at('c', 'bücher.example')).status, 200)
  const { code } = await ada.client.api(Administration).createInvite()
  assert.equal((await at('d', 'example.org', { invite: code })).status, 200)
})

test('REGISTRATION-4: whoever has the link for the first operator gets an account on a closed server', async () => {
  const closed = await startOwnServer({ registration: 'closed', publicUrl: 'https://chat.example.org' })
  try {
    assert.deepEqual(await codeOf(sendSignUp(closed, 'first')), [403, 'registration_closed'])
    const token = new URL(closed.claimLink ?? '').hash.slice(1)
    assert.equal((await sendSignUp(closed, 'owner', { invite: token })).status, 200)
    assert.deepEqual(await codeOf(sendSignUp(closed, 'guess', { invite: `${token}x` })), [
      403,
      'registration_closed',
    ])
  } finally {
    await closed.close()
  }
})
