import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ApiError } from '@foyer/sdk/rest'
import { startSender } from './sample-sender.ts'
import { sendMessage, stopResending } from './send.ts'

test('waiting messages are retried automatically while connected, at growing intervals, once and in order', async (context) => {
  const { session, answers, sent, nonces, outbox } = startReady(context)
  sendMessage(session, 'room', { content: 'one' })
  sendMessage(session, 'room', { content: 'two' })
  await setImmediate()
  answers[0]?.reject(badGateway())
  await setImmediate()
  sendMessage(session, 'room', { content: 'three' })
  await setImmediate()
  assert.deepEqual(outbox(), ['one waiting', 'two waiting', 'three waiting'])
  context.mock.timers.tick(2000)
  await setImmediate()
  answers[1]?.reject(badGateway())
  await setImmediate()
  context.mock.timers.tick(3999)
  await setImmediate()
  assert.deepEqual(sent(), ['one', 'one'], 'longer after each time')
  context.mock.timers.tick(1)
  for (const attempt of [2, 3, 4]) {
    await setImmediate()
    answers[attempt]?.resolve()
  }
  await setImmediate()
  assert.deepEqual(sent(), ['one', 'one', 'one', 'two', 'three'])
  assert.equal(new Set(nonces()).size, 3)
  assert.deepEqual(outbox(), [])
  context.mock.timers.tick(60_000)
  await setImmediate()
  assert.equal(sent().length, 5, 'nothing is left to be tried')
})

test('waiting messages are retried at once when another request succeeds', async (context) => {
  const { session, answers, sent } = startReady(context)
  sendMessage(session, 'room', { content: 'one' })
  await setImmediate()
  answers[0]?.reject(badGateway())
  await setImmediate()
  sendMessage(session, 'elsewhere', { content: 'two' })
  await setImmediate()
  assert.deepEqual(sent(), ['one', 'two'])
  answers[1]?.resolve()
  await setImmediate()
  assert.deepEqual(sent(), ['one', 'two', 'one'])
})

test('waiting messages are not retried before the server’s Retry-After', async (context) => {
  const { session, answers, sent } = startReady(context)
  sendMessage(session, 'room', { content: 'one' })
  await setImmediate()
  answers[0]?.reject(new ApiError(503, 'unavailable', new Headers({ 'retry-after': '90' })))
  await setImmediate()
  context.mock.timers.tick(89_999)
  await setImmediate()
  assert.deepEqual(sent(), ['one'])
  context.mock.timers.tick(1)
  await setImmediate()
  assert.deepEqual(sent(), ['one', 'one'])
})

test('a request that succeeds does not shorten Retry-After', async (context) => {
  const { session, answers, sent } = startReady(context)
  sendMessage(session, 'room', { content: 'one' })
  await setImmediate()
  answers[0]?.reject(new ApiError(503, 'unavailable', new Headers({ 'retry-after': '90' })))
  await setImmediate()
  context.mock.timers.tick(60_000)
  sendMessage(session, 'elsewhere', { content: 'two' })
  await setImmediate()
  answers[1]?.resolve()
  await setImmediate()
  assert.deepEqual(sent(), ['one', 'two'])
  context.mock.timers.tick(30_000)
  await setImmediate()
  assert.deepEqual(sent(), ['one', 'two', 'one'])
})

test('nothing is retried after the session has ended', async (context) => {
  const { session, answers, sent } = startReady(context)
  for (const room of ['room', 'elsewhere']) sendMessage(session, room, { content: room })
  await setImmediate()
  answers[0]?.reject(badGateway())
  await setImmediate()
  stopResending(session)
  session.store.dispatch('connection_changed', 'idle')
  answers[1]?.reject(badGateway())
  await setImmediate()
  context.mock.timers.tick(600_000)
  await setImmediate()
  assert.deepEqual(sent(), ['room', 'elsewhere'])
})

test('a retried message is sent before later ones, with or without files', async (context) => {
  const { session, answers, sent, files } = startReady(context)
  const uploading = () => {
    session.uploads.add('room', [new File(['x'], 'a.txt')])
    return session.uploads.take('room')
  }
  sendMessage(session, 'room', { content: 'large file', uploadIds: uploading() })
  sendMessage(session, 'room', { content: 'small file', uploadIds: uploading() })
  files[1]?.resolve('attachment-1')
  await setImmediate()
  answers[0]?.reject(badGateway())
  files[0]?.resolve('attachment-0')
  await setImmediate()
  sendMessage(session, 'room', { content: 'text' })
  context.mock.timers.tick(2000)
  for (const attempt of [1, 2, 3]) {
    await setImmediate()
    answers[attempt]?.resolve()
  }
  assert.deepEqual(sent(), ['small file', 'large file', 'small file', 'text'])
})

test('a message with stored files is retried before a text queued after it', async (context) => {
  const { session, answers, sent, files } = startReady(context)
  session.uploads.add('room', [new File(['x'], 'a.txt')])
  sendMessage(session, 'room', { content: 'file', uploadIds: session.uploads.take('room') })
  files[0]?.resolve('attachment-0')
  await setImmediate()
  sendMessage(session, 'room', { content: 'text' })
  answers[0]?.reject(badGateway())
  await setImmediate()
  context.mock.timers.tick(2000)
  await setImmediate()
  answers[1]?.resolve()
  await setImmediate()
  assert.deepEqual(sent(), ['file', 'file', 'text'])
})

/** Response of a proxy whose server is down. */
function badGateway(): ApiError {
  return new ApiError(502, 'bad gateway', new Headers())
}

/** Keeps the gateway connected, whatever happens to requests. */
function startReady(context: TestContext) {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const sender = startSender()
  sender.session.store.dispatch('connection_changed', 'ready')
  return sender
}
