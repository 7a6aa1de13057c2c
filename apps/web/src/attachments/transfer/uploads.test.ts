import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ApiError, NetworkError } from '@foyer/sdk/rest'
import { fractionOf, isUploadUnderWay, type StoredFile } from './upload-state.ts'
import { UploadFailure, Uploads } from './uploads.ts'

test('three files are uploaded at a time', async () => {
  const { uploads, attempts } = start()
  uploads.add('room', ['a', 'b', 'c', 'd'].map(textFile))
  const names = () => attempts.map(({ file }) => file.name)
  assert.deepEqual(names(), ['a.txt', 'b.txt', 'c.txt'])
  attempts[1]?.resolve('attachment-b')
  await setImmediate()
  assert.deepEqual(names(), ['a.txt', 'b.txt', 'c.txt', 'd.txt'])
})

test('a message gets its files in the chosen order once all are stored', async () => {
  const { uploads, attempts } = start()
  uploads.add('room', ['a', 'b'].map(textFile))
  uploads.add('elsewhere', [textFile('c')])
  const ids = uploads.take('room')
  assert.deepEqual(uploads.api.getState().drafts.room, [])
  const stored = uploads.stored(ids)
  attempts[1]?.resolve('attachment-b')
  await setImmediate()
  attempts[0]?.resolve('attachment-a')
  assert.deepEqual(await stored, ['attachment-a', 'attachment-b'])
  assert.equal(uploads.api.getState().drafts.elsewhere?.length, 1)
})

test('progress is reported in bytes', async () => {
  const { uploads, attempts, isAnyUnderWay } = start()
  uploads.add('room', [new File(['12345678'], 'a.txt')])
  assert.equal(isAnyUnderWay(), true)
  attempts[0]?.onProgress(2)
  const fraction = () => fractionOf(Object.values(uploads.api.getState().uploads))
  assert.equal(fraction(), 0.25)
  attempts[0]?.resolve('attachment-a')
  await setImmediate()
  assert.equal(fraction(), 1)
  assert.equal(isAnyUnderWay(), false)
})

test('a refused upload has a reason, holds back its message, and can be retried', async () => {
  const { uploads, attempts } = start()
  uploads.add('room', [textFile('a')])
  const ids = uploads.take('room')
  attempts[0]?.reject(new ApiError(413, 'the storage has no room left for this file', new Headers()))
  await assert.rejects(uploads.stored(ids), (error) => {
    assert.ok(error instanceof UploadFailure)
    assert.equal(error.message, 'a.txt: The storage has no room left for this file.')
    return true
  })
  uploads.retryLost()
  assert.equal(attempts.length, 1, 'the server has answered')
  uploads.retry(ids)
  attempts[1]?.resolve('attachment-a')
  assert.deepEqual(await uploads.stored(ids), ['attachment-a'])
})

test('a lost upload is retried after a while or on reconnecting', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const { uploads, attempts, isAnyUnderWay } = start()
  uploads.add('room', [textFile('a')])
  const stored = uploads.stored(uploads.take('room'))
  const lose = async (attempt: number) => {
    attempts[attempt]?.reject(new NetworkError('offline'))
    await setImmediate()
  }
  await lose(0)
  assert.equal(isAnyUnderWay(), true)
  context.mock.timers.tick(2000)
  assert.equal(attempts.length, 2)
  await lose(1)
  context.mock.timers.tick(3999)
  assert.equal(attempts.length, 2, 'longer after each time')
  context.mock.timers.tick(1)
  assert.equal(attempts.length, 3)
  await lose(2)
  uploads.retryLost()
  assert.equal(attempts.length, 4)
  context.mock.timers.tick(60_000)
  assert.equal(attempts.length, 4, 'one attempt at a time')
  attempts[3]?.resolve('attachment-a')
  assert.deepEqual(await stored, ['attachment-a'])
})

test('a removed file is aborted, is deleted from the storage, and lets the next one start', async () => {
  const { uploads, attempts, cancelled, ids } = start()
  uploads.add('room', ['a', 'b', 'c', 'd'].map(textFile))
  const [first = '', second = ''] = ids()
  attempts[1]?.resolve('attachment-b')
  await setImmediate()
  uploads.discard([first, second])
  await setImmediate()
  assert.equal(attempts[0]?.signal.aborted, true)
  assert.deepEqual(cancelled, ['room attachment-b'])
  assert.deepEqual(attempts.at(-1)?.file.name, 'd.txt')
  assert.equal(uploads.api.getState().drafts.room?.length, 2)
})

test('a file that is removed in the moment in which it is stored is deleted from the storage', async () => {
  const { uploads, attempts, cancelled, ids } = start()
  uploads.add('room', [textFile('a')])
  attempts[0]?.resolve('attachment-a')
  uploads.discard(ids())
  await setImmediate()
  assert.deepEqual(cancelled, ['room attachment-a'])
})

test('an upload to a room that becomes invisible is aborted, and restarts once the room is back', async () => {
  const { uploads, attempts, cancelled } = start()
  const kinds = () => Object.values(uploads.api.getState().uploads).map(({ progress }) => progress.kind)
  uploads.add('gone', [textFile('a')])
  uploads.add('room', [textFile('b')])
  uploads.sendWithin((roomId) => roomId === 'room')
  await setImmediate()
  assert.deepEqual([attempts[0]?.signal.aborted, attempts[1]?.signal.aborted], [true, false])
  assert.deepEqual([kinds(), attempts.length, cancelled], [['queued', 'sending'], 2, []])
  assert.equal(uploads.api.getState().drafts.gone?.length, 1)
  uploads.sendWithin(() => true)
  assert.deepEqual([kinds(), attempts.length], [['sending', 'sending'], 3])
  attempts[2]?.resolve('attachment-a')
  await setImmediate()
  assert.deepEqual(kinds(), ['stored', 'sending'])
})

test('closing removes all uploads, to visible rooms and others', () => {
  const { uploads, attempts } = start()
  uploads.sendWithin((roomId) => roomId === 'room')
  uploads.add('gone', [textFile('a')])
  uploads.add('room', [textFile('b')])
  uploads.close()
  const { uploads: left, drafts } = uploads.api.getState()
  assert.deepEqual([left, drafts, attempts.length], [{}, { gone: [], room: [] }, 1])
})

test('a preview stays until the message shows the real picture', async () => {
  const { uploads, attempts, ids } = start()
  uploads.add('room', [new File(['x'], 'a.png', { type: 'image/png' }), textFile('b')])
  await setImmediate()
  const taken = uploads.take('room')
  const upload = uploads.api.getState().uploads[taken[0] ?? '']
  assert.deepEqual([upload?.width, upload?.height], [40, 30])
  assert.match(upload?.preview ?? '', /^blob:/)
  attempts[0]?.resolve('attachment-a')
  attempts[1]?.resolve('attachment-b')
  await uploads.stored(taken)
  uploads.release('attachment-a')
  assert.deepEqual(ids(), taken, 'the message was not sent yet')
  uploads.settle(taken)
  assert.deepEqual(ids(), taken.slice(0, 1))
  uploads.release('attachment-a')
  assert.deepEqual(ids(), [])
})

test('an unreadable picture is shown as a file', async () => {
  const { uploads, ids } = start()
  uploads.add('room', [new File(['<p>'], 'broken.png', { type: 'image/png' })])
  await setImmediate()
  const upload = uploads.api.getState().uploads[ids()[0] ?? '']
  assert.deepEqual([upload?.preview, upload?.content_type], [null, 'application/octet-stream'])
})

test('files that expired in the storage are uploaded again', async () => {
  const { uploads, attempts } = start()
  uploads.add('room', [textFile('a')])
  const ids = uploads.take('room')
  attempts[0]?.resolve('attachment-1')
  await uploads.stored(ids)
  uploads.expire(ids)
  uploads.retry(ids)
  attempts[1]?.resolve('attachment-2')
  assert.deepEqual(await uploads.stored(ids), ['attachment-2'])
})

test('a message gets its stored files back after a reload, until it is sent or cancelled', async () => {
  const { uploads, cancelled, ids } = start()
  uploads.add('room', [textFile('a')])
  const [one = '', two = ''] = uploads.restore('room', [storedFile('b'), storedFile('c')])
  assert.equal(ids().length, 3, 'no two have the same id')
  assert.equal(uploads.api.getState().drafts.room?.length, 1)
  assert.deepEqual(await uploads.stored([one, two]), ['attachment-b', 'attachment-c'])
  uploads.settle([one])
  uploads.discard([two])
  assert.deepEqual([ids().length, cancelled], [1, ['room attachment-c']])
})

test('a file that expired after a reload cannot be uploaded again, and fails with a reason', async () => {
  const { uploads, attempts } = start()
  const ids = uploads.restore('room', [storedFile('b')])
  uploads.expire(ids)
  uploads.retry(ids)
  await assert.rejects(uploads.stored(ids), { message: 'b.txt: The upload expired. Attach the file again.' })
  assert.equal(attempts.length, 0)
})

test('files added after closing are ignored', () => {
  const { uploads, attempts, ids } = start()
  uploads.close()
  uploads.add('room', [textFile('a')])
  assert.deepEqual([ids(), attempts], [[], []])
})

interface Attempt {
  file: File
  signal: AbortSignal
  onProgress: (sentBytes: number) => void
  resolve: (attachmentId: string) => void
  reject: (error: Error) => void
}

/** Uploads to a storage that the test controls. Every picture that is not broken measures 40 × 30. */
function start() {
  const attempts: Attempt[] = []
  const cancelled: string[] = []
  const uploads = new Uploads({
    upload: (_roomId, file, { signal, onProgress }) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      assert.ok(signal && onProgress)
      signal.addEventListener('abort', () => reject(new Error('aborted')))
      attempts.push({ file, signal, onProgress, resolve, reject })
      return promise
    },
    cancel: async (roomId, attachmentId) => void cancelled.push(`${roomId} ${attachmentId}`),
    measure: async ({ name }) => (name.startsWith('broken') ? null : { width: 40, height: 30 }),
  })
  const held = () => uploads.api.getState().uploads
  return {
    uploads,
    attempts,
    cancelled,
    ids: () => Object.keys(held()),
    isAnyUnderWay: () => Object.values(held()).some(isUploadUnderWay),
  }
}

function textFile(name: string): File {
  return new File(['text'], `${name}.txt`, { type: 'text/plain' })
}

function storedFile(name: string): StoredFile {
  return {
    attachment_id: `attachment-${name}`,
    filename: `${name}.txt`,
    content_type: 'text/plain',
    size_bytes: 4,
  }
}
