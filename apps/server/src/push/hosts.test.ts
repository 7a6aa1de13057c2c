import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PushHosts } from './hosts.ts'
import type { Outcome } from './outcome.ts'

const { signal } = new AbortController()
const MINUTE_MS = 60_000

/** Makes hosts that answer as `answers` says, with a clock of their own. */
function makeHosts() {
  const clock = { ms: 0 }
  const hosts = new PushHosts(() => clock.ms)
  const answers: { kind: 'sent' | 'unanswered' } = { kind: 'unanswered' }
  let requests = 0
  const request = async (): Promise<Outcome> => {
    requests += 1
    return { kind: answers.kind }
  }
  const push = (host = 'push.example') => hosts.run(host, signal, request)
  return { clock, answers, push, count: () => requests }
}

test('PUSH-19: single requests at growing intervals find out whether a host is back', async () => {
  const { clock, answers, push, count } = makeHosts()
  for (let time = 0; time < 10; time += 1) await push()
  assert.equal(count(), 5)
  const asked = []
  for (let minute = 0; minute < 60; minute += 0.5) {
    clock.ms = minute * MINUTE_MS
    const before = count()
    await push()
    await push()
    if (count() > before) asked.push(minute)
    assert.ok(count() - before <= 1)
  }
  assert.deepEqual(asked, [0.5, 1.5, 3.5, 7.5, 15.5, 25.5, 35.5, 45.5, 55.5])
  answers.kind = 'sent'
  clock.ms = 70 * MINUTE_MS
  assert.deepEqual(await push(), { kind: 'sent' })
  assert.deepEqual(await push(), { kind: 'sent' })
})

test('PUSH-19: other hosts stay open, and so do known push services', async () => {
  const { push, count } = makeHosts()
  for (let time = 0; time < 10; time += 1) await push()
  await push('other.example')
  assert.equal(count(), 6)
  for (let time = 0; time < 10; time += 1) await push('fcm.googleapis.com')
  assert.equal(count(), 16)
})
