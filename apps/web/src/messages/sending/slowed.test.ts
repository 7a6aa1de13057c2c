import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ApiError } from '@foyer/sdk/rest'
import { startSender } from './sample-sender.ts'
import { discardMessage, sendMessage } from './send.ts'

test('WEB-13 all messages wait for Retry-After after a 429, and are sent in order', async (context) => {
  const { session, answers, sent, outbox } = startWithTimers(context)
  for (const content of ['one', 'two']) sendMessage(session, 'room', { content })
  await setImmediate()
  answers[0]?.reject(tooOften(40))
  await setImmediate()
  assert.deepEqual(outbox(), ['one sending', 'two sending'])
  context.mock.timers.tick(39_000)
  sendMessage(session, 'room', { content: 'three' })
  await setImmediate()
  assert.deepEqual(sent(), ['one'])
  context.mock.timers.tick(1_000)
  for (const attempt of [1, 2, 3]) {
    await setImmediate()
    answers[attempt]?.resolve()
  }
  await setImmediate()
  assert.deepEqual(sent(), ['one', 'one', 'two', 'three'])
  assert.deepEqual(outbox(), [])
})

test('WEB-13 the next message waits for the reset of an exhausted limit without being refused', async (context) => {
  const { session, answers, limits, sent } = startWithTimers(context)
  for (const content of ['one', 'two']) sendMessage(session, 'room', { content })
  await setImmediate()
  limits[0]?.({ remaining: 0, resetAfterMs: 50_000 })
  answers[0]?.resolve()
  await setImmediate()
  assert.deepEqual(sent(), ['one'])
  context.mock.timers.tick(50_000)
  await setImmediate()
  assert.deepEqual(sent(), ['one', 'two'])
})

test('WEB-13 a message cancelled while it waits is not sent, and later ones are', async (context) => {
  const { session, answers, sent } = startWithTimers(context)
  for (const content of ['one', 'two', 'three']) sendMessage(session, 'room', { content })
  await setImmediate()
  answers[0]?.reject(tooOften(10))
  await setImmediate()
  const [first, second] = session.store.get().outbox.room ?? []
  assert.ok(first !== undefined && second !== undefined)
  discardMessage(session, first)
  discardMessage(session, second)
  context.mock.timers.tick(10_000)
  await setImmediate()
  assert.deepEqual(sent(), ['one', 'three'])
})

test('WEB-13 the channel is paused until a known time', async (context) => {
  const { session, answers } = startWithTimers(context)
  const pause = () => session.store.get().pauses.room
  sendMessage(session, 'room', { content: 'one' })
  await setImmediate()
  answers[0]?.reject(tooOften(20))
  await setImmediate()
  assert.equal(pause(), Date.now() + 20_000)
  context.mock.timers.tick(20_000)
  await setImmediate()
  assert.equal(pause(), undefined)
})

test('WEB-13 other channels are not held back', async (context) => {
  const { session, answers, sent } = startWithTimers(context)
  sendMessage(session, 'room', { content: 'one' })
  await setImmediate()
  answers[0]?.reject(tooOften(20))
  await setImmediate()
  sendMessage(session, 'elsewhere', { content: 'two' })
  await setImmediate()
  assert.deepEqual(sent(), ['one', 'two'])
})

function tooOften(seconds: number): ApiError {
  return new ApiError(429, 'too often', new Headers({ 'retry-after': `${seconds}` }))
}

function startWithTimers(context: TestContext) {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  return startSender()
}
