import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { Forums } from '@foyer/sdk/api/forums'
import { type GatewayClient, openSession, resume } from '#test/gateway-client.ts'
import { connectAsking, makeForum, makePost } from '#test/scenes/forums.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let space: TestSpace
let open: GatewayClient[] = []

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  space = await makeSpace(ada, [eve])
})
afterEach(() => {
  for (const client of open) client.close()
  open = []
})
after(() => server.close())

async function asking(...capabilities: string[]): Promise<GatewayClient> {
  const client = await connectAsking(server, eve, capabilities)
  open.push(client)
  return client
}

/** Everything a client can ask for, and less. */
const askAll = async () => ({
  all: await asking('threads', 'forums'),
  threads: await asking('threads'),
  forums: await asking('forums'),
  none: await asking(),
})

/** Returns the names of the events after `from` that name one of the ids. */
const told = (client: GatewayClient, ids: readonly string[], from = 0) =>
  client.frames
    .slice(from)
    .flatMap(({ t, text }) => (t !== undefined && ids.some((id) => text.includes(id)) ? [t] : []))

const overwrite = (forumId: string, deny_flags: number) =>
  ada.client.overwrites.upsert(space.id, forumId, {
    ...{ target_id: space.id, target_type: 0, allow_flags: 0 },
    deny_flags,
  })

test('FORUM-3: only clients that ask for forums are told of them, and of posts only if they ask for threads, too', async () => {
  const { all, threads, forums, none } = await askAll()
  const forum = await makeForum(ada, space)
  const post = await makePost(ada, forum.id, 'Tea', { content: `<@${eve.id}>, look` })
  await ada.call('POST', `/api/rooms/${post.id}/typing`)
  await ada.client.rooms.update(space.id, forum.id, { position: 0 })
  await overwrite(forum.id, Permission.SendMessages)
  await ada.call('DELETE', `/api/threads/${post.id}`)
  await ada.client.rooms.delete(space.id, forum.id)
  await Promise.all([all, threads, forums, none].map((client) => client.settle()))
  const ids = [forum.id, post.id]
  const ofRoom = ['ROOM_CREATE', 'ROOM_UPDATE', 'ROOM_OVERWRITE_UPDATE', 'ROOM_DELETE']
  assert.deepEqual(told(forums, ids), ofRoom)
  assert.deepEqual(told(all, ids).toSorted(), [
    ...['MESSAGE_CREATE', 'ROOM_CREATE', 'ROOM_DELETE', 'ROOM_OVERWRITE_UPDATE', 'ROOM_UPDATE'],
    ...['THREAD_CREATE', 'THREAD_DELETE', 'THREAD_FOLLOW_UPDATE', 'TYPING_START'],
  ])
  assert.deepEqual(told(threads, ids), [])
  assert.deepEqual(told(none, ids), [])
})

test('FORUM-3: READY has forums with their settings, read states and overwrites only for those who ask', async () => {
  const forum = await makeForum(ada, space, { guidelines: 'Be kind' })
  await overwrite(forum.id, Permission.PinMessages)
  await eve.client.notifications.updateSetting('room', forum.id, { level: 'all' })
  const post = await makePost(ada, forum.id, 'Tea', { content: `<@${eve.id}>, look` })
  const { all, threads, forums, none } = await askAll()
  const readyOf = (client: GatewayClient) => client.heard('READY')[0]?.text ?? ''
  for (const client of [all, forums]) assert.ok(readyOf(client).includes('Be kind'))
  for (const client of [threads, none])
    for (const id of [forum.id, post.id]) assert.ok(!readyOf(client).includes(id))
  const unread = (client: GatewayClient) => Object(client.heard('READY')[0]?.d).followed_thread_count_unread
  assert.deepEqual([unread(all), unread(threads), unread(forums)], [1, 0, undefined])
})

test('FORUM-3: a change of the notifications of a forum is told to those who ask, and lists have it if asked', async () => {
  const forum = await makeForum(ada, space)
  const post = await makePost(eve, forum.id, 'Tea')
  const { all, threads, forums, none } = await askAll()
  await eve.client.notifications.updateSetting('room', forum.id, { level: 'all' })
  await eve.client.notifications.updateSetting('room', space.general, { level: 'all' })
  await Promise.all([all, threads, forums, none].map((client) => client.settle()))
  const heard = (client: GatewayClient) =>
    client.heard('NOTIFICATION_SETTING_UPDATE').map(({ d }) => Object(d).id === forum.id)
  for (const client of [all, forums]) assert.deepEqual(heard(client), [true, false])
  for (const client of [threads, none]) assert.deepEqual(heard(client), [false])
  const listed = async (path: string, id: string) =>
    JSON.stringify((await eve.call('GET', path)).body).includes(id)
  const paths = [
    ['/api/users/@me/notification-settings', forum.id],
    ['/api/users/@me/threads', post.id],
  ] as const
  for (const [path, id] of paths)
    assert.deepEqual(
      [
        await listed(path, id),
        await listed(`${path}?forums=false`, id),
        await listed(`${path}?forums=true`, id),
      ],
      [false, false, true],
    )
  const settings = await eve.client.api(Forums).listNotificationSettings()
  assert.ok(settings.some(({ id }) => id === forum.id))
  for (const [path] of paths)
    assert.equal((await eve.call('GET', `${path}?forums=perhaps`)).code, 'invalid_request')
})

test('FORUM-3: a forum that is shown and hidden comes and goes for those who ask', async () => {
  const forum = await makeForum(ada, space)
  await overwrite(forum.id, Permission.ViewChannels)
  const { all, threads, forums, none } = await askAll()
  await ada.client.overwrites.delete(space.id, forum.id, space.id)
  await overwrite(forum.id, Permission.ViewChannels)
  for (const client of [all, forums]) {
    await client.findEvent('ROOM_DELETE')
    const names = told(client, [forum.id])
    assert.deepEqual([names[0], names.at(-1)], ['ROOM_CREATE', 'ROOM_DELETE'])
  }
  await Promise.all([threads, none].map((client) => client.settle()))
  for (const client of [threads, none]) assert.deepEqual(told(client, [forum.id]), [])
})

test('FORUM-3: who joins a space is sent its forums if they ask', async () => {
  const bob = await createPerson(server, 'bob')
  const forum = await makeForum(ada, space)
  const [knowing, old] = [
    await connectAsking(server, bob, ['forums', 'threads']),
    await connectAsking(server, bob, []),
  ]
  open.push(knowing, old)
  await join(bob, ada, space)
  await knowing.findEvent('ROOM_CREATE')
  await Promise.all([knowing.settle(), old.settle()])
  assert.ok(told(knowing, [forum.id]).includes('ROOM_CREATE'))
  assert.equal(old.heard('SPACE_CREATE').length, 1)
  assert.deepEqual(told(old, [forum.id]), [])
})

test('FORUM-3: RESUME repeats events of forums and their posts to those who ask', async () => {
  const forum = await makeForum(ada, space)
  const first = await asking('threads', 'forums')
  const s = first.heard('READY')[0]?.s ?? ''
  const post = await makePost(ada, forum.id, 'Tea', { content: `<@${eve.id}>, look` })
  await ada.client.rooms.update(space.id, forum.id, { name: 'renamed' })
  const resumed = async (capabilities: string[]) => {
    const client = await resume(server, await openSession(server, eve.id), s, capabilities)
    open.push(client)
    await client.findEvent('RESUMED')
    // The space may be sent again as a whole, before its events.
    return told(client, [forum.id, post.id]).filter((name) => name !== 'SPACE_CREATE')
  }
  assert.deepEqual((await resumed(['threads', 'forums'])).toSorted(), [
    ...['MESSAGE_CREATE', 'ROOM_UPDATE', 'THREAD_CREATE', 'THREAD_FOLLOW_UPDATE'],
  ])
  assert.deepEqual(await resumed(['forums']), ['ROOM_UPDATE'])
  assert.deepEqual(await resumed(['threads']), [])
  assert.deepEqual(await resumed([]), [])
})
