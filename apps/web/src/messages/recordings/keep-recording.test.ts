import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Uploads } from '#src/attachments/transfer/uploads.ts'
import { sampleReady, sampleThread } from '#src/store/samples.ts'
import { createAppStore } from '#src/store/store.ts'
import { keepRecording } from './keep-recording.ts'

const room = { address: 'room', id: 'room' }

test('an unfinished recording is kept as an attachment of its channel’s draft', async () => {
  const { session, recorder, drafted } = start()
  await keepRecording(session, room, recorder)
  assert.deepEqual(drafted(), ['Voice message.m4a'])
})

test('a recording in a thread is kept with the draft of the thread', async () => {
  const { session, recorder } = start()
  await keepRecording(session, { ...room, threadId: 'first' }, recorder)
  assert.deepEqual(Object.keys(session.uploads.api.getState().drafts), ['room first'])
})

test('a sent or discarded recording is not kept', async () => {
  const { session, recorder, drafted } = start()
  await keepRecording(session, room, { ...recorder, isOver: true })
  assert.deepEqual(drafted(), [])
})

test('an empty recording is not kept', async () => {
  const { session, recorder, drafted } = start()
  await keepRecording(session, room, { ...recorder, finish: async () => null })
  assert.deepEqual(drafted(), [])
})

test('a recording in a thread with a title is kept with its draft', async () => {
  const { session, recorder } = start()
  session.store.dispatch('threads_loaded', [sampleThread('thread')])
  await keepRecording(session, { address: 'thread', id: 'thread' }, recorder)
  assert.deepEqual(Object.keys(session.uploads.api.getState().drafts), ['thread'])
})

test('a recording is not kept if its channel is gone', async () => {
  const { session, recorder, drafted } = start()
  await keepRecording(session, { address: 'gone', id: 'gone' }, recorder)
  assert.deepEqual(drafted(), [])
})

/** Opens a room with a running recording. */
function start() {
  const store = createAppStore((show) => show())
  store.receive('READY', sampleReady())
  const uploads = new Uploads({
    upload: () => new Promise(() => undefined),
    cancel: async () => undefined,
    measure: async () => null,
  })
  const file = new File(['x'], 'Voice message.m4a', { type: 'audio/mp4' })
  return {
    session: { store, uploads },
    recorder: { isOver: false, finish: async () => file },
    drafted: () => Object.values(uploads.api.getState().uploads).map(({ filename }) => filename),
  }
}
