import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import { startTarget } from '#test/outside/http-target.ts'
import {
  countJobs,
  hurry,
  hurryToEnd,
  hurryUntil,
  listSendingJobs,
  type PushService,
  subscribeBrowser,
} from '#test/outside/push-service.ts'
import type { Person } from '#test/scenes/people.ts'
import { type PushScene, startPushScene } from '#test/scenes/push-scene.ts'
import type { TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

let scene: PushScene
let server: TestServer
let service: PushService
let ada: Person

before(async () => {
  scene = await startPushScene()
  ;({ server, service, ada } = scene)
})
after(() => scene.close())

const newMember = (username: string) => scene.newMember(username)
const mention = (...people: readonly Person[]) => scene.mention(people)
const arrivals = (name: string) => scene.arrivals(name)

async function isSubscribed({ id }: Person): Promise<boolean> {
  const rows = await server.deps.database.query(sql`select from push_subscriptions where user_id = ${id}`)
  return rows.length > 0
}

test('PUSH-12: a subscription unknown to its push service is forgotten', async () => {
  for (const status of [404, 410]) {
    const person = await newMember(`gone${status}`)
    await subscribeBrowser(service, person, `gone${status}`)
    service.answer(`gone${status}`, (_request, response) => response.writeHead(status).end())
    await mention(person)
    await hurryUntil(server, async () => !(await isSubscribed(person)), 'it is forgotten')
    await mention(person)
    await hurryToEnd(server)
    assert.equal(arrivals(`gone${status}`), 1)
  }
})

test('PUSH-12: a busy or failing push service is tried again at its own time, at most three times', async () => {
  const person = await newMember('busy')
  const browser = await subscribeBrowser(service, person, 'busy')
  let answer = (response: ServerResponse) => response.writeHead(429, { 'retry-after': '120' }).end()
  service.answer('busy', (_request, response) => answer(response))
  await mention(person)
  /** Returns the seconds until the next attempt, after this many. */
  const waits = async (count: number) => {
    const isSettled = async () => {
      const jobs = await listSendingJobs(server)
      return arrivals('busy') === count && jobs.every(({ attempt }) => attempt === count)
    }
    await hurry(server)
    await until(isSettled, `asked ${count} times`)
    return (await listSendingJobs(server)).map(({ seconds }) => seconds)
  }
  await until(async () => (await countJobs(server)) === 1, 'it is asked for')
  const [first = 0] = await waits(1)
  assert.ok(first > 100 && first <= 120, `${first}`)
  answer = (response) => response.writeHead(503).end()
  const [second = 0] = await waits(2)
  assert.ok(second > 40 && second <= 60, `${second}`)
  answer = (response) => response.destroy()
  const [third = 0] = await waits(3)
  assert.ok(third > 280 && third <= 300, `${third}`)
  assert.deepEqual(await waits(4), [])
  answer = (response) => response.writeHead(201).end()
  await mention(person)
  await hurryUntil(server, () => arrivals('busy') === 5, 'it is told of the next')
  await hurryToEnd(server)
  assert.equal(arrivals('busy'), 5)
  assert.equal(new Set(browser.pushes().map(({ message_id }) => message_id)).size, 2)
  assert.ok(await isSubscribed(person))
})

test('PUSH-12: any other answer is final, and counted', async () => {
  const person = await newMember('refused')
  await subscribeBrowser(service, person, 'refused')
  service.answer('refused', (_request, response) => response.writeHead(403).end('x'.repeat(100_000)))
  await mention(person)
  await hurryUntil(server, () => arrivals('refused') === 1, 'it was asked')
  await hurryToEnd(server)
  assert.equal(arrivals('refused'), 1)
  assert.ok(await isSubscribed(person))
  const counted = await server.deps.metrics.pushes.get()
  const refused = counted.values.find(({ labels }) => labels.outcome === 'refused')
  assert.equal(refused?.value, 1)
})

test('PUSH-14: hosts that hang, never end or redirect delay nobody, and none leads into the private network', async () => {
  const inside = await startTarget((_request, response) => response.end(), '127.0.0.2')
  const people = []
  for (const name of ['hangs', 'endless', 'elsewhere', 'inside', 'fine']) {
    const person = await newMember(name)
    await subscribeBrowser(service, person, name)
    people.push(person)
  }
  const inward = `http://127.0.0.2:${inside.port}/inside`
  await server.deps.database.execute(sql`
    update push_subscriptions set endpoint = ${inward} where user_id = ${people[3]?.id}`)
  service.answer('hangs', () => undefined)
  service.answer('endless', (_request, response) => {
    response.writeHead(200)
    response.on('drain', () => response.write(Buffer.alloc(65_536)))
    response.write(Buffer.alloc(65_536))
  })
  service.answer('elsewhere', (_request, response) => response.writeHead(302, { location: inward }).end())
  await mention(...people)
  await hurryUntil(server, () => arrivals('fine') === 1, 'who is not to blame is told')
  await hurryUntil(
    server,
    () => ['hangs', 'endless', 'elsewhere'].every((name) => arrivals(name) > 0),
    'each was asked',
  )
  await mention(people[4] ?? ada)
  await hurryUntil(server, () => arrivals('fine') === 2, 'they are told again')
  assert.deepEqual(inside.requests, [])
  await inside.close()
})
