import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import { upkeepJobs } from '#src/jobs/upkeep.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { awaitMail, listMails, tokenIn } from '#test/outside/mailbox.ts'
import { codeOf, emailOf, send, sendSignUp, tryLogin } from '#test/scenes/accounts.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
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

test('REGISTRATION-6: an application is no account until an operator approves it, and its person is told so', async () => {
  await setRules({ mode: 'approval', question: 'Why?' })
  const name = `kim${count}`
  assert.deepEqual(await codeOf(signUp(name)), [400, 'answer_required'])
  assert.deepEqual(await codeOf(signUp(name, { answer: '  ' })), [400, 'answer_required'])
  assert.deepEqual(await codeOf(signUp(name, { answer: 'I know Ada' })), [403, 'approval_pending'])
  assert.deepEqual(await codeOf(signUp(name, { answer: 'again' })), [400, 'username_taken'])
  assert.equal((await ada.call('GET', `/api/users/by-username/${name}`)).code, 'unknown_user')
  assert.equal((await tryLogin(server, emailOf(name))).code, 'approval_pending')
  assert.equal((await tryLogin(server, name)).code, 'approval_pending')
  assert.equal((await tryLogin(server, emailOf(name), 'wrong password')).code, 'invalid_login')
  const [waiting] = await ada.client.api(Administration).listRegistrations()
  assert.deepEqual(
    [waiting?.username, waiting?.email_domain, waiting?.question, waiting?.answer],
    [name, 'example.org', 'Why?', 'I know Ada'],
  )
  assert.doesNotMatch(JSON.stringify(waiting), new RegExp(`${name}@|argon2|${TEST_PASSWORD}`))
  const { id = '' } = waiting ?? {}
  await ada.client.api(Administration).approveRegistration(id)
  assert.equal((await tryLogin(server, emailOf(name))).status, 200)
  const found = await ada.client.users.get(id)
  assert.deepEqual([found.username, found.email_verified], [name, false])
  const token = tokenIn(await awaitMail(server, emailOf(name), { subject: 'Your account at' }))
  assert.equal((await send(server, 'POST', '/api/auth/verify', { body: { token } })).status, 204)
  await assert.rejects(ada.client.api(Administration).approveRegistration(id), {
    code: 'unknown_registration',
  })
  await assert.rejects(ada.client.api(Administration).refuseRegistration(id), {
    code: 'unknown_registration',
  })
  assert.deepEqual(await ada.client.api(Administration).listRegistrations(), [])
})

test('REGISTRATION-7: a refused application is deleted, its person gets the message, and its name is free', async () => {
  await setRules({ mode: 'approval' })
  const name = `lou${count}`
  await signUp(name)
  const [{ id } = { id: '' }] = await ada.client.api(Administration).listRegistrations()
  await ada.client.api(Administration).refuseRegistration(id, { message: 'We only take gardeners.' })
  const mail = await awaitMail(server, emailOf(name), { subject: 'Your application at' })
  assert.match(mail, /We only take gardeners\./)
  assert.equal((await tryLogin(server, emailOf(name))).code, 'invalid_login')
  await setRules({ mode: 'open' })
  assert.equal((await signUp(name)).status, 200)
  const [entry] = (await ada.client.api(Administration).log({ target_id: id })).entries
  assert.deepEqual(
    [entry?.action, entry?.target_type, entry?.target_name],
    ['registration_refuse', 'registration', null],
  )
})

test('REGISTRATION-7: without a message, a refused person gets no mail', async () => {
  await setRules({ mode: 'approval' })
  const name = `mia${count}`
  await signUp(name)
  const [{ id } = { id: '' }] = await ada.client.api(Administration).listRegistrations()
  await ada.client.api(Administration).refuseRegistration(id)
  const jobs = await server.deps.database.query(
    sql`select from graphile_worker.jobs where task_identifier = 'mail_registration_refused'`,
  )
  assert.deepEqual([jobs.length, await listMails(server, emailOf(name))], [0, []])
})

test('REGISTRATION-9, OPERATOR-6: upkeep deletes applications of a month ago and log entries of a year ago', async () => {
  await setRules({ mode: 'approval' })
  await signUp(`old${count}`)
  await signUp(`new${count}`)
  const { database } = server.deps
  await database.execute(sql`
    update registrations set created_at = now() - interval '31 days' where username = ${`old${count}`}`)
  await database.execute(sql`
    update operator_log set created_at = now() - interval '366 days' where action = 'registration_refuse'`)
  await upkeepJobs(server.deps).handlers.sweep?.({})
  const left = await ada.client.api(Administration).listRegistrations()
  assert.deepEqual(
    left.map(({ username }) => username),
    [`new${count}`],
  )
  assert.deepEqual((await ada.client.api(Administration).log({ action: 'registration_refuse' })).entries, [])
  assert.notDeepEqual(
    (await ada.client.api(Administration).log({ action: 'registration_update' })).entries,
    [],
  )
  assert.deepEqual(await listMails(server, emailOf(`old${count}`)), [])
  await ada.client.api(Administration).refuseRegistration(left[0]?.id ?? '')
})

test('REGISTRATION-6: an application holds its name and address, also while the server is open', async () => {
  await setRules({ mode: 'approval' })
  const name = `max${count}`
  await signUp(name)
  await setRules({ mode: 'open' })
  assert.deepEqual(await codeOf(signUp(name, { email: 'x@example.org' })), [400, 'username_taken'])
  assert.deepEqual(await codeOf(signUp(`y${count}`, { email: emailOf(name) })), [400, 'email_taken'])
  const [{ id } = { id: '' }] = await ada.client.api(Administration).listRegistrations()
  const other = await createPerson(server, `z${count}`)
  await assert.rejects(other.client.users.updateMe({ username: name }), {
    code: 'username_taken',
  })
  const lock = await holdLock(server, sql`update users set username = ${name} where id = ${other.id}`)
  const approved = assert.rejects(ada.client.api(Administration).approveRegistration(id), {
    code: 'username_taken',
  })
  await lock.waitForBlocked(1)
  await lock.release()
  await approved
  await ada.client.api(Administration).refuseRegistration(id)
})

test('REGISTRATION-6: an invite of an operator needs no approval, and one to a space does', async () => {
  await setRules({ mode: 'approval' })
  const { code } = await ada.client.api(Administration).createInvite()
  assert.equal((await signUp(`nan${count}`, { invite: code })).status, 200)
  const ofSpace = await ada.client.invites.create(space.id, space.general)
  assert.deepEqual(await codeOf(signUp(`oli${count}`, { invite: ofSpace.code })), [403, 'approval_pending'])
  const [{ id } = { id: '' }] = await ada.client.api(Administration).listRegistrations()
  await ada.client.api(Administration).refuseRegistration(id)
})

test('REGISTRATION-8: an answer of more than 2,000 characters is refused, however long it is', async () => {
  await setRules({ mode: 'approval', question: 'Why?' })
  const long = await signUp(`pat${count}`, { answer: 'x'.repeat(1024 * 1024) })
  assert.deepEqual([long.status, long.code], [400, 'invalid_request'])
  assert.match(long.text, /answer/)
  assert.ok(long.text.length < 500)
  assert.deepEqual(await codeOf(signUp(`pat${count}`, { answer: 'x'.repeat(2001) })), [
    400,
    'invalid_request',
  ])
  assert.deepEqual(await ada.client.api(Administration).listRegistrations(), [])
  assert.deepEqual(await codeOf(signUp(`pat${count}`, { answer: 'ü'.repeat(2000) })), [
    403,
    'approval_pending',
  ])
})
