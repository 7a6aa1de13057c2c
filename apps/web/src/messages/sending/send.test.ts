import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ApiError, NetworkError } from '@foyer/sdk/rest'
import { startSender } from './sample-sender.ts'
import { discardMessage, forgetUnsent, resendWaiting, retryMessage, sendMessage } from './send.ts'

test('a room hears its messages in the order in which they were written', async () => {
  const { session, answers, sent, outbox } = startSender()
  sendMessage(session, 'room', { content: 'one' })
  sendMessage(session, 'room', { content: 'two' })
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
  const { session, answers, sent, outbox } = startSender()
  sendMessage(session, 'room', { content: 'one' })
  sendMessage(session, 'room', { content: 'two' })
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
  const { session, nonces, outbox } = startSender()
  sendMessage(session, 'room', { content: 'one' })
  await setImmediate()
  resendWaiting(session)
  await setImmediate()
  assert.equal(nonces().length, 2)
  assert.equal(nonces()[0], nonces()[1])
  assert.deepEqual(outbox(), ['one sending'])
})

test('what was refused stays until the writer decides', async () => {
  const { session, answers, sent, outbox } = startSender()
  sendMessage(session, 'room', { content: 'one' })
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

test('files go with the descriptions that were given to them, and without any there is nothing of it', async () => {
  const { session, bodies, files } = startSender()
  const names = ['a.png', 'b.png', 'c.png']
  session.uploads.add(
    'room',
    names.map((name) => new File(['x'], name)),
  )
  const uploadIds = session.uploads.take('room')
  const [, second = '', third = ''] = uploadIds
  session.uploads.describe(second, '  A hill\nat dawn ')
  session.uploads.describe(third, 'A lake')
  session.uploads.describe(third, ' ')
  sendMessage(session, 'room', { content: 'described', uploadIds })
  sendMessage(session, 'elsewhere', { content: 'plain' })
  for (const [index, file] of files.entries()) file.resolve(`attachment-${index}`)
  await setImmediate()
  const described = bodies.map(({ content, attachments }) => [content, attachments])
  assert.deepEqual(
    new Map(described.map(([content, given]) => [content, given])),
    new Map<unknown, unknown>([
      ['described', [{ id: 'attachment-1', description: 'A hill\nat dawn' }]],
      ['plain', undefined],
    ]),
  )
})

test('a message waits for its files, and what is written meanwhile does not wait for it', async () => {
  const { session, answers, bodies, outbox, files } = startSender()
  session.uploads.add('room', [new File(['x'], 'a.txt'), new File(['y'], 'b.txt')])
  const uploadIds = session.uploads.take('room')
  sendMessage(session, 'room', { content: 'with files', uploadIds })
  sendMessage(session, 'room', { content: 'one' })
  await setImmediate()
  assert.deepEqual(outbox(), ['with files sending', 'one sending'])
  for (const [index, file] of files.entries()) file.resolve(`attachment-${index}`)
  answers[0]?.resolve()
  await setImmediate()
  assert.deepEqual(
    bodies.map(({ content, attachment_ids }) => [content, attachment_ids]),
    [
      ['one', undefined],
      ['with files', ['attachment-0', 'attachment-1']],
    ],
  )
  answers[1]?.resolve()
  await setImmediate()
  assert.deepEqual(outbox(), [])
  assert.deepEqual(session.uploads.api.getState().uploads, {})
})

test('a message whose file is refused stays, and goes out under its nonce once the file gets through', async () => {
  const { session, nonces, outbox, files } = startSender()
  session.uploads.add('room', [new File(['x'], 'a.txt')])
  sendMessage(session, 'room', { content: 'one', uploadIds: session.uploads.take('room') })
  const [queued] = session.store.get().outbox.room ?? []
  files[0]?.reject(new ApiError(413, 'too large', new Headers()))
  await setImmediate()
  assert.deepEqual(outbox(), ['one failed'])
  const [message] = session.store.get().outbox.room ?? []
  assert.ok(message)
  assert.equal(message.error, 'a.txt: Too large.')
  retryMessage(session, message)
  files[1]?.resolve('attachment-1')
  await setImmediate()
  assert.deepEqual(nonces(), [queued?.nonce])
})

test('a message waits on for files that were lost on the way, which are sent again once the server is reached', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const { session, bodies, outbox, files } = startSender()
  session.uploads.add('room', [new File(['x'], 'a.txt')])
  sendMessage(session, 'room', { content: 'one', uploadIds: session.uploads.take('room') })
  files[0]?.reject(new NetworkError('offline'))
  await setImmediate()
  assert.deepEqual([outbox(), files.length], [['one sending'], 1])
  resendWaiting(session)
  assert.equal(files.length, 2)
  files[1]?.resolve('attachment-1')
  await setImmediate()
  assert.deepEqual(bodies[0]?.attachment_ids, ['attachment-1'])
})

test('files that were swept before the message got through are sent anew', async () => {
  const { session, answers, bodies, files } = startSender()
  session.uploads.add('room', [new File(['x'], 'a.txt')])
  sendMessage(session, 'room', { content: 'one', uploadIds: session.uploads.take('room') })
  files[0]?.resolve('attachment-0')
  await setImmediate()
  answers[0]?.reject(
    new ApiError(404, 'attachment not found', new Headers({ 'x-error-code': 'unknown_attachment' })),
  )
  await setImmediate()
  const [message] = session.store.get().outbox.room ?? []
  assert.ok(message)
  retryMessage(session, message)
  files[1]?.resolve('attachment-1')
  await setImmediate()
  assert.deepEqual(bodies.at(-1)?.attachment_ids, ['attachment-1'])
})

test('a message that is taken back takes its files along', async () => {
  const { session, bodies, outbox, files } = startSender()
  session.uploads.add('room', [new File(['x'], 'a.txt')])
  sendMessage(session, 'room', { content: 'one', uploadIds: session.uploads.take('room') })
  const [message] = session.store.get().outbox.room ?? []
  assert.ok(message)
  discardMessage(session, message)
  files[0]?.resolve('attachment-0')
  await setImmediate()
  assert.deepEqual([outbox(), bodies, session.uploads.api.getState().uploads], [[], [], {}])
})

test('stickers are named by their ids', async () => {
  const { session, bodies } = startSender()
  const sticker = { ...image, id: 'sticker' }
  sendMessage(session, 'room', { content: '', stickers: [sticker] })
  await setImmediate()
  assert.deepEqual(bodies[0]?.sticker_ids, ['sticker'])
})

const image = {
  space_id: 'space',
  name: 'hello',
  attachment_id: 'attachment',
  creator_id: 'me',
  animated: false,
  created_at: '2026-01-01T00:00:00.000Z',
}

test('WEB-9: nothing waits for a room that was deleted, nor do its files', async () => {
  const { session, files, sent, outbox } = startSender()
  const { uploads } = session
  uploads.add('room', [new File(['text'], 'a.txt')])
  sendMessage(session, 'room', { content: 'with a file', uploadIds: uploads.take('room') })
  uploads.add('room', [new File(['text'], 'b.txt')])
  uploads.add('other', [new File(['text'], 'c.txt')])
  forgetUnsent(session, 'room')
  const left = Object.values(uploads.api.getState().uploads).map(({ filename }) => filename)
  assert.deepEqual([outbox(), left], [[], ['c.txt']])
  for (const [index, { resolve }] of files.entries()) resolve(`attachment-${index}`)
  await setImmediate()
  assert.deepEqual([sent(), outbox()], [[], []])
})
