import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { botWith, createPerson, type Person } from '#test/scenes/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
})
after(() => server.close())

test('APP-1: a new application comes with its bot and a working token', async () => {
  const { application, token } = await ada.client.applications.create({ name: '  Tea Bot ' })
  const { bot, created_at, ...rest } = application
  const plain = { description: null, icon: null, bot_public: true }
  assert.deepEqual(rest, { id: bot.id, owner_id: ada.id, name: 'Tea Bot', ...plain })
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const me = await botWith(server, token).client.users.me()
  const { birthdate: _, phone: __, custom_until: ___, web_presence: ____, ...user } = me
  assert.deepEqual(user, bot)
  assert.deepEqual([me.is_bot, me.username, me.alias], [true, 'tea_bot', 'Tea Bot'])
  const secrets = await server.deps.database.query(
    sql`select email, password_hash from users where id = ${bot.id}`,
  )
  assert.deepEqual(secrets, [{ email: null, password_hash: null }])
})

test('APP-1: a failed creation leaves nothing behind, and its name is free', async () => {
  const body = { name: 'Half', username: 'eve' }
  const before = await countUsers()
  assert.equal((await ada.call('POST', '/api/applications', body)).code, 'username_taken')
  assert.equal(await countUsers(), before)
  assert.ok((await ada.client.applications.list()).every(({ name }) => name !== 'Half'))
})

async function countUsers(): Promise<number> {
  const [row] = await server.deps.database.query<{ count: number }>(sql`select count(*) from users`)
  return row?.count ?? 0
}

test('APP-2: the bot gets the requested username, or the request fails', async () => {
  const { application } = await ada.client.applications.create({ name: 'X', username: 'my.bot_1' })
  assert.equal(application.bot.username, 'my.bot_1')
  const taken = await eve.call('POST', '/api/applications', { name: 'X', username: 'my.bot_1' })
  assert.deepEqual(taken, { status: 400, code: 'username_taken', body: { error: 'username is taken' } })
  await createPerson(server, 'Mixed')
  assert.equal(
    (await eve.call('POST', '/api/applications', { name: 'X', username: 'mixed' })).code,
    'username_taken',
  )
  for (const username of [null, '', 'a', 'Upper', 'a b', 'a'.repeat(33), 7]) {
    const answer = await eve.call('POST', '/api/applications', { name: 'X', username })
    assert.equal(answer.code, 'invalid_request', String(username))
  }
})

const derived: [name: string, username: RegExp][] = [
  ['Möbel & Co. 24', /^mobel_co\._24$/],
  ['  --Quiet--  ', /^quiet$/],
  ['ａｂｃ', /^abc$/],
  ['日本語', /^bot$/],
  ['🙂', /^bot_[0-9a-f]{8}$/],
  ['Z', /^bot_[0-9a-f]{8}$/],
  ['Quiet', /^quiet_[0-9a-f]{8}$/],
  ['x'.repeat(100), /^x{32}$/],
  ['x'.repeat(99), /^x{23}_[0-9a-f]{8}$/],
]

test('APP-2: a username is made from the name, with random digits at the end if it is taken', async () => {
  const owner = await createPerson(server, 'namer')
  for (const [name, username] of derived) {
    const { application } = await owner.client.applications.create({ name })
    assert.match(application.bot.username, username)
  }
})

test('APP-2: many simultaneous requests for one name all get a bot', async () => {
  const created = await Promise.all(
    Array.from({ length: 6 }, () => ada.client.applications.create({ name: 'Wanted' })),
  )
  const names = new Set(created.map(({ application }) => application.bot.username))
  assert.equal(names.size, 6)
  assert.ok(names.has('wanted'))
})

test('APP-2: the alias is the name, cut to 64 characters without splitting one', async () => {
  const long = `${'🙂'.repeat(63)} ${'🙂'.repeat(30)}`
  const { application } = await ada.client.applications.create({ name: long })
  assert.equal(application.name, long)
  assert.equal(application.bot.alias, '🙂'.repeat(63))
})

test('APP-3: a name has 1 to 100 characters, a description at most 1024, and an empty description is none', async () => {
  const empty = await ada.client.applications.create({ name: 'E', description: '  ' })
  assert.equal(empty.application.description, null)
  const full = await ada.client.applications.create({ name: 'F', description: ` ${'é'.repeat(1024)}` })
  assert.equal(full.application.description?.length, 1024)
  const bodies: [unknown, RegExp][] = [
    [{}, /^name /],
    [{ name: null }, /^name /],
    [{ name: ' \n' }, /^name /],
    [{ name: 'x'.repeat(101) }, /^name /],
    [{ name: ['x'] }, /^name /],
    [{ name: 'x', description: 'x'.repeat(1025) }, /^description /],
    [{ name: 'x', description: 7 }, /^description /],
    [{ name: 'x', bot_public: null }, /^bot_public /],
    [{ name: 'x', bot_public: 'true' }, /^bot_public /],
    [{ name: 'x', bot_public: 0 }, /^bot_public /],
    ['[]', /^the request body /],
    ['', /missing/],
  ]
  for (const [body, message] of bodies) {
    const answer = await ada.call('POST', '/api/applications', body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(String(Object(answer.body).error), message)
  }
})

test('APP-5: owners list their own applications, oldest first', async () => {
  const fay = await createPerson(server, 'fay')
  assert.deepEqual(await fay.client.applications.list(), [])
  const first = await fay.client.applications.create({ name: 'First', bot_public: false })
  const second = await fay.client.applications.create({ name: 'Second' })
  assert.deepEqual(await fay.client.applications.list(), [first.application, second.application])
})

test('APP-5: others can look up public applications, and get 404 for private ones', async () => {
  const open = await ada.client.applications.create({ name: 'Open' })
  const closed = await ada.client.applications.create({ name: 'Closed', bot_public: false })
  assert.deepEqual(await eve.client.applications.get(open.application.id), open.application)
  assert.deepEqual(await ada.client.applications.get(closed.application.id), closed.application)
  const hidden = await eve.call('GET', `/api/applications/${closed.application.id}`)
  assert.deepEqual(hidden, {
    status: 404,
    code: 'unknown_application',
    body: { error: 'application not found' },
  })
  for (const id of [newId(), ada.id]) {
    assert.deepEqual(await eve.call('GET', `/api/applications/${id}`), hidden)
  }
  assert.equal((await eve.call('GET', '/api/applications/x')).code, 'invalid_request')
  await ada.client.applications.update(open.application.id, { bot_public: false })
  assert.deepEqual(await eve.call('GET', `/api/applications/${open.application.id}`), hidden)
})

test('APP-6: an update changes the given fields, null clears them, and the bot keeps its own name', async () => {
  const { application, token } = await ada.client.applications.create({ name: 'Old', description: 'Old' })
  const path = `/api/applications/${application.id}`
  const renamed = { ...application, name: 'New', bot_public: false }
  assert.deepEqual(
    await ada.client.applications.update(application.id, { name: ' New ', bot_public: false }),
    renamed,
  )
  assert.deepEqual((await ada.call('PUT', path, {})).body, renamed)
  const cleared = { ...renamed, description: null }
  assert.deepEqual((await ada.call('PUT', path, { description: null })).body, cleared)
  const ignored = { id: newId(), owner_id: eve.id, icon: newId(), username: 'other' }
  assert.deepEqual((await ada.call('PATCH', path, ignored)).body, cleared)
  assert.deepEqual(await ada.client.applications.get(application.id), cleared)
  assert.equal((await botWith(server, token).client.users.me()).username, application.bot.username)
  for (const body of [{ name: '' }, { name: null }, { bot_public: null }, { description: 1 }, '[]']) {
    assert.equal((await ada.call('PATCH', path, body)).status, 400, JSON.stringify(body))
  }
})

test('APP-6: everyone but the owner gets 404 for every change, whatever they send', async () => {
  const { application, token } = await ada.client.applications.create({ name: 'Mine' })
  const calls = [
    ['PATCH', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/bot/token'],
  ] as const
  for (const [method, path] of calls) {
    for (const id of [application.id, newId(), eve.id]) {
      const answer = await eve.call(method, `/api/applications/${id}${path}`, 'not even JSON')
      assert.deepEqual([answer.status, answer.code], [404, 'unknown_application'], `${method} ${path}`)
    }
  }
  assert.deepEqual(await ada.client.applications.get(application.id), application)
  assert.equal((await botWith(server, token).client.users.me()).id, application.id)
})
