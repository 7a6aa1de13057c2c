import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RateCounter } from '#src/kernel/limits/rate-limits.ts'
import { startValkey, type TestValkey, withoutValkey } from '#test/valkey/valkey.ts'
import { SharedCounters } from './shared-counters.ts'
import { Valkey } from './valkey.ts'

const MINUTE_MS = 60_000
const skip = withoutValkey

let server: TestValkey
/** Counters of two processes. */
let valkeys: [Valkey, Valkey]
let here: SharedCounters
let there: SharedCounters
const outages: string[] = []

before(async () => {
  if (skip !== false) return
  server = await startValkey()
  valkeys = [open(), open()]
  await Promise.all(valkeys.map(({ known }) => known))
  here = new SharedCounters(valkeys[0], 'secret')
  there = new SharedCounters(valkeys[1], 'secret')
})
after(async () => {
  for (const valkey of valkeys ?? []) valkey.close()
  await server?.close()
})

function open(): Valkey {
  return new Valkey({
    url: server.url,
    prefix: 'test',
    onError: () => undefined,
    onAway: () => outages.push('away'),
    onBack: () => outages.push('back'),
  })
}

function counter(name: string, limit: number, windowMs = MINUTE_MS): RateCounter {
  return { subject: 'ann', name, limit, windowMs }
}

async function untilBack(): Promise<void> {
  while (!valkeys.every(({ isUp }) => isUp)) await sleep(20)
}

test('RATE-13: the cost of a request is counted afterwards, in all processes, and may exceed the limit', {
  skip,
}, async () => {
  const costly = counter('costly', 10)
  await here.take([costly], Date.now())
  await here.charge(costly, 20, Date.now())
  const refused = await here.take([costly], Date.now())
  const refusedThere = await there.take([costly], Date.now())
  for (const verdict of [refused, refusedThere])
    assert.deepEqual([verdict?.allowed, verdict?.closest.remaining], [false, 0])
  const fresh = counter('charged first', 10)
  await here.charge(fresh, 4, Date.now())
  assert.equal((await here.take([fresh], Date.now()))?.closest.remaining, 5)
})

test('PROCESS-1: processes count together, and simultaneous requests never exceed the limit together', {
  skip,
}, async () => {
  const shared = counter('together', 40)
  const taken = await Promise.all(
    Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? here : there).take([shared], Date.now())),
  )
  assert.equal(taken.filter((verdict) => verdict?.allowed).length, 40)
  const refused = await there.take([shared], 1000)
  assert.deepEqual([refused?.allowed, refused?.closest.remaining, refused?.closest.limit], [false, 0, 40])
  const resetAt = refused?.closest.resetAt ?? 0
  assert.ok(resetAt > 1000 && resetAt <= 1000 + MINUTE_MS, `${resetAt}`)
})

test('PROCESS-1: a request refused by one counter does not count in others', { skip }, async () => {
  const [narrow, wide] = [counter('narrow', 1), counter('wide', 10)]
  await here.take([narrow, wide], Date.now())
  for (const counters of [here, there]) {
    const verdict = await counters.take([wide, narrow], Date.now())
    assert.deepEqual([verdict?.allowed, verdict?.closest.limit], [false, 1])
  }
  const verdict = await there.take([wide], Date.now())
  assert.deepEqual([verdict?.allowed, verdict?.closest.remaining], [true, 8])
})

test('PROCESS-1: a window begins with its first request and ends by itself', { skip }, async () => {
  const short = counter('short', 1, 50)
  assert.equal((await here.take([short], Date.now()))?.allowed, true)
  let verdict = await there.take([short], Date.now())
  while (verdict?.allowed !== true) {
    await sleep(5)
    verdict = await there.take([short], Date.now())
  }
  assert.equal(verdict.closest.remaining, 0)
})

test('PROCESS-1: a counter cleared in one process is cleared in all', { skip }, async () => {
  const failures = counter('failures', 1)
  await here.take([failures], Date.now())
  assert.equal((await there.take([failures], Date.now()))?.allowed, false)
  await here.clear(failures)
  assert.equal((await there.take([failures], Date.now()))?.allowed, true)
})

test('PROCESS-2: each process counts for itself while Valkey is down', { skip }, async () => {
  assert.deepEqual(outages, [])
  const limit = counter('away', 2)
  await here.take([limit], Date.now())
  await server.kill()
  const allowed = async (counters: SharedCounters) => {
    const verdicts = []
    for (let sent = 0; sent < 4; sent += 1) verdicts.push(await counters.take([limit], Date.now()))
    return verdicts.filter((verdict) => verdict?.allowed).length
  }
  assert.deepEqual([await allowed(here), await allowed(there)], [2, 2])
  await server.start()
  await untilBack()
  assert.equal((await here.take([limit], Date.now()))?.closest.remaining, 1)
  assert.equal((await there.take([limit], Date.now()))?.closest.remaining, 0)
  assert.deepEqual(outages, ['away', 'away', 'back', 'back'])
})

test('PROCESS-2: a hanging Valkey is waited for only once', { skip }, async () => {
  outages.length = 0
  const limit = counter('hanging', 100)
  server.pause()
  const first = await Promise.all(Array.from({ length: 10 }, () => here.take([limit], Date.now())))
  assert.equal(first.filter((verdict) => verdict?.allowed).length, 10)
  assert.equal(valkeys[0].isUp, false)
  assert.equal((await here.take([limit], Date.now()))?.closest.remaining, 89)
  server.resume()
  await untilBack()
  assert.deepEqual(outages, ['away', 'back'])
  const verdict = await there.take([counter('after', 5)], Date.now())
  assert.equal(verdict?.closest.remaining, 4)
})

test('PROCESS-2: a script that Valkey has forgotten is loaded again', { skip }, async () => {
  await valkeys[0].commands.script('FLUSH')
  const verdict = await here.take([counter('flushed', 5)], Date.now())
  assert.deepEqual([verdict?.closest.remaining, valkeys[0].isUp], [4, true])
})
