import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Uploads } from '#src/attachments/uploads.ts'
import { sampleReady } from '#src/store/samples.ts'
import { createAppStore } from '#src/store/store.ts'
import { keepRecording } from './keep-recording.ts'

const room = { address: 'room', id: 'room' }

test('a recording that nobody ended waits among the files of its channel', async () => {
  const { session, recorder, drafted } = start()
  await keepRecording(session, room, recorder)
  assert.deepEqual(drafted(), ['Voice message.m4a'])
})

test('one in a thread waits among the files of the thread', async () => {
  const { session, recorder } = start()
  await keepRecording(session, { ...room, threadId: 'first' }, recorder)
  assert.deepEqual(Object.keys(session.uploads.api.getState().drafts), ['room first'])
})

test('one that was sent or discarded is left alone', async () => {
  const { session, recorder, drafted } = start()
  await keepRecording(session, room, { ...recorder, isOver: true })
  assert.deepEqual(drafted(), [])
})

test('one with nothing in it is none', async () => {
  const { session, recorder, drafted } = start()
  await keepRecording(session, room, { ...recorder, finish: async () => null })
  assert.deepEqual(drafted(), [])
})

test('one of a channel that is gone has nowhere to wait', async () => {
  const { session, recorder, drafted } = start()
  await keepRecording(session, { address: 'gone', id: 'gone' }, recorder)
  assert.deepEqual(drafted(), [])
})

/** Somebody in a room who records. */
function start() {
  const store = createAppStore((show) => show())
  store.hear('READY', sampleReady())
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
