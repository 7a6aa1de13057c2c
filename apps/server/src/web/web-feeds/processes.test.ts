import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Administration } from '@foyer/sdk/api/administration'
import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import { type ChildServer, startChildServer } from '#test/processes/child-server.ts'
import { type Installation, makeInstallation } from '#test/processes/installation.ts'
import { listWritten } from '#test/scenes/announcements.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { openAnnouncementRoom, RoomFeed, Subscriber } from '#test/scenes/web-feeds.ts'
import { until } from '#test/until.ts'

const KILLS = 8
const MESSAGES = 60

let installation: Installation
let server: RunningServer
let owner: Person
let news: string
let feed: RoomFeed
let subscriber: Subscriber
let workers: ChildServer[] = []

before(async () => {
  installation = await makeInstallation()
  installation.config.allowedPrivateHosts = ['127.0.0.1']
  // Other processes log and push, and are killed.
  server = await installation.start({ services: ['api', 'gateway'] })
  const operator = await createOperator(server, 'operator')
  await operator.client.api(Administration).updatePublicPages({ public_pages: true })
  owner = await createPerson(server, 'owner')
})
after(async () => {
  await Promise.all(workers.map((worker) => worker.kill()))
  await server.close()
  await installation.remove()
})
beforeEach(async (context) => {
  const space = await makeSpace(owner)
  news = await openAnnouncementRoom(owner, space.id)
  feed = new RoomFeed(server, space.id, news)
  subscriber = await new Subscriber().start()
  if ('after' in context) context.after(() => subscriber.close())
  while (workers.length < 2) workers.push(await startWorker())
})

const startWorker = () => {
  const { connection, config } = installation
  return startChildServer({ config: { ...config, services: ['jobs'] }, connection })
}
const headsOf = () => subscriber.pushes.map(({ body }): number => JSON.parse(body).head)
/** Makes pushes of killed processes due, as if their time had passed. */
const liftLeases = () =>
  server.deps.database.execute(sql`
    update feed_subscriptions set taken_until = null, due_at = now() where due_at is not null`)

test('FOLLOW-39: of two processes, one sends a push', async () => {
  await feed.ask(subscriber.callback())
  await subscriber.untilPushed(1)
  const first = subscriber.pushes.length
  for (let index = 0; index < 5; index += 1) {
    const { id } = await owner.client.messages.create(news, { content: `${index}` })
    await feed.untilText(id, `${index}`)
    const { head } = await feed.read()
    await until(async () => headsOf().at(-1) === head, 'the head was never pushed')
  }
  const later = headsOf().slice(first)
  assert.equal(new Set(later).size, later.length)
})

test('FOLLOW-39: a push whose process is killed before it is marked is sent again', async () => {
  await feed.ask(subscriber.callback())
  await subscriber.untilPushed(1)
  subscriber.status = undefined
  const { id } = await owner.client.messages.create(news, { content: 'one' })
  await feed.untilText(id, 'one')
  const { head } = await feed.read()
  await until(async () => headsOf().at(-1) === head, 'the head was never pushed')
  const cutOff = subscriber.pushes.length
  await Promise.all(workers.map((worker) => worker.kill()))
  subscriber.status = 200
  workers = [await startWorker(), await startWorker()]
  await liftLeases()
  await until(async () => subscriber.pushes.length > cutOff, 'the push was never sent again')
  assert.equal(headsOf().at(-1), head)
})

/** Follows the feed from a position, as another server does. */
async function follow(copies: Map<string, string>, from: number): Promise<number> {
  const { messages = [] } = await feed.read(from)
  let position = from
  for (const message of messages) {
    assert.ok(message.number > position)
    position = message.number
    if (message.state === 'gone') copies.delete(message.id)
    else copies.set(message.id, message.content)
  }
  return position
}

test('FOLLOW-39: processes that are killed while they log and push lose no change', {
  timeout: 300_000,
}, async () => {
  let { head: position } = await feed.read()
  await feed.ask(subscriber.callback())
  const copies = new Map<string, string>()
  const stop = new AbortController()
  const writing = write(stop.signal)
  for (let kill = 0; kill < KILLS; kill += 1) {
    await delay(300 + ((kill * 617) % 1500))
    const [victim, other] = workers
    await victim?.kill()
    workers = [...(other === undefined ? [] : [other]), await startWorker()]
    await liftLeases()
    position = await follow(copies, position)
  }
  stop.abort()
  await writing
  const originals = (await listWritten(owner, news)).map(({ id, content }) => [id, content])
  const isSame = async () => {
    position = await follow(copies, position)
    const sorted = [...copies].toSorted(([one], [other]) => (one < other ? -1 : 1))
    return JSON.stringify(sorted) === JSON.stringify(originals)
  }
  await until(isSame, 'a change was lost')
  await until(async () => headsOf().at(-1) === (await feed.read()).head, 'the head was never pushed')
})

/** Writes, edits and deletes until told to stop. */
async function write(signal: AbortSignal): Promise<void> {
  const ids: string[] = []
  for (let turn = 0; turn < MESSAGES && !signal.aborted; turn += 1) {
    ids.push((await owner.client.messages.create(news, { content: `${turn}` })).id)
    const edited = ids[(turn * 7) % ids.length] ?? ''
    await owner.client.messages.update(news, edited, { content: `${turn} again` })
    const deleted = turn % 5 === 4 ? ids.shift() : undefined
    if (deleted !== undefined) await owner.client.messages.delete(news, deleted)
    await delay(100)
  }
}
