import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Processes, startProcesses } from '#test/processes/processes.ts'
import { tryLogin } from '#test/scenes/accounts.ts'
import { createPerson } from '#test/scenes/people.ts'
import type { TestServer } from '#test/server.ts'
import { withoutValkey } from '#test/valkey/valkey.ts'

const WAIT_MS = 10_000
const skip = withoutValkey

let processes: Processes
before(async () => {
  if (skip === false) processes = await startProcesses([{ rateLimits: true }, { rateLimits: true }])
})
after(() => processes?.close())

test('PROCESS-1: an address has one limit over all processes', { skip }, async () => {
  const [one, two] = processes.servers
  const statuses: number[] = []
  for (let sent = 0; sent < 60; sent += 1) {
    const { status, headers } = await (sent % 2 === 0 ? one : two).fetch('/api/invites/AbCdEfGh12')
    assert.equal(headers.get('x-ratelimit-remaining'), `${59 - sent}`)
    statuses.push(status)
  }
  assert.deepEqual(new Set(statuses), new Set([404]))
  for (const server of [one, two]) {
    const refused = await server.fetch('/api/invites/AbCdEfGh12')
    assert.deepEqual([refused.status, refused.headers.get('x-ratelimit-limit')], [429, '60'])
    const wait = Number(refused.headers.get('retry-after'))
    assert.ok(wait >= 1 && wait <= 60, `${wait}`)
  }
})

test('PROCESS-1: password guesses count over all processes', { skip }, async () => {
  const [one, two] = processes.servers
  const guess = (turn: number) => tryLogin(turn % 2 === 0 ? one : two, 'nobody@example.org', 'wrong guess')
  for (let turn = 0; turn < 10; turn += 1) assert.equal((await guess(turn)).code, 'invalid_login')
  for (const turn of [0, 1]) assert.equal((await guess(turn)).code, 'too_many_failed_logins')
})

test('PROCESS-28: Valkey contains no email addresses and no network addresses', { skip }, async () => {
  const [one] = processes.servers
  await one.fetch('/api/invites/AbCdEfGh12')
  await tryLogin(one, 'somebody@example.org', 'wrong guess')
  const keys = (await one.deps.valkey?.ask((commands) => commands.keys('*'))) ?? []
  assert.ok(keys.some((key) => key.includes(':count:{')))
  assert.deepEqual(
    keys.filter((key) => /example|127\.0|::/.test(key)),
    [],
  )
})

test('PROCESS-1: a typing indicator passes once, whichever process receives it', { skip }, async () => {
  const [one, two] = processes.servers
  const taken = await Promise.all(
    [one, two, one, two].map(({ deps }) => deps.indicatorThrottle.take('typing', 'ann', 'a room')),
  )
  assert.deepEqual(taken.filter(Boolean), [true])
})

test('PROCESS-2: each process continues without Valkey, and says so', { skip }, async () => {
  const [one] = processes.servers
  const ann = await createPerson(one, 'ann')
  await untilMetric(one, 'foyer_valkey_up 1')
  await processes.valkey.kill()
  assert.equal((await ann.call('GET', '/api/users/@me')).status, 200)
  await untilMetric(one, 'foyer_valkey_up 0')
  await processes.valkey.start()
  await untilMetric(one, 'foyer_valkey_up 1')
  assert.equal((await ann.call('GET', '/api/users/@me')).status, 200)
})

test('PROCESS-1: an address’s 401 and 404 answers count over all processes', { skip }, async () => {
  const miss = async (turn: number) => {
    const server = processes.servers[turn % 2 === 0 ? 0 : 1]
    return (await server.fetch('/api/users/@me')).status
  }
  // Other tests of this file have used up some of the limit.
  const statuses: number[] = []
  for (let turn = 0; turn < 1000; turn += 1) statuses.push(await miss(turn))
  assert.deepEqual([statuses[0], statuses[800]], [401, 401])
  for (const turn of [0, 1]) assert.equal(await miss(turn), 429)
})

async function untilMetric(server: TestServer, line: string): Promise<void> {
  const deadline = Date.now() + WAIT_MS
  let lines: string[] = []
  while (!lines.includes(line)) {
    assert.ok(Date.now() < deadline, `/metrics says ${line}`)
    lines = (await (await server.fetch('/metrics')).text()).split('\n')
  }
}
