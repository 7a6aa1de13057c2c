import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { CreateMessageBody, Message } from '@foyer/protocol/messages'
import { Client } from '@foyer/sdk/client'
import { ApiError, type CallOptions, NetworkError } from '@foyer/sdk/rest'
import { sampleMessage, sampleReady, sampleUser } from '#src/store/samples.ts'
import { createAppStore } from '#src/store/store.ts'
import { resendWaiting, retryMessage, sendMessage } from './send.ts'

test('a room hears its messages in the order in which they were written', async () => {
  const { session, answers, sent, outbox } = start()
  sendMessage(session, 'room', 'one')
  sendMessage(session, 'room', 'two')
  await setImmediate()
  assert.deepEqual(sent(), ['one'], 'the second waits for the first')
  answers[0]?.resolve()
  await setImmediate()
  assert.deepEqual(sent(), ['one', 'two'])
  answers[1]?.resolve()
  await setImmediate()
  assert.deepEqual(outbox(), [])
})

test('what could not be sent is not overtaken, and goes out in order once the server is reached', async () => {
  const { session, answers, sent, outbox } = start()
  sendMessage(session, 'room', 'one')
  sendMessage(session, 'room', 'two')
  await setImmediate()
  answers[0]?.reject(new NetworkError('offline'))
  await setImmediate()
  assert.deepEqual(outbox(), ['one waiting', 'two waiting'])
  resendWaiting(session)
  await setImmediate()
  answers[1]?.resolve()
  await setImmediate()
  assert.deepEqual(sent(), ['one', 'one', 'two'])
})

test('an attempt that is under way when the server is reached again begins anew under its nonce', async () => {
  const { session, nonces, outbox } = start()
  sendMessage(session, 'room', 'one')
  await setImmediate()
  resendWaiting(session)
  await setImmediate()
  assert.equal(nonces().length, 2)
  assert.equal(nonces()[0], nonces()[1])
  assert.deepEqual(outbox(), ['one sending'])
})

test('what was refused stays until the writer decides', async () => {
  const { session, answers, sent, outbox } = start()
  sendMessage(session, 'room', 'one')
  await setImmediate()
  answers[0]?.reject(new ApiError(403, 'not here', new Headers()))
  await setImmediate()
  assert.deepEqual(outbox(), ['one failed'])
  resendWaiting(session)
  await setImmediate()
  assert.deepEqual(sent(), ['one'])
  const [message] = session.store.get().outbox.room ?? []
  assert.ok(message)
  retryMessage(session, message)
  await setImmediate()
  assert.deepEqual(sent(), ['one', 'one'])
})

/** A session whose server answers when the test says so. */
function start() {
  const client = new Client({ baseUrl: 'http://localhost' })
  const store = createAppStore((show) => show())
  store.hear('READY', sampleReady())
  const bodies: CreateMessageBody[] = []
  const answers: { resolve: () => void; reject: (error: Error) => void }[] = []
  client.messages.create = (_roomId: string, body: CreateMessageBody, options?: CallOptions) => {
    const { promise, resolve, reject } = Promise.withResolvers<Message>()
    bodies.push(body)
    const message = sampleMessage(bodies.length, { author: sampleUser('me'), nonce: body.nonce ?? null })
    answers.push({ resolve: () => resolve(message), reject })
    options?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
    return promise
  }
  return {
    session: { client, store, close: () => undefined },
    answers,
    sent: () => bodies.map((body) => body.content),
    nonces: () => bodies.map((body) => body.nonce),
    outbox: () => (store.get().outbox.room ?? []).map((message) => `${message.content} ${message.status}`),
  }
}
