import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { ApiError } from '@foyer/sdk/rest'
import { startSender } from '#src/messages/sending/sample-sender.ts'
import { sendMessage } from '#src/messages/sending/send.ts'
import { sampleThread } from '#src/store/samples.ts'
import { startThreadFeed } from './thread-feed.ts'

test('WEB-9: a thread with unsent messages or files stays in use, and others are forgotten', async (t) => {
  const { session, known } = start(t, async (id) => sampleThread(id))
  sendMessage(session, 'queued', { content: 'hello' })
  session.uploads.add('attached', [new File(['x'], 'a.txt')])
  assert.deepEqual(await known(), ['queued', 'attached'])
})

test('a thread that was deleted is forgotten, even with unsent messages', async (t) => {
  const { session, known } = start(t, () => Promise.reject(new ApiError(404, 'gone', new Headers())))
  sendMessage(session, 'queued', { content: 'hello' })
  assert.deepEqual(await known(), [])
})

/** A client on another page, which has three threads in use that the user does not follow. */
function start(t: TestContext, get: ThreadRooms['get']) {
  Object.assign(globalThis, { window: { location: new URL('http://localhost/home') } })
  t.mock.method(ThreadRooms.prototype, 'listFollowed', async () => ({ threads: [], next: null }))
  t.mock.method(ThreadRooms.prototype, 'get', get)
  const { session } = startSender()
  const threads = ['queued', 'attached', 'idle'].map((id) => sampleThread(id))
  session.store.dispatch('threads_loaded', threads)
  const known = async () => {
    t.after(startThreadFeed(session))
    await setImmediate()
    return Object.keys(session.store.get().threads)
  }
  return { session, known }
}
