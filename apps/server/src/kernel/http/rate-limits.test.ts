import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, mock, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Type } from 'typebox'
import { LocalCounters } from '#src/kernel/limits/local-counters.ts'
import { type LimitName, rateLimits } from '#src/kernel/limits/rate-limits.ts'
import { RateWindows } from '#src/kernel/limits/rate-windows.ts'
import { createLog } from '#src/kernel/log.ts'
import { startKernel, type TestKernel } from '#test/kernel.ts'
import { sendPipelined } from '#test/pipelines.ts'
import type { Caller, GivenCredential } from '../secrets/credentials.ts'
import { networkOf } from './network-of.ts'
import { type App, updateMethods } from './types.ts'

/** Limits that the address alone decides, as the specification has them: how many, and in how many seconds. */
const perAddress = {
  login: [16, 60],
  signin: [16, 3600],
  refresh: [32, 60],
  videoProxy: [300, 60],
  inviteLookup: [60, 60],
  apiDocument: [60, 60],
  webhook: [30, 60],
  webhookToken: [60, 60],
} as const satisfies Partial<Record<LimitName, readonly [number, number]>>

let kernel: TestKernel
before(async () => {
  kernel = await startKernel(addRoutes, {
    log: createLog('silent'),
    credentials: { authenticate: async (given) => callerNamed(given) },
    rateCounters: new LocalCounters(),
    trustedProxies: ['127.0.0.1'],
  })
})
after(() => kernel.app.close())
beforeEach(() => mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 }))
afterEach(() => mock.timers.reset())

function addRoutes(app: App): void {
  const ok = async () => ({ ok: true })
  const params = Type.Object({ spaceId: Type.String() })
  app.get('/own', ok)
  app.post('/own', ok)
  app.get('/other', ok)
  app.route({ method: updateMethods, url: '/own', handler: ok })
  app.get('/spaces/:spaceId', { schema: { params } }, ok)
  app.get('/settings/:scope/:id', ok)
  app.get('/poll', { config: { limits: ['interactionPoll'] } }, ok)
  app.post('/mail', { config: { limits: ['mailSending', 'login'] } }, ok)
  app.post('/mail/again', { config: { limits: ['mailSending'] } }, ok)
  app.post('/answers/:interactionId', { config: { access: 'public', limits: ['interactionAnswer'] } }, ok)
  app.get('/free', { config: { access: 'public' } }, ok)
  for (const name of Object.keys(perAddress).filter(isLimitName)) {
    const config = { access: 'public', limits: [name] } as const
    app.get(`/${name}/:webhookId`, { config }, ok)
    app.get(`/again/${name}/:webhookId`, { config }, ok)
  }
}

function isLimitName(name: string): name is LimitName {
  return name in rateLimits
}

function callerNamed({ authorization: id = 'nobody' }: GivenCredential): Caller {
  const texts = { id, username: id, custom: '', created_at: '', updated_at: '' }
  const nulls = {
    alias: null,
    avatar: null,
    banner: null,
    birthdate: null,
    phone: null,
    custom_until: null,
    web_presence: 'name' as const,
    deleted_at: null,
  }
  const user = { ...texts, ...nulls, flags: 0, badges: 0, is_bot: false, email_verified: true }
  return { kind: 'human', user, sessionId: id, expiresAt: 0, hasSecondFactor: false }
}

interface Asked {
  status: number
  limit: number
  remaining: number
  headers: Headers
}

const usual = { as: 'nobody', from: '192.0.2.1', method: 'GET' }

function headersOf({ as, from }: Pick<typeof usual, 'as' | 'from'>): Record<string, string> {
  return { authorization: as, 'x-forwarded-for': from }
}

async function ask(path: string, options: Partial<typeof usual> = {}): Promise<Asked> {
  const { method, ...caller } = { ...usual, ...options }
  const { status, headers } = await kernel.fetch(path, { method, headers: headersOf(caller) })
  const number = (name: string) => Number(headers.get(name) ?? Number.NaN)
  return { status, headers, limit: number('x-ratelimit-limit'), remaining: number('x-ratelimit-remaining') }
}

/** Sends this many requests at once, and returns their statuses. */
async function flood(count: number, path: string, options: Partial<typeof usual> = {}): Promise<number[]> {
  const { method, ...caller } = { ...usual, ...options }
  const requests = Array(count).fill({ method, path, headers: headersOf(caller) })
  return (await sendPipelined(kernel, requests)).map(({ status }) => status)
}

/** Makes this many requests that pass, a second apart where the limit per second would refuse them. */
async function pass(count: number, path: string, options: Partial<typeof usual> = {}): Promise<void> {
  for (let sent = 0; sent < count; sent += 50) {
    mock.timers.tick(1000)
    const part = Math.min(50, count - sent)
    const statuses = await flood(part, path, options)
    assert.deepEqual(statuses, Array(part).fill(200), `${count} requests to ${path}, after ${sent}`)
  }
}

test('RATE-1: an account may make 50 requests a second, over all routes', async () => {
  for (const path of ['/own', '/other']) {
    assert.deepEqual(await flood(25, path, { as: 'ann' }), Array(25).fill(200))
  }
  const refused = await ask('/spaces/1', { as: 'ann' })
  assert.deepEqual([refused.status, refused.limit, refused.headers.get('retry-after')], [429, 50, '1'])
  assert.equal((await ask('/own', { as: 'someone else' })).status, 200)
  mock.timers.tick(1000)
  assert.equal((await ask('/spaces/1', { as: 'ann' })).status, 200)
})

test('RATE-2: an account may make 64 requests a minute to a route', async () => {
  await pass(64, '/own', { as: 'bob' })
  const refused = await ask('/own', { as: 'bob' })
  assert.deepEqual([refused.status, refused.limit, refused.remaining], [429, 64, 0])
  assert.equal((await ask('/own', { as: 'bob', method: 'POST' })).status, 200)
  assert.equal((await ask('/own', { as: 'bill' })).status, 200)
  mock.timers.tick(60_000)
  assert.equal((await ask('/own', { as: 'bob' })).status, 200)
})

for (const [path, as] of [
  ['/spaces', 'cat'],
  ['/settings/room', 'cara'],
] as const)
  test(`RATE-2: each of ${path} counts separately, up to 640 over all of them`, async () => {
    for (let target = 1; target <= 10; target += 1) {
      await pass(64, `${path}/${target}`, { as })
      const refused = await ask(`${path}/${target}`, { as })
      assert.deepEqual([refused.status, refused.limit], [429, 64])
    }
    mock.timers.tick(1000)
    const refused = await ask(`${path}/11`, { as })
    assert.deepEqual([refused.status, refused.limit], [429, 640])
    assert.equal((await ask('/own', { as })).status, 200)
  })

test('RATE-3: public routes count by address and route', async () => {
  for (const [name, [limit, seconds]] of Object.entries(perAddress)) {
    const from = '198.51.100.1'
    assert.deepEqual(await flood(limit, `/${name}/1`, { from }), Array(limit).fill(200))
    const refused = await ask(`/${name}/1`, { from })
    assert.deepEqual(
      [refused.status, refused.limit, refused.headers.get('retry-after')],
      [429, limit, `${seconds}`],
    )
    assert.equal((await ask(`/${name}/1`, { from: '198.51.100.2' })).status, 200)
    const isPerWebhook = name.startsWith('webhook')
    assert.equal((await ask(`/${name}/2`, { from })).status, isPerWebhook ? 200 : 429)
    assert.equal((await ask(`/again/${name}/1`, { from })).status, isPerWebhook ? 429 : 200)
    mock.timers.tick(seconds * 1000)
    assert.equal((await ask(`/${name}/1`, { from })).status, 200)
  }
})

test('INTERACTION-18: an address may answer interactions 30 times a minute', async () => {
  await pass(30, '/answers/1', { method: 'POST' })
  const refused = await ask('/answers/1', { method: 'POST' })
  assert.deepEqual([refused.status, refused.limit, refused.headers.get('retry-after')], [429, 30, '60'])
  assert.equal((await ask('/answers/2', { method: 'POST' })).status, 200)
  assert.equal((await ask('/answers/1', { method: 'POST', from: '198.51.100.7' })).status, 200)
})

test('RATE-4: an account may request each kind of mail three times an hour, besides the limit per address', async () => {
  await pass(3, '/mail', { as: 'dan', method: 'POST' })
  const refused = await ask('/mail', { as: 'dan', method: 'POST' })
  assert.deepEqual([refused.status, refused.limit, refused.headers.get('retry-after')], [429, 3, '3600'])
  assert.equal((await ask('/mail/again', { as: 'dan', method: 'POST' })).status, 200)
  for (let account = 0; account < 13; account += 1) {
    assert.equal((await ask('/mail', { as: `dan ${account}`, method: 'POST' })).status, 200)
  }
  const crowded = await ask('/mail', { as: 'dora', method: 'POST' })
  assert.deepEqual([crowded.status, crowded.limit], [429, 16])
  assert.equal((await ask('/mail', { as: 'dora', method: 'POST', from: '192.0.2.9' })).status, 200)
})

test('RATE-5: polling for interactions may happen 600 times a minute, instead of the limit per route', async () => {
  await pass(600, '/poll', { as: 'eve' })
  mock.timers.tick(1000)
  const refused = await ask('/poll', { as: 'eve' })
  assert.deepEqual([refused.status, refused.limit], [429, 600])
})

test('RATE-6: a request refused by one limit does not count against the others', async () => {
  await flood(50, '/own', { as: 'fay' })
  assert.deepEqual(await flood(30, '/own', { as: 'fay' }), Array(30).fill(429))
  mock.timers.tick(1000)
  const next = await ask('/own', { as: 'fay' })
  assert.deepEqual([next.status, next.limit, next.remaining], [200, 64, 13])
})

test('RATE-7: the headers describe the limit that is closest to running out', async () => {
  const first = await ask('/own', { as: 'guy' })
  assert.deepEqual([first.limit, first.remaining], [50, 49])
  assert.equal(first.headers.get('x-ratelimit-reset'), '1800000001')
  assert.equal(first.headers.get('x-ratelimit-reset-after'), '1')
  await pass(30, '/own', { as: 'guy' })
  mock.timers.tick(1500)
  const later = await ask('/own', { as: 'guy' })
  assert.deepEqual([later.limit, later.remaining], [64, 32])
  assert.equal(later.headers.get('x-ratelimit-reset'), '1800000060')
  assert.equal(later.headers.get('x-ratelimit-reset-after'), '58')
  const free = await ask('/free')
  assert.deepEqual([free.status, free.headers.get('x-ratelimit-limit')], [200, null])
})

test('RATE-8: a refusal says how long to wait', async () => {
  await pass(64, '/own', { as: 'hal' })
  mock.timers.tick(20_400)
  const { headers } = await ask('/own', { as: 'hal' })
  assert.equal(headers.get('x-error-code'), 'rate_limited')
  assert.equal(headers.get('retry-after'), '39')
  assert.equal(headers.get('x-ratelimit-reset-after'), '39')
})

test('RATE-9: the address of an IPv6 client is its network', () => {
  assert.equal(networkOf('2001:db8:0:1::1'), networkOf('2001:db8:0:1:ffff::2'))
  assert.notEqual(networkOf('2001:db8:0:1::1'), networkOf('2001:db8:0:2::1'))
  assert.equal(networkOf('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(networkOf('192.0.2.1'), '192.0.2.1')
  assert.equal(networkOf('unknown: 1'), 'unknown: 1')
})

test('RATE-10: HEAD counts as GET', async () => {
  await pass(64, '/own', { as: 'ida' })
  assert.equal((await ask('/own', { as: 'ida', method: 'HEAD' })).status, 429)
})

test('RATE-12: both methods of a route count as one', async () => {
  await pass(60, '/own', { as: 'jan', method: 'PATCH' })
  await pass(4, '/own', { as: 'jan', method: 'PUT' })
  for (const method of ['PATCH', 'PUT'])
    assert.equal((await ask('/own', { as: 'jan', method })).status, 429, method)
  assert.equal((await ask('/own', { as: 'jan', method: 'POST' })).status, 200)
})

test('RATE-11: windows that ended are forgotten, and beyond the maximum the oldest', () => {
  const windows = new RateWindows(1000, 8)
  const count = (key: string, now: number) => {
    const window = windows.at(key, 5, now)
    window.count += 1
    return window.count
  }
  for (let key = 0; key < 8; key += 1) assert.equal(count(`${key}`, 100 + key), 1)
  assert.equal(count('8', 200), 1)
  assert.ok(windows.size <= 8)
  assert.equal(count('8', 300), 2)
  assert.equal(count('9', 5000), 1)
  assert.equal(windows.size, 1)
})

test('RATE-11: long counter names take no more memory than short ones, and count separately', () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const windows = new RateWindows(1000)
  const nameOf = (number: number) => `${'x'.repeat(2000)}${number}`
  collect()
  const before = process.memoryUsage().heapUsed
  for (let number = 0; number < 5000; number += 1) windows.at(nameOf(number), 5, 100).count = number
  collect()
  const bytesOfOne = (process.memoryUsage().heapUsed - before) / 5000
  assert.ok(bytesOfOne < 1000, `${bytesOfOne} bytes`)
  assert.equal(windows.at(nameOf(4321), 5, 100).count, 4321)
  windows.delete(nameOf(4321))
  assert.equal(windows.at(nameOf(4321), 5, 100).count, 0)
})

test('HTTP-11: X-Forwarded-For is trusted from proxies only', async () => {
  const { app, fetch } = await startKernel(addRoutes, { rateCounters: new LocalCounters() })
  const statuses: number[] = []
  for (let sent = 0; sent <= rateLimits.login.limit; sent += 1) {
    statuses.push((await fetch('/login/1', { headers: { 'x-forwarded-for': `192.0.2.${sent}` } })).status)
  }
  assert.equal(statuses.at(-1), 429)
  await app.close()
  const spoofed = { from: '203.0.113.1, 192.0.2.77' }
  for (let sent = 0; sent < 16; sent += 1) await ask('/login/1', { from: `203.0.113.${sent}, 192.0.2.77` })
  assert.equal((await ask('/login/1', spoofed)).status, 429)
})
