import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import { WebRooms } from '@foyer/sdk/api/web-rooms'
import { sql } from '#src/kernel/sql/sql.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { openAnnouncementRoom, RoomFeed, Subscriber } from '#test/scenes/web-feeds.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

let server: TestServer
let owner: Person
let space: TestSpace
let news: string
let feed: RoomFeed
let subscriber: Subscriber

before(async () => {
  server = await startOwnServer({ allowedPrivateHosts: ['127.0.0.1'] })
  const operator = await createOperator(server, 'operator')
  await operator.client.api(Administration).updatePublicPages({ public_pages: true })
  owner = await createPerson(server, 'owner')
})
after(() => server.close())
beforeEach(async (context) => {
  space = await makeSpace(owner)
  news = await openAnnouncementRoom(owner, space.id)
  feed = new RoomFeed(server, space.id, news)
  subscriber = await new Subscriber().start()
  if ('after' in context) context.after(() => subscriber.close())
})

const countStored = async () =>
  (await server.deps.database.query(sql`select from feed_subscriptions where room_id = ${news}`)).length
const untilStored = (count: number) =>
  until(async () => (await countStored()) === count, `there were never ${count} subscriptions`)
const untilAsked = (count: number) =>
  until(async () => subscriber.questions.length >= count, `the subscriber was never asked ${count} times`)

test('FOLLOW-34: a subscriber is asked, and is subscribed only if it answers with the challenge', async () => {
  subscriber.confirms = false
  assert.equal(await feed.ask(subscriber.callback('wrong?own=1')), 202)
  await untilAsked(1)
  subscriber.confirms = true
  const topic = `${server.url}/read/${space.id}-tea/${news}-news/announcements.json`
  const lease = { 'hub.lease_seconds': '7200', 'hub.topic': topic }
  assert.equal(await feed.ask(subscriber.callback('right?own=1'), lease), 202)
  await untilStored(1)
  const [, question] = subscriber.questions
  assert.equal(question?.get('own'), '1')
  assert.equal(question?.get('hub.mode'), 'subscribe')
  assert.equal(question?.get('hub.topic'), topic)
  assert.equal(question?.get('hub.lease_seconds'), '7200')
  const [stored] = await server.deps.database.query<{ callback: string; seconds: number }>(sql`
    select callback, extract(epoch from lease_until - now())::integer as seconds from feed_subscriptions
    where room_id = ${news}`)
  assert.equal(stored?.callback, subscriber.callback('right?own=1'))
  assert.ok(stored.seconds > 7000 && stored.seconds <= 7200)
})

test('FOLLOW-34: leases have from an hour to ten days, and a second request renews the subscription', async () => {
  const leaseOf = async (seconds?: string) => {
    const asked = subscriber.questions.length
    await feed.ask(subscriber.callback(), seconds === undefined ? {} : { 'hub.lease_seconds': seconds })
    await untilAsked(asked + 1)
    return subscriber.questions.at(-1)?.get('hub.lease_seconds')
  }
  assert.equal(await leaseOf(), '864000')
  assert.equal(await leaseOf('1'), '3600')
  assert.equal(await leaseOf('99999999'), '864000')
  await untilStored(1)
})

test('FOLLOW-34: a subscription ends once the subscriber confirms that it wants so, and no one else can end it', async () => {
  await feed.ask(subscriber.callback())
  await untilStored(1)
  const end = { 'hub.mode': 'unsubscribe' }
  assert.equal(await feed.ask(subscriber.callback('other'), end), 404)
  subscriber.confirms = false
  assert.equal(await feed.ask(subscriber.callback(), end), 202)
  await untilAsked(2)
  assert.equal(await countStored(), 1)
  subscriber.confirms = true
  assert.equal(await feed.ask(subscriber.callback(), end), 202)
  await untilStored(0)
  assert.equal(subscriber.questions.at(-1)?.get('hub.mode'), 'unsubscribe')
})

test('FOLLOW-35: requests that are not valid are refused with a sentence, and no one is asked', async () => {
  const callback = subscriber.callback()
  const bad: Record<string, string>[] = [
    { 'hub.mode': 'publish' },
    { 'hub.topic': 'https://example.org/feed' },
    { 'hub.topic': `${server.url}/read/${space.id}/${news}` },
    { 'hub.topic': `${feed.url}?after=1` },
    { 'hub.callback': 'ftp://127.0.0.1/' },
    { 'hub.callback': 'not an address' },
    { 'hub.callback': callback.replace('http://', 'http://me:secret@') },
    { 'hub.callback': `${callback}${'x'.repeat(1024)}` },
    { 'hub.callback': `${server.url}/api/follow-callbacks/${space.id}` },
    { 'hub.callback': 'http://10.0.0.1/inside' },
    { 'hub.callback': 'http://[::1]/inside' },
    { 'hub.lease_seconds': 'long' },
    { 'hub.secret': 'x'.repeat(200) },
  ]
  for (const fields of bad) assert.equal(await feed.ask(callback, fields), 400, JSON.stringify(fields))
  await owner.client.api(WebRooms).open(space.general)
  const plain = new RoomFeed(server, space.id, space.general)
  for (const topic of [plain.url, plain.atomUrl, new RoomFeed(server, news, space.id).url])
    assert.equal(await feed.ask(callback, { 'hub.topic': topic }), 404)
  await owner.client.api(WebRooms).close(news)
  assert.equal(await feed.ask(callback), 404)
  const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
  assert.equal((await server.fetch('/read/hub', json)).status, 400)
  assert.deepEqual(subscriber.questions, [])
})

test('FOLLOW-35: a room has up to 2,000 subscriptions, and 100 of one host', async () => {
  await feed.read()
  const fill = (host: string, count: number) =>
    server.deps.database.execute(sql`
      insert into feed_subscriptions
        (space_id, room_id, id, kind, origin, callback, callback_host, lease_until, sent_number)
      select ${space.id}, ${news}, gen_random_uuid(), 'announcements.json', '', n::text || ${host}, ${host},
        now() + interval '1 day', 0
      from generate_series(1, ${count}::integer) as n`)
  await fill('127.0.0.1', 99)
  assert.equal(await feed.ask(subscriber.callback('last')), 202)
  await untilStored(100)
  assert.equal(await feed.ask(subscriber.callback('further')), 503)
  assert.equal(await feed.ask(subscriber.callback('last')), 202)
  await server.deps.database.execute(sql`delete from feed_subscriptions where room_id = ${news}`)
  await fill('elsewhere.example', 2000)
  assert.equal(await feed.ask(subscriber.callback('further')), 503)
})

test('FOLLOW-35: redirects are not followed, and a callback that leads elsewhere is not subscribed', async () => {
  const { startTarget } = await import('#test/outside/http-target.ts')
  const away = await startTarget((request, response) => {
    const { search } = new URL(request.url ?? '', 'http://away')
    response.writeHead(302, { location: `${subscriber.callback()}${search}` }).end()
  })
  assert.equal(await feed.ask(`http://127.0.0.1:${away.port}/`), 202)
  await until(async () => away.requests.length > 0, 'the callback was never asked')
  await feed.ask(subscriber.callback())
  await untilStored(1)
  assert.equal(subscriber.questions.length, 1)
  await away.close()
})

test('FOLLOW-35: at most 20 subscribers are asked at a time', async () => {
  const { startTarget } = await import('#test/outside/http-target.ts')
  const silent = await startTarget(() => undefined)
  const ask = (name: number) => feed.ask(`http://127.0.0.1:${silent.port}/${name}`)
  const statuses = await Promise.all(Array.from({ length: 25 }, (_, index) => ask(index)))
  assert.deepEqual(
    statuses.toSorted((one, other) => one - other),
    [...Array(20).fill(202), ...Array(5).fill(503)],
  )
  await silent.close()
  await until(async () => (await feed.ask(subscriber.callback())) === 202, 'no place became free')
  await untilStored(1)
})
