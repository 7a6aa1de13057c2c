import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Exports } from '@foyer/sdk/api/exports'
import { Client } from '@foyer/sdk/client'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { awaitMail } from '#test/outside/mailbox.ts'
import { emailOf, logIn } from '#test/scenes/accounts.ts'
import {
  awaitExport,
  fetchExport,
  type Owner,
  orderExport,
  signUpOwner,
  textIn,
} from '#test/scenes/exports.ts'
import { callAsNobody, createBot, createPerson } from '#test/scenes/people.ts'
import { startOwnServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'
import { exportJobs } from './jobs.ts'

const root = '/api/users/@me/exports'

let server: TestServer
let ada: Owner
let name: string
let count = 0

before(async () => {
  server = await startOwnServer()
})
after(() => server.close())
beforeEach(async () => {
  count += 1
  name = `ada${count}`
  ada = await signUpOwner(server, name)
})

const mailing = () => ({ ...server.deps, publicUrl: server.url, serverName: 'Foyer' })
const sweep = () => exportJobs(mailing()).handlers.sweep_exports?.({})

async function setExpired(id: string): Promise<void> {
  await server.deps.database.execute(sql`update exports set expires_at = now() where id = ${id}`)
}

async function listStates(tenantId: string): Promise<string[]> {
  const rows = await server.deps.database.execute<{ state: string }>(
    sql`select state from attachments where tenant_id = ${tenantId} order by id`,
  )
  return rows.map(({ state }) => state)
}

test('EXPORT-1: it needs a proof that the owner is there', async () => {
  for (const [body, code] of [
    [{}, 'invalid_request'],
    [{ password: 'wrong horse battery' }, 'wrong_password'],
    [{ proof: 'made up' }, 'proof_ended'],
  ] as const)
    await assert.rejects(ada.exports.create(body), { status: 400, code })
  for (const body of [{ password: 7 }, [], null, { password: TEST_PASSWORD, user_id: newId() }]) {
    const answer = await (await createPerson(server, `odd${newId()}`)).call('POST', root, body)
    assert.equal(answer.status, 400)
  }
  assert.deepEqual(await ada.exports.list(), [])
})

test('EXPORT-1: outsiders are 401, and bots 403', async () => {
  const bot = await createBot(server, `bot${count}`)
  const paths = [
    ['POST', root],
    ['GET', root],
    ['GET', `${root}/${newId()}/download`],
  ] as const
  for (const [method, path] of paths) {
    assert.equal((await callAsNobody(server, method, path)).status, 401)
    const answer = await bot.call(method, path)
    assert.deepEqual([answer.status, answer.code], [403, 'bots_not_allowed'])
  }
})

test('EXPORT-1: one is made at a time, and none while one of the last 24 hours is there', async () => {
  const asked = await Promise.allSettled(Array.from({ length: 5 }, () => orderExport(ada)))
  assert.equal(asked.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const each of asked)
    if (each.status === 'rejected') assert.match(each.reason.code, /^export_(underway|too_soon)$/)
  const { id } = await awaitExport(ada)
  const refused = await server.fetch(root, {
    method: 'POST',
    headers: { ...ada.credentials, 'content-type': 'application/json' },
    body: JSON.stringify({ password: TEST_PASSWORD }),
  })
  assert.deepEqual([refused.status, refused.headers.get('x-error-code')], [429, 'export_too_soon'])
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait > 86_000 && wait <= 86_400, `${wait} s`)
  await setExpired(id)
  const second = await orderExport(ada)
  assert.notEqual(second.id, id)
  assert.deepEqual([second.state, second.size_bytes, second.ready_at], ['queued', null, null])
  await until(async () => !(await listStates(id)).includes('live'), 'the first one is deleted')
})

test('EXPORT-2: a mail says that it is ready, and has no address of it', async () => {
  await orderExport(ada)
  const { id } = await awaitExport(ada)
  const mail = await awaitMail(server, emailOf(name), { subject: 'The copy of your data at' })
  assert.match(mail, /Your data/)
  assert.doesNotMatch(mail, new RegExp(`${id}|storage|sig=`))
})

test('EXPORT-3: the address works for its owner only, and is for five minutes', async () => {
  const { id } = await orderExport(ada)
  const ready = await awaitExport(ada)
  assert.deepEqual([ready.id, ready.state, ready.failure], [id, 'ready', null])
  const { url, expires_at } = await ada.exports.download(id)
  const left = (Date.parse(expires_at) - Date.now()) / 1000
  assert.ok(left > 290 && left <= 300, `${left} s`)
  const answer = await server.fetch(url)
  assert.match(
    answer.headers.get('content-disposition') ?? '',
    /^attachment; filename="foyer-account-\d{4}-\d\d-\d\d\.zip"/,
  )
  assert.equal((await answer.arrayBuffer()).byteLength, ready.size_bytes)
  const other = await createPerson(server, `other${count}`)
  await assert.rejects(other.client.api(Exports).download(id), { status: 404, code: 'unknown_export' })
  assert.deepEqual(await other.client.api(Exports).list(), [])
  await assert.rejects(ada.exports.download(newId()), { status: 404, code: 'unknown_export' })
})

test('EXPORT-3: it is no attachment', async () => {
  const { id } = await orderExport(ada)
  await awaitExport(ada)
  const [file] = await server.deps.database.execute<{ id: string }>(
    sql`select id from attachments where tenant_id = ${id}`,
  )
  assert.equal((await server.fetch(`/attachments/${file?.id}`)).status, 404)
  await assert.rejects(ada.client.attachments.resign(file?.id ?? ''), { code: 'unknown_attachment' })
})

test('EXPORT-3: a session that has ended gets no address, and another one of the owner does', async () => {
  const { id } = await orderExport(ada)
  await awaitExport(ada)
  const later = new Client({ baseUrl: server.url, tokens: await logIn(server, name) }).api(Exports)
  await ada.client.auth.logout()
  const answer = await server.fetch(`${root}/${id}/download`, { headers: { ...ada.credentials } })
  assert.equal(answer.status, 401)
  assert.ok((await later.download(id)).url)
})

test('EXPORT-3: a session that is older than the request for it gets no address', async () => {
  const older = new Client({ baseUrl: server.url, tokens: await logIn(server, name) }).api(Exports)
  const { id } = await orderExport(ada)
  await awaitExport(ada)
  await assert.rejects(older.download(id), { status: 403, code: 'export_needs_login' })
  assert.equal((await older.list())[0]?.id, id)
  assert.ok((await ada.exports.download(id)).url)
})

test('EXPORT-3: one that is not ready has no address', async () => {
  const { id } = await orderExport(ada)
  await awaitExport(ada)
  await server.deps.database.execute(sql`update exports set state = 'running' where id = ${id}`)
  await assert.rejects(ada.exports.download(id), { status: 409, code: 'export_not_ready' })
})

test('EXPORT-3: after 24 hours it is gone, with its object', async () => {
  const { id } = await orderExport(ada)
  const { expires_at } = await awaitExport(ada)
  const hours = (Date.parse(expires_at) - Date.now()) / 3_600_000
  assert.ok(hours > 23.9 && hours <= 24, `${hours} h`)
  const { url } = await ada.exports.download(id)
  await setExpired(id)
  await assert.rejects(ada.exports.download(id), { status: 404, code: 'unknown_export' })
  assert.deepEqual(await ada.exports.list(), [])
  await sweep()
  await until(async () => (await server.fetch(url)).status === 404, 'its object is gone')
  const left = await server.deps.database.execute(sql`select from exports where id = ${id}`)
  assert.equal(left.length, 0)
})

test('EXPORT-3: it goes with the account', async () => {
  const { id } = await orderExport(ada)
  await awaitExport(ada)
  const { url } = await ada.exports.download(id)
  await ada.client.users.deleteMe({ password: TEST_PASSWORD })
  await until(async () => (await server.fetch(url)).status === 404, 'its object is gone')
  const left = await server.deps.database.execute(sql`select from exports where id = ${id}`)
  assert.equal(left.length, 0)
  assert.ok(!(await listStates(id)).includes('live'))
})

test('EXPORT-3: it can be read by another program', async () => {
  const { id } = await orderExport(ada)
  await awaitExport(ada)
  const files = await fetchExport(server, ada, id)
  assert.match(textIn(files, 'index.html'), new RegExp(name))
  assert.equal(JSON.parse(textIn(files, 'data/profile.json')).username, name)
})
