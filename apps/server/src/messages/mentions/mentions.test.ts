import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CreateMessageBody } from '@foyer/protocol/messages'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { newId } from '#src/kernel/ids.ts'
import { makeDirect, makeGroup } from '#test/scenes/conversations.ts'
import { codeOf } from '#test/scenes/messages.ts'
import { createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startThread } from '#test/scenes/thread-rooms.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { listMentions } from './reading.ts'

let server: TestServer
let ada: Person
let people = 0

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
})
after(() => server.close())

/** Creates a person without mentions. */
function newPerson(): Promise<Person> {
  people += 1
  return createPerson(server, `person${people}`)
}

async function say(
  person: Person,
  room: string | { conversation: string },
  content: string,
  more: Partial<CreateMessageBody> = {},
): Promise<string> {
  const { id } = await person.client.messages.create(room, { content, ...more })
  return id
}

/** Returns the ids of all pages. */
async function listed(person: Person, limit = 50, cursor?: string): Promise<string[]> {
  const before = cursor === undefined ? {} : { before: cursor }
  const page = await person.client.mentions.list({ limit, ...before })
  assert.ok(page.messages.length <= limit)
  assert.equal(page.cursor !== null, page.has_more)
  const ids = page.messages.map(({ id }) => id)
  return page.cursor === null ? ids : [...ids, ...(await listed(person, limit, page.cursor))]
}

function hide(space: TestSpace, roomId: string, person: Person): Promise<unknown> {
  return ada.client.overwrites.upsert(space.id, roomId, {
    target_id: person.id,
    target_type: OverwriteTarget.Member,
    allow_flags: 0,
    deny_flags: Permission.ViewChannels,
  })
}

test('INBOX-1: all kinds of mentions are listed from everywhere, newest first and once each', async () => {
  const eve = await newPerson()
  const [tea, club] = [await makeSpace(ada, [eve]), await makeSpace(ada, [eve])]
  const { id: conversation } = await makeDirect(server, ada, eve)
  const role = await ada.client.roles.create(club.id, { name: 'cooks' })
  await ada.client.roles.assign(club.id, eve.id, role.id)
  assert.deepEqual(await listed(eve), [])
  await say(ada, tea.general, 'plain')
  const mine = await say(eve, tea.general, `mine, <@${eve.id}>`)
  const named = await say(ada, tea.general, `<@${eve.id}>`)
  const answered = await say(ada, { conversation }, `psst <@${eve.id}>`)
  const told = await say(ada, club.general, `<@&${role.id}> @everyone <@${eve.id}>`)
  const here = await say(ada, tea.lounge, '@here')
  const role2 = await say(ada, club.general, `<@&${role.id}>`)
  const reply = await say(ada, tea.general, 'so?', { reference: { message_id: mine } })
  await say(ada, tea.general, `<@${ada.id}> <@&${newId()}>`)
  const all = [reply, role2, here, told, answered, named]
  assert.deepEqual(await listed(eve), all)
  assert.deepEqual(await listed(eve, 1), all)
  assert.deepEqual(await listed(eve, 4), all)
})

test('INBOX-1: messages with many mentions of the user displace no other mentions', async () => {
  const eve = await newPerson()
  const space = await makeSpace(ada, [eve])
  const oldest = await say(ada, space.general, `<@${eve.id}>`)
  const roles: string[] = []
  for (let count = 0; count < 10; count += 1)
    roles.push((await ada.client.roles.create(space.id, { name: 'role' })).id)
  for (const id of roles) await ada.client.roles.assign(space.id, eve.id, id)
  const told: string[] = []
  for (let count = 0; count < 11; count += 1) {
    const room = await ada.client.rooms.create(space.id, { name: 'room', type: RoomType.Text })
    told.unshift(await say(ada, room.id, roles.map((id) => `<@&${id}>`).join(' ')))
  }
  assert.deepEqual(await listed(eve), [...told, oldest])
})

test('INBOX-1: a message is complete, as in the history', async () => {
  const eve = await newPerson()
  const space = await makeSpace(ada, [eve])
  const { id: conversation } = await makeDirect(server, ada, eve)
  const first = await say(eve, space.general, 'what do you think?')
  await say(ada, space.general, `well, <@${eve.id}>`, { reference: { message_id: first } })
  await say(ada, { conversation }, `psst <@${eve.id}>`)
  const { messages } = await eve.client.mentions.list()
  const [inConversation] = await eve.client.messages.list({ conversation })
  const [inRoom] = await eve.client.messages.list(space.general)
  assert.deepEqual(messages, [inConversation, inRoom])
})

test('INBOX-2: nothing is listed that the caller may not view now', async () => {
  const [eve, outsider] = [await newPerson(), await newPerson()]
  const space = await makeSpace(ada, [eve])
  const { id: hidden } = await ada.client.rooms.create(space.id, { name: 'hidden', type: RoomType.Text })
  const inSight = await say(ada, space.general, `<@${eve.id}> <@${outsider.id}> @everyone`)
  const outOfSight = await say(ada, hidden, `<@${eve.id}> @everyone`)
  assert.deepEqual(await listed(eve), [outOfSight, inSight])
  assert.deepEqual(await listed(outsider), [])
  await hide(space, hidden, eve)
  assert.deepEqual(await listed(eve), [inSight])
  await ada.client.overwrites.delete(space.id, hidden, eve.id)
  assert.deepEqual(await listed(eve), [outOfSight, inSight])
  await ada.client.rooms.delete(space.id, hidden)
  assert.deepEqual(await listed(eve), [inSight])
  await eve.client.members.leave(space.id)
  assert.deepEqual(await listed(eve), [])
})

test('INBOX-2: nothing is listed of a deleted or left space, or of a conversation the caller is not in', async () => {
  const [eve, bob] = [await newPerson(), await newPerson()]
  const [gone, kept] = [await makeSpace(ada, [eve]), await makeSpace(ada, [eve])]
  const { id: group } = await makeGroup(server, ada, [eve, bob])
  const { id: direct } = await makeDirect(server, ada, eve)
  await say(ada, gone.general, `<@${eve.id}>`)
  const inKept = await say(ada, kept.general, `<@${eve.id}>`)
  await say(ada, { conversation: group }, '@everyone')
  await say(ada, { conversation: direct }, `<@${eve.id}>`)
  assert.equal((await listed(eve)).length, 4)
  await ada.client.spaces.delete(gone.id)
  await ada.client.conversations.removeMember(group, eve.id)
  await eve.client.conversations.close(direct)
  assert.deepEqual(await listed(eve), [inKept])
  assert.equal((await listed(bob)).length, 1)
  await ada.client.bans.create(kept.id, eve.id, {})
  assert.deepEqual(await listed(eve), [])
})

test('INBOX-2: mentions of a role are listed for its current members', async () => {
  const [eve, bob] = [await newPerson(), await newPerson()]
  const space = await makeSpace(ada, [eve, bob])
  const role = await ada.client.roles.create(space.id, { name: 'cooks' })
  await ada.client.roles.assign(space.id, eve.id, role.id)
  const told = await say(ada, space.general, `<@&${role.id}>`)
  assert.deepEqual([await listed(eve), await listed(bob)], [[told], []])
  await ada.client.roles.remove(space.id, eve.id, role.id)
  await ada.client.roles.assign(space.id, bob.id, role.id)
  assert.deepEqual([await listed(eve), await listed(bob)], [[], [told]])
})

test('INBOX-3: mentions of everyone from before a user joined are not listed, and those by name are', async () => {
  const eve = await newPerson()
  const space = await makeSpace(ada, [eve])
  const named = await say(ada, space.general, `<@${eve.id}>`)
  await say(ada, space.general, '@everyone')
  await eve.client.members.leave(space.id)
  await say(ada, space.general, '@everyone again')
  await join(eve, ada, space)
  assert.deepEqual(await listed(eve), [named])
  const since = await say(ada, space.general, '@everyone at last')
  assert.deepEqual(await listed(eve), [since, named])
})

test('INBOX-4: deleted messages, edited ones without the mention, and those of blocked people are not listed', async () => {
  const [eve, bob] = [await newPerson(), await newPerson()]
  const space = await makeSpace(ada, [eve, bob])
  const deleted = await say(ada, space.general, `<@${eve.id}>`)
  const edited = await say(ada, space.general, `<@${eve.id}>`)
  const swept = await say(ada, space.general, '@everyone')
  const ofBob = await say(bob, space.general, `<@${eve.id}>`)
  assert.deepEqual(await listed(eve), [ofBob, swept, edited, deleted])
  await ada.client.messages.delete(space.general, deleted)
  await ada.client.messages.update(space.general, edited, { content: 'nobody' })
  await ada.client.messages.bulkDelete(space.general, [swept])
  assert.deepEqual(await listed(eve), [ofBob])
  await eve.client.friends.block(bob.id)
  assert.deepEqual(await listed(eve), [])
  await eve.client.friends.unblock(bob.id)
  await ada.client.messages.update(space.general, edited, { content: `<@${eve.id}>` })
  assert.deepEqual(await listed(eve), [ofBob, edited])
})

test('INBOX-5: parameters are validated, and any id is a position in the order', async () => {
  const eve = await newPerson()
  const space = await makeSpace(ada, [eve])
  const first = await say(ada, space.general, `<@${eve.id}>`)
  const between = newId()
  const second = await say(ada, space.general, `<@${eve.id}>`)
  for (const anchor of [between, second])
    assert.deepEqual(await eve.client.mentions.list({ before: anchor }), {
      messages: [await eve.client.messages.get(space.general, first)],
      has_more: false,
      cursor: null,
    })
  const page = await eve.client.mentions.list({ limit: 1 })
  assert.deepEqual([page.has_more, page.cursor], [true, second])
  for (const query of ['limit=0', 'limit=51', 'limit=x', 'limit=1.5', 'before=x', `before=${first}%00`]) {
    const { status, code, body } = await eve.call('GET', `/api/users/@me/mentions?${query}`)
    assert.deepEqual([status, code], [400, 'invalid_request'], query)
    assert.deepEqual(Object.keys(Object(body)), ['error'])
  }
})

test('INBOX-5: mentions that do not count make pages shorter, without ending the list', async () => {
  const [eve, bob] = [await newPerson(), await newPerson()]
  const space = await makeSpace(eve, [ada, bob])
  const first = await say(ada, space.general, `<@${eve.id}>`)
  for (let count = 0; count < 60; count += 1) {
    await say(eve, space.general, '@everyone')
    await say(bob, space.general, `<@${eve.id}>`)
  }
  await eve.client.friends.block(bob.id)
  const { messages, has_more } = await eve.client.mentions.list()
  assert.deepEqual([messages, has_more], [[], true])
  assert.deepEqual(await listed(eve), [first])
})

test('INBOX-6: a page takes the same number of queries however many messages it has', async () => {
  const eve = await newPerson()
  const space = await makeSpace(ada, [eve])
  const count = async () => {
    const { database } = server.deps
    let queries = 0
    const query: typeof database.query = (asked) => {
      queries += 1
      return database.query(asked)
    }
    const { messages } = await listMentions({ ...server.deps, database: { query } }, eve.id, {})
    return [messages.length, queries]
  }
  assert.deepEqual(await count(), [0, 3])
  await say(ada, space.general, `<@${eve.id}>`)
  assert.deepEqual(await count(), [1, 11])
  for (let more = 0; more < 5; more += 1) await say(ada, space.lounge, '@everyone')
  assert.deepEqual(await count(), [6, 11])
})

test('INBOX-7: people have a list; bots and strangers do not', async () => {
  const bot = await createBot(server, 'robot')
  const path = '/api/users/@me/mentions'
  assert.equal(await codeOf(bot.call('GET', `${path}?limit=x`)), '403 bots_not_allowed')
  assert.equal(await codeOf(ada.call('GET', path)), 200)
  assert.equal((await server.fetch(path)).status, 401)
})

test('INBOX-1, TROOM-17, TROOM-18: mentions in threads are listed, also after they were moved and merged', async () => {
  const eve = await newPerson()
  const space = await makeSpace(ada, [eve])
  const role = await ada.client.roles.create(space.id, { name: 'cooks' })
  await ada.client.roles.assign(space.id, eve.id, role.id)
  const [one, two, other] = [
    await startThread(ada, space.general),
    await startThread(ada, space.general),
    await startThread(ada, space.general),
  ]
  const unfollowed = await say(ada, other.id, '@everyone')
  const named = await say(ada, one.id, `<@${eve.id}>`)
  const told = await say(ada, one.id, `@everyone, and <@&${role.id}>`)
  assert.deepEqual(await listed(eve), [told, named])
  assert.equal((await eve.call('DELETE', `/api/threads/${one.id}/follow`)).status, 204)
  assert.deepEqual(await listed(eve), [named])
  const edited = await say(ada, two.id, 'plain')
  await ada.call('PATCH', `/api/rooms/${two.id}/messages/${edited}`, { content: `<@${eve.id}>` })
  const moved = await say(ada, space.general, `<@${eve.id}>`)
  const threads = ada.client.api(ThreadRooms)
  await threads.move(one.id, [moved])
  assert.deepEqual(await listed(eve), [moved, edited, named])
  await threads.merge(one.id, two.id)
  assert.deepEqual(await listed(eve, 1), [moved, edited, named])
  const { messages } = await eve.client.mentions.list()
  assert.deepEqual(
    messages.map(({ room_id, parent_room_id }) => [room_id, parent_room_id]),
    Array.from({ length: 3 }, () => [two.id, space.general]),
  )
  await ada.client.messages.delete(two.id, moved)
  assert.deepEqual(await listed(eve), [edited, named])
  await threads.move(other.id, [named])
  assert.deepEqual(await listed(eve), [edited, named])
  await eve.call('PUT', `/api/threads/${other.id}/follow`, { level: 'all' })
  assert.deepEqual(await listed(eve), [edited, named, unfollowed])
  await threads.delete(two.id)
  assert.deepEqual(await listed(eve), [named, unfollowed])
  await hide(space, space.general, eve)
  assert.deepEqual(await listed(eve), [])
})
