import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { LEAST_ID } from '@foyer/protocol/ids'
import type { MemberWithUser } from '@foyer/protocol/members'
import { Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { callAsNobody, createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { assignRole, insertOverwrite, insertRole, listJournal } from '#test/scenes/space-rows.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let count = 0
let spaceId: string
let roomId: string
let roomIds: string[]

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

beforeEach(async () => {
  count += 1
  owner = await createPerson(server, `owner${count}`)
  const { space, rooms } = await owner.client.spaces.create({ name: 'Club' })
  spaceId = space.id
  roomId = rooms[1]?.id ?? ''
  roomIds = rooms.map(({ id }) => id)
})

async function join(username: string): Promise<Person> {
  const person = await createPerson(server, `${username}${count}`)
  const { code } = await owner.client.invites.create(spaceId, roomId)
  await person.client.invites.join(code)
  return person
}

async function memberCount(): Promise<number> {
  const { code } = await owner.client.invites.create(spaceId, roomId)
  return (await owner.client.invites.get(code)).member_count
}

test('MEMBER-1: the list has the highest position first, and each member with their user and roles', async () => {
  const [low, high] = [await join('low'), await join('high')]
  const member = { permissions: 0, position: 1 }
  const [lower, higher] = [
    await insertRole(server, spaceId, member),
    await insertRole(server, spaceId, { ...member, position: 2 }),
  ]
  await assignRole(server, { spaceId, userId: high.id, roleId: lower })
  await assignRole(server, { spaceId, userId: high.id, roleId: higher })
  const members = await low.client.members.list(spaceId)
  assert.deepEqual(
    members.map(({ id, position, roles }) => [id, position, roles]),
    [
      [high.id, 2, [lower, higher]],
      [owner.id, 0, []],
      [low.id, 0, []],
    ],
  )
  const [first] = members
  assert.equal(first?.user.username, `high${count}`)
  assert.equal(first?.user_id, first?.user.id)
  assert.deepEqual(Object.keys(first?.user ?? {}).filter(isPrivate), [])
  assert.deepEqual(await low.client.members.get(spaceId, high.id), first)
})

test('MEMBER-1: positions are current, even after roles were moved, created or deleted', async () => {
  const [first, second] = [await join('first'), await join('second')]
  const { roles } = owner.client
  const low = await roles.create(spaceId, { name: 'low' })
  await roles.assign(spaceId, first.id, low.id)
  const high = await roles.create(spaceId, { name: 'high' })
  await roles.update(spaceId, high.id, { position: 2 })
  await roles.assign(spaceId, second.id, high.id)
  assert.deepEqual(await positions(), { [second.id]: 2, [first.id]: 1, [owner.id]: 0 })
  await roles.update(spaceId, low.id, { position: 2 })
  assert.deepEqual(await positions(), { [first.id]: 2, [second.id]: 1, [owner.id]: 0 })
  await roles.create(spaceId, { name: 'new' })
  assert.deepEqual(await positions(), { [first.id]: 3, [second.id]: 2, [owner.id]: 0 })
  await roles.delete(spaceId, high.id)
  assert.deepEqual(await positions(), { [first.id]: 2, [owner.id]: 0, [second.id]: 0 })
})

/** Returns each member's position. The list and the single lookup must agree. */
async function positions(): Promise<Record<string, number>> {
  const members = await owner.client.members.list(spaceId)
  for (const member of members) assert.deepEqual(await owner.client.members.get(spaceId, member.id), member)
  assert.deepEqual(
    members,
    members.toSorted((a, b) => b.position - a.position || (a.id < b.id ? -1 : 1)),
  )
  return Object.fromEntries(members.map(({ id, position }) => [id, position]))
}

function isPrivate(field: string): boolean {
  return ['email', 'password', 'password_hash', 'birthdate', 'phone'].includes(field)
}

test('MEMBER-2: pages of any size list every member once', async () => {
  const people = [owner, await join('one'), await join('two'), await join('three'), await join('four')]
  const roleId = await insertRole(server, spaceId, { permissions: 0, position: 7 })
  for (const person of people.slice(3)) await assignRole(server, { spaceId, userId: person.id, roleId })
  const all = await owner.client.members.list(spaceId)
  assert.deepEqual(all.map(({ id }) => id).toSorted(), people.map(({ id }) => id).toSorted())
  for (const size of [1, 2, 3, 5]) assert.deepEqual(await listByPages(size), all)
})

test('MEMBER-2: a cursor may be an id or a position alone', async () => {
  const people = [owner, await join('one'), await join('two'), await join('three'), await join('four')]
  const roleId = await insertRole(server, spaceId, { permissions: 0, position: 7 })
  for (const person of people.slice(3)) await assignRole(server, { spaceId, userId: person.id, roleId })
  const all = await owner.client.members.list(spaceId)
  for (const [index, { id }] of all.entries())
    assert.deepEqual(await owner.client.members.list(spaceId, { after_id: id }), all.slice(index + 1))
  const below = (after_pos: number) => owner.client.members.list(spaceId, { after_pos })
  assert.deepEqual(await below(8), all)
  assert.deepEqual(await below(7), all.slice(2))
  assert.deepEqual(await below(1), all.slice(2))
  assert.deepEqual(await below(0), [])
  // Someone who left counts as a member without roles.
  assert.deepEqual(await owner.client.members.list(spaceId, { after_id: LEAST_ID }), all.slice(2))
})

async function listByPages(count: number): Promise<MemberWithUser[]> {
  const pages = [await owner.client.members.list(spaceId, { count })]
  let last = pages[0]?.at(-1)
  while (last !== undefined) {
    const cursor = { after_pos: last.position, after_id: last.id }
    const page = await owner.client.members.list(spaceId, { ...cursor, count })
    pages.push(page)
    last = page.at(-1)
  }
  return pages.flat()
}

test('MEMBER-2: a page has 1 to 100 members after a position and an id', async () => {
  const id = newId()
  const path = `/api/spaces/${spaceId}/members`
  for (const query of ['count=1', 'count=100', `after_pos=0&after_id=${id}`, `after_pos=-1&after_id=${id}`])
    assert.equal((await owner.call('GET', `${path}?${query}`)).status, 200, query)
  const refused: [string, string][] = [
    ['count=0', 'count'],
    ['count=101', 'count'],
    ['count=-1', 'count'],
    ['count=abc', 'count'],
    ['count=', 'count'],
    ['count=1.5', 'count'],
    ['count=1&count=2', 'count'],
    [`after_pos=x&after_id=${id}`, 'after_pos'],
    [`after_pos=2147483648&after_id=${id}`, 'after_pos'],
    ['after_pos=0&after_id=x', 'after_id'],
    [`after_pos=0&after_id=${id}%00`, 'after_id'],
  ]
  for (const [query, named] of refused) {
    const answer = await owner.call('GET', `${path}?${query}`)
    assert.equal(answer.status, 400, query)
    assert.match(JSON.stringify(answer.body), new RegExp(named))
  }
})

test('MEMBER-3: a looked-up user who is not a member is 404', async () => {
  const stranger = await createPerson(server, `stranger${count}`)
  const path = `/api/spaces/${spaceId}/members`
  for (const id of [stranger.id, newId(), spaceId]) {
    const answer = await owner.call('GET', `${path}/${id}`)
    assert.deepEqual([answer.status, answer.code], [404, 'unknown_member'])
  }
  for (const id of ['@me', 'x', `${owner.id}x`])
    assert.equal((await owner.call('GET', `${path}/${id}`)).status, 400, id)
  const inside = await stranger.call('GET', `${path}/${owner.id}`)
  const outside = await stranger.call('GET', `${path}/${newId()}`)
  assert.equal(inside.status, 403)
  assert.deepEqual(inside, outside)
})

test('MEMBER-4: a user who leaves is no longer a member, and both the space and the user are notified', async () => {
  const guest = await join('guest')
  assert.equal(await memberCount(), 2)
  const before = await listJournal(server, topicOf.space(spaceId))

  assert.deepEqual(await guest.call('DELETE', `/api/spaces/${spaceId}/members/@me`), {
    status: 204,
    code: null,
    body: undefined,
  })
  assert.equal((await guest.call('GET', `/api/spaces/${spaceId}`)).code, 'not_a_member')
  const journal = await listJournal(server, topicOf.space(spaceId))
  assert.deepEqual(journal.slice(before.length), [
    {
      name: 'SPACE_MEMBER_DELETE',
      audience: 0,
      data: { space_id: spaceId, user_id: guest.id, member_count: 1 },
    },
  ])
  const told = await listJournal(server, topicOf.user(guest.id))
  assert.deepEqual(told.at(-1), { name: 'SPACE_DELETE', audience: 0, data: { space_id: spaceId } })
  assert.equal(await memberCount(), 1)

  const again = await guest.call('DELETE', `/api/spaces/${spaceId}/members/@me`)
  assert.deepEqual([again.status, again.code], [403, 'not_a_member'])
  assert.equal((await callAsNobody(server, 'DELETE', `/api/spaces/${spaceId}/members/@me`)).status, 401)
})

test('MEMBER-5: the owner cannot leave', async () => {
  const answer = await owner.call('DELETE', `/api/spaces/${spaceId}/members/@me`)
  assert.deepEqual([answer.status, answer.code], [403, 'owner_cannot_leave'])
  assert.equal(await memberCount(), 1)
})

test('MEMBER-6: roles, nickname and own overwrites end with the membership in every room; messages and other overwrites stay', async () => {
  const [guest, other] = [await join('guest'), await join('other')]
  const roleId = await insertRole(server, spaceId, { permissions: 0, position: 1 })
  await assignRole(server, { spaceId, userId: guest.id, roleId })
  await guest.client.members.updateMe(spaceId, { nickname: 'Guest' })
  await guest.client.messages.create(roomId, { content: 'bye' })
  const denied = { target_type: 1, allow_flags: 0, deny_flags: Permission.SendMessages }
  for (const room_id of roomIds) {
    await insertOverwrite(server, spaceId, { ...denied, room_id, target_id: guest.id })
    await insertOverwrite(server, spaceId, { ...denied, room_id, target_id: other.id })
  }
  assert.deepEqual(await rowsOf(guest), { roles: 1, overwrites: roomIds.length, messages: 1 })
  await guest.client.members.leave(spaceId)
  assert.deepEqual(await rowsOf(guest), { roles: 0, overwrites: 0, messages: 1 })
  assert.equal((await rowsOf(other))?.overwrites, roomIds.length)
  for (const room_id of roomIds) {
    const [told] = (await listJournal(server, topicOf.room(spaceId, room_id))).slice(-1)
    const data = { space_id: spaceId, room_id, target_id: guest.id }
    assert.deepEqual(told, { name: 'ROOM_OVERWRITE_DELETE', audience: 0, data })
  }

  const { code } = await owner.client.invites.create(spaceId, roomId)
  await guest.client.invites.join(code)
  const member = await owner.client.members.get(spaceId, guest.id)
  assert.deepEqual([member.roles, member.position, member.nickname], [[], 0, null])
  assert.equal((await guest.client.messages.create(roomId, { content: 'again' })).seq, 2)
})

async function rowsOf({ id }: Person) {
  const [row] = await server.deps.database.query<Record<'roles' | 'overwrites' | 'messages', number>>(sql`
    select (select count(*) from member_roles where space_id = ${spaceId} and user_id = ${id}) as roles,
      (select count(*) from room_overwrites where space_id = ${spaceId} and target_id = ${id}) as overwrites,
      (select count(*) from messages where tenant_id = ${spaceId} and author_id = ${id}) as messages`)
  return row
}

test('MEMBER-7: a bot that is a member lists the members and may leave', async () => {
  const bot = await createApplicationBot(server, owner, { name: `bot${count}` })
  await owner.client.members.addBot(spaceId, bot.id)
  assert.equal((await bot.client.members.list(spaceId)).length, 2)
  await bot.client.members.leave(spaceId)
  assert.equal(await memberCount(), 1)
})
