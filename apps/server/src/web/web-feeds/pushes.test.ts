import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import { sql } from '#src/kernel/sql/sql.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { openAnnouncementRoom, RoomFeed, Subscriber, signatureOf } from '#test/scenes/web-feeds.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

let server: TestServer
let owner: Person
let space: TestSpace
let news: string
let feed: RoomFeed
let subscriber: Subscriber

before(async () => {
  server = await startOwnServer({ allowedPrivateHosts: ['127.0.0.1', 'localhost'] })
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

const write = (content: string) => owner.client.messages.create(news, { content })

interface Row {
  callback: string
  sent_number: number
  due_at: string | null
  attempts: number
}
const listStored = () =>
  server.deps.database.query<Row>(sql`
    select callback, sent_number, due_at, attempts from feed_subscriptions where room_id = ${news} order by callback`)

/** Subscribes, and waits for the first push. */
const subscribe = (name = 'callback', fields: Record<string, string> = {}) =>
  subscribeBy(subscriber, { name, fields })

async function subscribeBy(
  other: Subscriber,
  { name, host, fields }: { name: string; host?: string; fields?: Record<string, string> },
): Promise<void> {
  assert.equal(await feed.ask(other.callback(name, host), fields), 202)
  await other.untilPushed(1, name)
}

const headsOf = (pushes: readonly { body: string }[]) => pushes.map(({ body }) => JSON.parse(body).head)
/** Makes failed pushes due, as if their time had come. */
const liftWaits = () =>
  server.deps.database.execute(sql`update feed_subscriptions set due_at = now() where due_at > now()`)

test('FOLLOW-36: a change is pushed: the feed without messages, with its links, signed with the secret', async () => {
  await subscribe('callback', { 'hub.secret': 'tea' })
  const { head } = await feed.read()
  const { id } = await write('one')
  await feed.untilText(id, 'one')
  await until(async () => (await listStored())[0]?.sent_number !== 0, 'no push was marked')
  const pushes = await subscriber.untilPushed(2)
  const { headers, body } = pushes.at(-1) ?? assert.fail()
  const document = JSON.parse(body)
  assert.ok(document.head > head && document.messages === undefined && document.url === feed.url)
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(headers.link, `<${server.url}/read/hub>; rel="hub", <${feed.url}>; rel="self"`)
  assert.equal(headers['x-hub-signature'], signatureOf(body, 'tea'))
  const isQuiet = async () => {
    const [row] = await listStored()
    return row?.due_at === null && row.sent_number === document.head
  }
  await until(isQuiet, 'a push is still due')
})

test('FOLLOW-36: the Atom feed is pushed as it is, and says where its hub is', async () => {
  await subscribe('callback', { 'hub.topic': feed.atomUrl })
  const { id } = await write('one')
  await until(
    async () => subscriber.pushes.at(-1)?.body.includes(id) === true,
    'the message was never pushed',
  )
  const { headers, body } = subscriber.pushes.at(-1) ?? assert.fail()
  const answer = await fetch(feed.atomUrl)
  assert.equal(body, await answer.text())
  assert.ok(body.includes(`<link rel="hub" href="${server.url}/read/hub"/>`))
  assert.equal(headers['content-type'], 'application/atom+xml; charset=utf-8')
  assert.equal(headers.link, answer.headers.get('link'))
  assert.equal(headers['x-hub-signature'], undefined)
})

test('FOLLOW-37: a push that fails, or that is redirected, is sent again later, and one to a callback that is gone ends the subscription', async () => {
  await Promise.all(['fails', 'gone'].map((name) => subscribe(name)))
  for (const status of [500, 302, 404]) {
    subscriber.status = status
    const sent = subscriber.pushes.length
    await write(`${status}`)
    await liftWaits()
    await until(async () => subscriber.pushes.length > sent, 'nothing was pushed')
    await until(
      async () => (await listStored()).every(({ attempts }) => attempts > 0),
      'no failure was noted',
    )
  }
  assert.ok(subscriber.pushes.every(({ path }) => path !== '/elsewhere'))
  subscriber.status = 200
  await liftWaits()
  const areSent = async () =>
    (await listStored()).every(({ attempts, due_at }) => attempts === 0 && due_at === null)
  await until(areSent, 'the pushes were never sent again')
  subscriber.status = 410
  await write('last')
  await until(async () => (await listStored()).length === 0, 'the subscriptions never ended')
})

test('FOLLOW-37: callbacks that do not answer hold up neither other hosts nor the log', async () => {
  const silent = await new Subscriber().start()
  const names = Array.from({ length: 12 }, (_, index) => `${index}`)
  await Promise.all([...names.map((name) => subscribeBy(silent, { name, host: 'localhost' })), subscribe()])
  silent.status = undefined
  const before = silent.pushes.length
  const { id } = await write('one')
  await feed.untilText(id, 'one')
  const isPushed = async () => headsOf(subscriber.pushes).at(-1) > headsOf(subscriber.pushes)[0]
  await until(isPushed, 'the push was held up')
  assert.ok(silent.pushes.length - before <= 2)
  await silent.close()
})

test('FOLLOW-38: subscriptions end with their lease, and with the announcements of the room, and are counted among the followers', async () => {
  await Promise.all([subscribe(), subscribe('atom', { 'hub.topic': feed.atomUrl })])
  assert.equal((await owner.client.rooms.followers(news)).count, 1)
  await server.deps.database.execute(sql`
    update feed_subscriptions set lease_until = now() - interval '1 second' where callback like '%atom'`)
  await server.deps.database.execute(sql`select graphile_worker.add_job('sweep')`)
  await until(async () => (await listStored()).length === 1, 'the expired subscription stays')
  await owner.client.rooms.update(space.id, news, { announces: false })
  assert.deepEqual(await listStored(), [])
  await owner.client.rooms.update(space.id, news, { announces: true })
  assert.equal((await owner.client.rooms.followers(news)).count, 0)
})

test('FOLLOW-38: the log goes with the room', async () => {
  await subscribe()
  const { id } = await write('one')
  await feed.untilText(id, 'one')
  await owner.client.rooms.delete(space.id, news)
  const isGone = async () => {
    const rows = await server.deps.database.query(
      sql`select from announcement_log where channel_id = ${news}`,
    )
    return rows.length === 0 && (await listStored()).length === 0
  }
  await until(isGone, 'rows of a deleted room stay')
})
