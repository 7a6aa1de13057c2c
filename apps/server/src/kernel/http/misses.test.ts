import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, mock, test } from 'node:test'
import { ApiError } from '#src/kernel/errors.ts'
import { LocalCounters } from '#src/kernel/limits/local-counters.ts'
import { createLog } from '#src/kernel/log.ts'
import { startKernel, type TestKernel } from '#test/kernel.ts'
import { sendPipelined } from '#test/pipelines.ts'
import type { App } from './types.ts'

const LIMIT = 1000
const texts = { username: 'ann', custom: '', created_at: '', updated_at: '' }
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
const user = { id: 'ann', ...texts, ...nulls, flags: 0, badges: 0, is_bot: false, email_verified: true }
const ann = { kind: 'human', user, sessionId: 'ann', expiresAt: 0, hasSecondFactor: false } as const

/** Writing thousands of answers to the log would take longer than giving them. */
const log = createLog('silent')

let kernel: TestKernel
before(async () => {
  kernel = await startKernel(addRoutes, {
    log,
    credentials: { authenticate: async ({ authorization }) => (authorization === 'ann' ? ann : undefined) },
    rateCounters: new LocalCounters(),
    trustedProxies: ['127.0.0.1'],
  })
})
after(() => kernel.app.close())
beforeEach(() => mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 }))
afterEach(() => mock.timers.reset())

function addRoutes(app: App): void {
  const config = { access: 'public' } as const
  const missing = async () => {
    throw new ApiError('unknown_user')
  }
  app.get('/api/own', async () => ({ ok: true }))
  app.get('/api/own/missing', missing)
  app.get('/api/public', { config }, async () => ({ ok: true }))
  app.get('/api/public/missing', { config }, missing)
}

interface Asked {
  from: string
  as?: string
}

async function ask(path: string, { from, as = 'a guess' }: Asked): Promise<Response> {
  const response = await kernel.fetch(path, { headers: { authorization: as, 'x-forwarded-for': from } })
  await response.arrayBuffer()
  return response
}

/** The statuses of so many requests to each path by turns. */
async function statuses(paths: readonly string[], times: number, from: string): Promise<Set<number>> {
  const headers = { authorization: 'a guess', 'x-forwarded-for': from }
  const requests = Array.from({ length: times }, (_, turn) => ({
    path: paths[turn % paths.length] ?? '',
    headers,
  }))
  const answers = await sendPipelined(kernel, requests)
  return new Set(answers.map(({ status }) => status))
}

test('RATE-16: an address gets 401, 404 and 405 without a credential 1,000 times a minute', async () => {
  const from = '192.0.2.1'
  const guesses = ['/api/own', '/api/nothing', '/attachments/1', '/api/public/missing']
  assert.deepEqual(await statuses(guesses, LIMIT, from), new Set([401, 404]))
  for (const guess of guesses) {
    const refused = await ask(guess, { from })
    assert.deepEqual(
      [refused.status, refused.headers.get('x-error-code'), refused.headers.get('retry-after')],
      [429, 'rate_limited', '60'],
    )
  }
  const wrongMethod = { method: 'POST', headers: { 'x-forwarded-for': from } }
  assert.equal((await kernel.fetch('/api/own', wrongMethod)).status, 429)
  assert.equal((await ask('/api/own', { from: '192.0.2.2' })).status, 401)
  mock.timers.tick(60_000)
  assert.equal((await ask('/api/own', { from })).status, 401)
})

test('RATE-16: clients at the same address with a credential, or that request what exists, are not affected', async () => {
  const from = '192.0.2.3'
  await statuses(['/api/own'], LIMIT, from)
  assert.equal((await ask('/api/own', { from })).status, 429)
  assert.equal((await ask('/api/public', { from })).status, 200)
  assert.equal((await ask('/api/own', { from, as: 'ann' })).status, 200)
  assert.equal((await ask('/api/own/missing', { from, as: 'ann' })).status, 404)
})

test('RATE-16: pages and files of the web client, and answers to accounts, do not count', async () => {
  const from = '192.0.2.4'
  assert.deepEqual(await statuses(['/assets/old.js', '/room'], LIMIT + 1, from), new Set([404]))
  for (let turn = 0; turn < 40; turn += 1) await ask('/api/own/missing', { from, as: 'ann' })
  assert.deepEqual(await statuses(['/api/own'], LIMIT, from), new Set([401]))
})

test('RATE-16: RATE_LIMITS=off turns this off', async (t) => {
  const unlimited = await startKernel(addRoutes, { log })
  t.after(() => unlimited.app.close())
  const answers = await sendPipelined(unlimited, Array(LIMIT + 1).fill({ path: '/api/own' }))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([401]))
})
