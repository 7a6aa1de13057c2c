import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DEFAULT_PERMISSIONS } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { callAsNobody, createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
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

test('SPACE-1: the creator of a space owns it and is its first member, and it has initial rooms', async () => {
  const { space, rooms, roles, member } = await ada.client.spaces.create({ name: 'Tea', description: 'Hot' })
  assert.equal(space.name, 'Tea')
  assert.equal(space.description, 'Hot')
  assert.equal(space.owner_id, ada.id)
  assert.deepEqual([space.icon, space.banner, space.locale], [null, null, null])
  assert.deepEqual(
    rooms.map(({ name, type, last_seq }) => [name, type, last_seq]),
    [
      ['Text rooms', 3, 0],
      ['general', 1, 0],
      ['Voice rooms', 3, 0],
      ['lounge', 2, 0],
    ],
  )
  const [texts, general, voices, lounge] = rooms
  assert.deepEqual([texts?.parent_id, voices?.parent_id], [null, null])
  assert.deepEqual([general?.parent_id, lounge?.parent_id], [texts?.id, voices?.id])
  assert.deepEqual(
    roles.map(({ id, position, permissions }) => [id, position, permissions]),
    [[space.id, 0, DEFAULT_PERMISSIONS]],
  )
  assert.equal(DEFAULT_PERMISSIONS, 1254)
  assert.deepEqual([member.id, member.user_id, member.space_id], [ada.id, ada.id, space.id])
  assert.deepEqual(await ada.client.spaces.get(space.id), space)
})

test('SPACE-1: its first rooms have the names that its creator chose', async () => {
  const room_names = { text_category: 'Texträume', text_room: ' allgemein ', voice_category: 'Sprachräume' }
  const { rooms } = await ada.client.spaces.create({ name: 'Tee', room_names })
  assert.deepEqual(
    rooms.map(({ name }) => name),
    ['Texträume', 'allgemein', 'Sprachräume', 'lounge'],
  )
  const nameless = { name: 'Tee', room_names: { text_room: ' ' } }
  assert.equal((await ada.call('POST', '/api/spaces', nameless)).code, 'invalid_request')
})

test('SPACE-1: only the creator is notified', async () => {
  const zoe = await createPerson(server, 'zoe')
  const { space, rooms } = await zoe.client.spaces.create({ name: 'Den' })
  const [told, ...others] = await listJournal(server, topicOf.user(zoe.id))
  assert.equal(told?.name, 'SPACE_CREATE')
  assert.partialDeepStrictEqual(told?.data, { ...space, rooms, member_count: 1, emojis: [] })
  assert.deepEqual(others, [])
})

test('SPACE-2: a name has 1 to 100 characters, a description at most 1024, both trimmed', async () => {
  const name = '🫖'.repeat(100)
  const { space } = await ada.client.spaces.create({ name: `  ${name} `, description: '  ' })
  assert.equal(space.name, name)
  assert.equal(space.description, null)
  const longest = await ada.client.spaces.create({ name: 'x', description: `${'é'.repeat(1024)}\n` })
  assert.equal(longest.space.description?.length, 1024)
})

test('SPACE-2: an invalid body is refused with its field’s name, and creates nothing', async () => {
  const before = await ada.client.users.listSpaces()
  const bodies: [unknown, RegExp][] = [
    [{}, /^name /],
    [{ name: '' }, /^name /],
    [{ name: ' \n ' }, /^name /],
    [{ name: 'x'.repeat(101) }, /^name /],
    [{ name: null }, /^name /],
    [{ name: 7 }, /^name /],
    [{ name: ['x'] }, /^name /],
    [{ name: 'x', description: 'x'.repeat(1025) }, /^description /],
    [{ name: 'x', description: 0 }, /^description /],
    ['null', /^the request body /],
    ['[]', /^the request body /],
    ['"x"', /^the request body /],
    ['', /missing/],
    ['{"name": "x"', /JSON/],
    ['{"name": "a\\u0000b"}', /NUL/],
    ['{"name": "\\ud800"}', /surrogates/],
  ]
  for (const [body, message] of bodies) {
    const answer = await ada.call('POST', '/api/spaces', body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(errorOf(answer.body), message)
  }
  assert.deepEqual(await ada.client.users.listSpaces(), before)
})

test('SPACE-3: only people can create a space', async () => {
  const bot = await createBot(server, 'kettle')
  const refused = await bot.call('POST', '/api/spaces', 'not even JSON')
  assert.equal(refused.status, 403)
  assert.deepEqual(refused.body, { error: 'bots cannot use this endpoint' })
  const nobody = await callAsNobody(server, 'POST', '/api/spaces')
  assert.equal(nobody.status, 401)
})

test('SPACE-4: a space and a missing one get the same answer for users who are not members', async () => {
  const { space } = await ada.client.spaces.create({ name: 'Secret' })
  const paths = ['', '/rooms', '/roles', '/members', `/members/${ada.id}`, '/invites']
  for (const path of paths) {
    const there = await eve.call('GET', `/api/spaces/${space.id}${path}`)
    assert.deepEqual([there.status, there.code], [403, 'not_a_member'], path)
    assert.deepEqual(await eve.call('GET', `/api/spaces/${newId()}${path}`), there, path)
    const malformed = await eve.call('GET', `/api/spaces/${space.id}0${path}`)
    assert.deepEqual(malformed.body, { error: 'spaceId must be a valid uuid' })
    assert.equal(malformed.status, 400)
    const nobody = await callAsNobody(server, 'GET', `/api/spaces/${space.id}${path}`)
    assert.deepEqual(nobody.body, { error: 'authentication required' })
  }
})

test('SPACE-6: users list their own spaces, in the order of joining', async () => {
  const kim = await createPerson(server, 'kim')
  assert.deepEqual(await kim.client.users.listSpaces(), [])
  const own = await kim.client.spaces.create({ name: 'Own' })
  const { space, rooms } = await ada.client.spaces.create({ name: 'Joined' })
  const { code } = await ada.client.invites.create(space.id, rooms[1]?.id ?? '')
  await kim.client.invites.join(code)
  assert.deepEqual(await kim.client.users.listSpaces(), [own.space, space])
})

function errorOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : ''
}
