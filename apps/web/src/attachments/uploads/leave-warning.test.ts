import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ApiError } from '@foyer/sdk/rest'
import { sampleReady, sampleThread } from '#src/store/samples.ts'
import { createAppStore } from '#src/store/store.ts'
import { Uploads } from '../transfer/uploads.ts'
import { losesFiles } from './leave-warning.ts'

test('files of a draft would be lost, even if they are stored', async () => {
  const { uploads, attempts, isAsked } = start()
  assert.equal(isAsked(), false)
  uploads.add('room', [new File(['x'], 'a.txt')])
  assert.equal(isAsked(), true)
  attempts[0]?.resolve('attachment-a')
  await setImmediate()
  assert.equal(isAsked(), true)
  uploads.discard(Object.keys(uploads.api.getState().uploads))
  assert.equal(isAsked(), false)
})

test('a message would lose its files until they are stored, and nothing after it was sent', async () => {
  const { uploads, attempts, isAsked, queue, settle } = start()
  uploads.add('room', [new File(['x'], 'a.png', { type: 'image/png' })])
  const taken = uploads.take('room')
  queue(taken)
  assert.equal(isAsked(), true)
  attempts[0]?.reject(new ApiError(413, 'too large', new Headers()))
  await setImmediate()
  assert.equal(isAsked(), true, 'a refused file can be sent again from here alone')
  uploads.retry(taken)
  attempts[1]?.resolve('attachment-a')
  await setImmediate()
  assert.equal(isAsked(), false, 'it is kept with its message')
  uploads.expire(taken)
  assert.equal(isAsked(), true)
  settle(taken)
  assert.equal(Object.keys(uploads.api.getState().uploads).length, 1, 'its picture is still shown')
  assert.equal(isAsked(), false)
})

test('a file that was swept after a reload cannot be lost again', () => {
  const { uploads, isAsked, queue } = start()
  const file = { attachment_id: 'attachment-a', filename: 'a.txt', content_type: 'text/plain', size_bytes: 1 }
  const restored = uploads.restore('room', [file])
  queue(restored)
  uploads.expire(restored)
  assert.equal(isAsked(), false)
})

test('files for a room that is gone do not count until the room is back', () => {
  const { store, uploads, isAsked, queue } = start()
  const [room] = sampleReady().spaces[0]?.rooms ?? []
  assert.ok(room)
  uploads.add('room', [new File(['x'], 'a.txt')])
  const gone = () => store.receive('ROOM_DELETE', { space_id: room.space_id, room_id: room.id })
  gone()
  assert.equal(isAsked(), false)
  store.receive('ROOM_CREATE', room)
  assert.equal(isAsked(), true)
  queue(uploads.take('room'))
  gone()
  assert.equal(isAsked(), false)
})

test('files for a thread would be lost', () => {
  const { store, uploads, isAsked } = start()
  store.dispatch('threads_loaded', [sampleThread('thread')])
  uploads.add('thread', [new File(['x'], 'a.txt')])
  assert.equal(isAsked(), true)
  store.receive('THREAD_DELETE', { id: 'thread', room_id: 'room', space_id: 'space' })
  assert.equal(isAsked(), false)
})

/** A room whose messages stay queued until the test settles them, and a storage that the test controls. */
function start() {
  const store = createAppStore((show) => show())
  store.receive('READY', sampleReady())
  const attempts: { resolve: (attachmentId: string) => void; reject: (error: Error) => void }[] = []
  const uploads = new Uploads({
    upload: () => {
      const { promise, ...attempt } = Promise.withResolvers<string>()
      attempts.push(attempt)
      return promise
    },
    cancel: async () => undefined,
    measure: async () => ({ width: 40, height: 30 }),
  })
  return {
    store,
    uploads,
    attempts,
    isAsked: () => losesFiles(uploads.api.getState(), store.get()),
    queue: (upload_ids: readonly string[]) =>
      store.dispatch('message_queued', {
        nonce: 'n',
        channel: 'room',
        content: '',
        options: {},
        upload_ids,
        stickers: [],
        created_at: '2026-05-01T12:00:00.000Z',
        status: 'sending',
        error: null,
      }),
    settle: (ids: readonly string[]) => {
      store.dispatch('message_discarded', { channel_id: 'room', nonce: 'n' })
      uploads.settle(ids)
    },
  }
}
