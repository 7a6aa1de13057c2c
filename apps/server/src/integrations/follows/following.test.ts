import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { newId } from '#src/kernel/ids.ts'
import { makeAnnouncementRoom } from '#test/scenes/announcements.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let author: Person
let reader: Person
let outsider: Person
let source: TestSpace
let target: TestSpace
let news: string

before(async () => {
  server = await startTestServer()
  author = await createPerson(server, 'author')
  reader = await createPerson(server, 'reader')
  outsider = await createPerson(server, 'outsider')
  source = await makeSpace(author, [reader])
  target = await makeSpace(reader, [author])
  news = await makeAnnouncementRoom(author, source.id)
})
after(() => server.close())

const makeRoom = async (type: number = RoomType.Text) =>
  (await reader.client.rooms.create(target.id, { name: 'room', type })).id

test('FOLLOW-1: only text rooms announce, and only such rooms say so', async () => {
  for (const type of [RoomType.Voice, RoomType.Category, RoomType.Forum]) {
    const body = { name: 'news', type, announces: true }
    await assert.rejects(author.client.rooms.create(source.id, body), { code: 'cannot_announce' })
    const room = await author.client.rooms.create(source.id, { ...body, announces: false })
    await assert.rejects(author.client.rooms.update(source.id, room.id, { announces: true }), {
      code: 'cannot_announce',
    })
    assert.equal('announces' in room, false)
  }
  const rooms = await author.client.rooms.list(source.id)
  assert.deepEqual(
    rooms.filter(({ announces }) => announces).map(({ id }) => id),
    [news],
  )
  await assert.rejects(reader.client.rooms.update(source.id, news, { announces: false }), {
    code: 'missing_permission',
  })
})

test('FOLLOW-2: a follow is a webhook without a token, which names its source and can be renamed', async () => {
  const room = await makeRoom()
  const webhook = await reader.client.rooms.follow(news, room)
  const named = { space_id: source.id, space_name: 'Tea', room_id: news, room_name: 'news' }
  assert.deepEqual([webhook.token, webhook.url, webhook.name, webhook.source], [null, null, 'Tea', named])
  assert.deepEqual(await reader.client.webhooks.listOfRoom(room), [webhook])
  const renamed = await reader.client.webhooks.update(webhook.id, { name: 'Tea time' })
  assert.deepEqual(renamed, { ...webhook, name: 'Tea time' })
  const guessed = { id: webhook.id, token: 'undefined' }
  await assert.rejects(reader.client.webhooks.execute(guessed, { content: 'x' }), { code: 'unknown_webhook' })
  await assert.rejects(reader.client.webhooks.update(webhook.id, { secret: 'x' }), {
    code: 'invalid_request',
  })
  const plain = await reader.client.webhooks.create(room, { name: 'plain' })
  assert.equal('source' in plain, false)
})

test('FOLLOW-2: following needs a view of the source, and webhooks in another text room', async () => {
  const room = await makeRoom()
  const follow = (person: Person, from: string, into: string) => person.client.rooms.follow(from, into)
  await assert.rejects(follow(outsider, news, room), { code: 'not_a_member' })
  await assert.rejects(follow(author, news, room), { code: 'missing_permission' })
  await assert.rejects(follow(reader, news, source.general), { code: 'missing_permission' })
  await assert.rejects(follow(reader, target.general, room), { code: 'not_an_announcement_room' })
  await assert.rejects(follow(reader, newId(), room), { code: 'unknown_room' })
  for (const type of [RoomType.Voice, RoomType.Category, RoomType.Forum])
    await assert.rejects(follow(reader, news, await makeRoom(type)), { code: 'unfit_follower' })
  await assert.rejects(follow(reader, news, newId()), { code: 'unfit_follower' })
  await assert.rejects(follow(author, news, news), { code: 'unfit_follower' })
  const hidden = await makeAnnouncementRoom(author, source.id)
  await author.client.overwrites.upsert(source.id, hidden, {
    target_id: source.id,
    target_type: 0,
    allow_flags: 0,
    deny_flags: Permission.ViewChannels,
  })
  await assert.rejects(follow(reader, hidden, room), { code: 'missing_permission' })
  const attempts = await Promise.allSettled([1, 2, 3, 4].map(() => follow(reader, news, room)))
  assert.equal(attempts.filter(({ status }) => status === 'fulfilled').length, 1)
  await assert.rejects(follow(reader, news, room), { code: 'already_followed', status: 409 })
  const other = await makeRoom()
  const webhook = await follow(reader, news, other)
  await assert.rejects(reader.client.webhooks.update(webhook.id, { room_id: room }), {
    code: 'already_followed',
  })
})

test('FOLLOW-3: those who manage the room learn how many follow it, and nobody else', async () => {
  const quiet = await makeAnnouncementRoom(author, source.id)
  assert.deepEqual(await author.client.rooms.followers(quiet), { count: 0 })
  await reader.client.rooms.follow(quiet, await makeRoom())
  assert.deepEqual(await author.client.rooms.followers(quiet), { count: 1 })
  await assert.rejects(reader.client.rooms.followers(quiet), { code: 'missing_permission' })
  await assert.rejects(outsider.client.rooms.followers(quiet), { code: 'not_a_member' })
  await assert.rejects(author.client.rooms.followers(source.general), { code: 'not_an_announcement_room' })
})
