import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ApiError, NetworkError } from '@foyer/sdk/rest'
import { startSender } from './sample-sender.ts'
import { discardMessage, forgetUnsent, resendWaiting, retryMessage, sendMessage } from './send.ts'

test('a room receives messages in the order they were written', async () => {
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

test('a failed message is not overtaken, and is sent in order on reconnecting', async () => {
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

test('an attempt under way on reconnecting is repeated with its nonce', async () => {
  const { session, nonces, outbox } = startSender()
  sendMessage(session, 'room', { content: 'one' })
  await setImmediate()
  resendWaiting(session)
  await setImmediate()
  assert.equal(nonces().length, 2)
  assert.equal(nonces()[0], nonces()[1])
  assert.deepEqual(outbox(), ['one sending'])
})

test('a refused message stays until the user decides', async () => {
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

test('files are sent with their descriptions, which are omitted if there are none', async () => {
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

test('a message waits for its files, and later ones do not wait for it', async () => {
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

test('a message whose file is refused stays, and is sent with its nonce once the file is stored', async () => {
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

test('a message waits for lost files, which are uploaded again on reconnecting', async (context) => {
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

test('files that were swept before sending are uploaded again', async () => {
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

test('a cancelled message removes its files', async () => {
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

test('stickers are sent by their ids', async () => {
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

test('WEB-9: nothing waits for a deleted room, and neither do its files', async () => {
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
