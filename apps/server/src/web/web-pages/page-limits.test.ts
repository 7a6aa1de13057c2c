import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Administration } from '@foyer/sdk/api/administration'
import { WebRooms } from '@foyer/sdk/api/web-rooms'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { rateLimits } from '#src/kernel/limits/rate-limits.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createPerson } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { serveMade } from '#test/scenes/web-pages.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { spacePath } from './making/paths.ts'

/** Pages that wait while one is made. */
const WAITING = 64

let server: TestServer
let space: TestSpace
/** The address of a page that is kept. */
let kept: string

before(async () => {
  server = await startOwnServer({ rateLimits: true })
  const operator = await createOperator(server, 'operator')
  await operator.client.api(Administration).updatePublicPages({ public_pages: true })
  const owner = await createPerson(server, 'owner')
  space = await makeSpace(owner)
  await owner.client.api(WebRooms).open(space.general)
  kept = spacePath({ id: space.id, name: (await owner.client.spaces.get(space.id)).name })
  assert.equal((await ask(kept)).status, 200)
})
after(() => server.close())

const ask = (path: string) => fetch(new URL(path, server.url), { redirect: 'manual' })

/** Asks for made-up pages. Returns how often each status was answered. */
async function askMany(count: number, pathOf: (index: number) => string): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  for (let index = 0; index < count; index += 1) {
    const { status } = await ask(pathOf(index))
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  return statuses
}

const madeUp = (index: number) => `0199${String(index).padStart(4, '0')}-0000-7000-8000-000000000000`

test('WEBPAGE-12: one page is made at a time, 64 wait, and more are 503', async () => {
  const making: (() => void)[] = []
  const app = serveMade(server, async () => {
    await new Promise<void>((resolve) => making.push(resolve))
    return 'page'
  })
  const asked: Promise<LightMyRequestResponse>[] = []
  for (let index = 0; index < 1 + WAITING + 3; index += 1) {
    asked.push(Promise.resolve(app.inject(`/page/${index}`)))
    await new Promise(setImmediate)
  }
  const refused = await Promise.all(asked.slice(-3))
  assert.deepEqual(
    refused.map(({ statusCode, headers }) => [statusCode, headers['retry-after']]),
    Array(3).fill([503, '60']),
  )
  assert.equal(making.length, 1)
  let answered = 0
  for (const each of asked) each.then(() => (answered += 1))
  while (answered < asked.length) {
    making.shift()?.()
    await new Promise(setImmediate)
    assert.ok(making.length <= 1)
  }
  const statuses = (await Promise.all(asked)).map(({ statusCode }) => statusCode)
  assert.equal(statuses.filter((status) => status === 200).length, 1 + WAITING)
  await app.close()
})

/** Requests pages that each take a time, and returns the milliseconds of rest after the first one. */
async function restOf(workMs: number, requests: (app: FastifyInstance) => Promise<unknown>): Promise<number> {
  const times: number[] = []
  const app = serveMade(server, async () => {
    times.push(performance.now())
    await delay(workMs)
    times.push(performance.now())
    return 'page'
  })
  await requests(app)
  await app.close()
  const [, end = 0, nextBegin = 0] = times
  return nextBegin - end
}

test('WEBPAGE-12: the next page is made after a rest as long as the last one took', async () => {
  const rest = await restOf(15, async (app) => {
    await app.inject('/page/c')
    await app.inject('/page/d')
  })
  assert.ok(rest > 10, `the rest was ${rest} ms`)
})

test('WEBPAGE-12: the rest is eight times as long while others wait', async () => {
  const rest = await restOf(4, (app) => Promise.all([app.inject('/page/a'), app.inject('/page/b')]))
  assert.ok(rest > 16, `the rest was ${rest} ms`)
})

test('WEBPAGE-12: an address has 300 pages a minute made, and kept pages do not count', async () => {
  const { limit } = rateLimits.webPages
  const statuses = await askMany(limit + 5, (index) => `/read/${madeUp(index)}`)
  // The page that is kept was made before.
  assert.deepEqual(statuses, { 404: limit - 1, 429: 6 })
  assert.equal((await ask(`/read/${madeUp(limit)}`)).headers.get('retry-after'), '60')
  assert.equal((await ask(kept)).status, 200)
})

test('WEBPAGE-12: an address gets 1,200 files a minute', async () => {
  const { limit } = rateLimits.webPageFiles
  const path = `/read/${space.id}/${space.general}/files/${space.general}/${madeUp(1)}`
  assert.deepEqual(await askMany(limit + 5, (index) => `${path}/${madeUp(index)}`), { 404: limit, 429: 5 })
})
