import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CurrentUser } from '@foyer/protocol/users'
import { newId } from '#src/kernel/ids.ts'
import { type Topic, topicOf } from '#src/kernel/journal/bus.ts'
import { callAsNobody, createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const PUBLIC_FIELDS = [
  'id',
  'username',
  'alias',
  'avatar',
  'banner',
  'custom',
  'flags',
  'badges',
  'is_bot',
  'email_verified',
  'created_at',
  'updated_at',
  'deleted_at',
].sort()
const OWN_FIELDS = [...PUBLIC_FIELDS, 'birthdate', 'custom_until', 'phone', 'web_presence'].sort()

async function meetIn(owner: Person, guest: Person): Promise<string> {
  const { space, rooms } = await owner.client.spaces.create({ name: 'Club' })
  const { code } = await owner.client.invites.create(space.id, rooms[1]?.id ?? '')
  await guest.client.invites.join(code)
  return space.id
}

function fieldsOf(value: unknown): string[] {
  return Object.keys(Object(value)).sort()
}

test('USER-1: only the user sees birthdate and phone', async () => {
  const [ann, bert] = [await createPerson(server, 'ann'), await createPerson(server, 'bert')]
  const private_ = { birthdate: '2000-02-29', phone: '+4915112345678' }
  const updated = await ann.client.users.updateMe(private_)
  assert.deepEqual(fieldsOf(updated), OWN_FIELDS)
  const me = await ann.client.users.me()
  assert.deepEqual(me, updated)
  assert.deepEqual([me.birthdate, me.phone], ['2000-02-29', '+4915112345678'])
  for (const viewer of [ann, bert]) {
    assert.deepEqual(fieldsOf(await viewer.client.users.get(ann.id)), PUBLIC_FIELDS)
  }
})

test('USER-2: any signed-in user can look up any user; an unknown one is 404', async () => {
  const cleo = await createPerson(server, 'cleo')
  const bot = await createBot(server, 'robot')
  assert.equal((await bot.client.users.get(cleo.id)).username, 'cleo')
  assert.equal((await cleo.client.users.get(bot.id)).is_bot, true)
  const unknown = await cleo.call('GET', `/api/users/${newId()}`)
  assert.equal(unknown.status, 404)
  assert.deepEqual(unknown.body, { error: 'user not found' })
  assert.equal((await cleo.call('GET', '/api/users/me')).status, 400)
  assert.equal((await callAsNobody(server, 'GET', `/api/users/${cleo.id}`)).status, 401)
})

test('USER-3: omitted fields stay, and null clears', async () => {
  const { client } = await createPerson(server, 'dora')
  const all = {
    username: 'dora.2',
    alias: ' Dora ',
    custom: ' at work ',
    birthdate: '1999-12-31',
    phone: '+123456789',
  }
  const full = await client.users.updateMe(all)
  assert.deepEqual({ ...full, ...all, alias: 'Dora', custom: 'at work' }, full)
  assert.deepEqual(stable(await client.users.updateMe({})), stable(full))
  const cleared = await client.users.updateMe({ alias: null, custom: null, birthdate: null, phone: null })
  assert.deepEqual(
    stable(cleared),
    stable({ ...full, alias: null, custom: '', birthdate: null, phone: null }),
  )
  assert.ok(cleared.updated_at > full.updated_at)
})

function stable({ updated_at: _, ...user }: CurrentUser) {
  return user
}

const refused: Record<string, unknown> = {
  username: 'Dora',
  'username null': null,
  alias: '',
  'alias too long': 'a'.repeat(65),
  'custom too long': '🙂'.repeat(129),
  birthdate: '2001-02-29',
  'birthdate early': '1899-12-31',
  'birthdate late': '9999-12-31',
  phone: '0151 2345',
  'phone a number': 4_915_112_345_678,
}

for (const [name, value] of Object.entries(refused)) {
  test(`USER-3: ${JSON.stringify(value).slice(0, 20)} for ${name} is 400, and nothing changes`, async () => {
    const person = await createPerson(server, `p${newId().slice(9, 18).replace('-', '')}`)
    const before = await person.client.users.me()
    const [field = ''] = name.split(' ')
    const answer = await person.call('PATCH', '/api/users/@me', { custom: 'changed', [field]: value })
    assert.equal(answer.status, 400)
    assert.match(JSON.stringify(answer.body), new RegExp(field))
    assert.deepEqual(await person.client.users.me(), before)
  })
}

test('USER-3: fields that the user cannot set are ignored', async () => {
  const person = await createPerson(server, 'emil')
  const before = await person.client.users.me()
  const fields = {
    flags: 1,
    badges: 1,
    is_bot: true,
    email_verified: true,
    email: 'x@example.org',
    id: newId(),
  }
  assert.equal((await person.call('PATCH', '/api/users/@me', fields)).status, 200)
  assert.deepEqual(stable(await person.client.users.me()), stable(before))
})

test('USER-3: a custom status of 128 emojis is accepted', async () => {
  const { client } = await createPerson(server, 'ella')
  assert.equal((await client.users.updateMe({ custom: '🙂'.repeat(128) })).custom, '🙂'.repeat(128))
})

test('USER-4: the user receives a change with the private fields, and their spaces without them', async () => {
  const [fay, finn] = [await createPerson(server, 'fay'), await createPerson(server, 'finn')]
  const spaceIds = [await meetIn(finn, fay), await meetIn(fay, finn)]
  const elsewhere = (await finn.client.spaces.create({ name: 'Elsewhere' })).space.id
  const updated = await fay.client.users.updateMe({ alias: 'Fay', phone: '+123456789' })
  const updates = async (topic: Topic) =>
    (await listJournal(server, topic)).filter(({ name }) => name === 'USER_UPDATE').map(({ data }) => data)
  assert.deepEqual(await updates(topicOf.user(fay.id)), [updated])
  const { birthdate: _, phone: __, custom_until: ___, web_presence: ____, ...publicUser } = updated
  for (const spaceId of spaceIds) assert.deepEqual(await updates(topicOf.space(spaceId)), [publicUser])
  assert.deepEqual(await updates(topicOf.space(elsewhere)), [])
  assert.deepEqual(await updates(topicOf.user(finn.id)), [])
})

test('USER-5: a taken username is refused, ignoring case, and one of several simultaneous requests gets it', async () => {
  const [gina, gerd] = [await createPerson(server, 'gina'), await createPerson(server, 'Gerd')]
  const taken = await gina.call('PATCH', '/api/users/@me', { username: 'gerd' })
  assert.equal(taken.status, 400)
  assert.deepEqual(taken.body, { error: 'username is taken' })
  assert.equal((await gina.client.users.updateMe({ username: 'gina' })).username, 'gina')
  const rivals = await Promise.all(['h1', 'h2', 'h3', 'h4'].map((name) => createPerson(server, name)))
  const answers = await Promise.all(
    [...rivals, gerd].map((rival) => rival.call('PATCH', '/api/users/@me', { username: 'hana' })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400])
})

test('USER-3: a bot changes its own profile', async () => {
  const bot = await createBot(server, 'robot2')
  assert.equal((await bot.client.users.updateMe({ alias: 'Robot' })).alias, 'Robot')
  assert.equal((await bot.client.users.me()).alias, 'Robot')
})
