import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleThread } from '#src/store/samples.ts'
import { receiveEvent } from './receive-event.ts'
import { startSender } from './sample-sender.ts'
import { sendMessage } from './send.ts'

const channels = ['room', 'thread', 'elsewhere']
const room = { room_id: 'room', space_id: 'space' }

test('WEB-9, TROOM-11: drafts, messages and files for a deleted thread are dropped', () => {
  const { session, unsent } = start()
  receiveEvent(session, 'THREAD_DELETE', { id: 'thread', ...room }, { s: '1' })
  assert.deepEqual(unsent(), ['room', 'elsewhere'])
})

test('WEB-9, TROOM-11: those for a deleted room go with those for its threads', () => {
  const { session, unsent } = start()
  receiveEvent(session, 'ROOM_DELETE', room, { s: '1' })
  assert.deepEqual(unsent(), ['elsewhere'])
})

test('WEB-9: those for a hidden room and its threads stay', () => {
  const { session, unsent } = start()
  receiveEvent(session, 'ROOM_DELETE', room, {})
  assert.deepEqual(session.store.get().threads.thread, undefined)
  assert.deepEqual(unsent(), channels)
})

/** A session with a draft, an attached file and a queued message for a room, a thread of it and another thread. */
function start() {
  const { session } = startSender()
  const { store, uploads } = session
  const threads = [sampleThread('thread'), sampleThread('elsewhere', { room_id: 'other' })]
  store.dispatch('threads_loaded', threads)
  for (const id of channels) {
    store.dispatch('draft_changed', { channel_id: id, content: 'hello' })
    uploads.add(id, [new File(['x'], 'a.txt')])
    sendMessage(session, id, { content: 'hello' })
  }
  const unsent = () => {
    const { drafts, outbox } = store.get()
    const files = Object.values(uploads.api.getState().uploads).map(({ channel }) => channel)
    const queued = Object.keys(outbox)
    assert.deepEqual([Object.keys(drafts), files], [queued, queued])
    return queued
  }
  return { session, unsent }
}
