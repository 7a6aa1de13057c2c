import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ApiError } from '@foyer/sdk/rest'
import { sampleMessage, sampleUser } from '#src/store/samples.ts'
import { editUnsent } from './edit-unsent.ts'
import { startSender } from './sample-sender.ts'
import { sendMessage } from './send.ts'

const MIRA = '00000000-0000-7000-8000-000000000001'
const channel = { id: 'room', spaceId: 'space', nameOf: () => 'Mira', emojis: [] }
const file = { attachment_id: 'attachment', filename: 'a.txt', content_type: 'text/plain', size_bytes: 1 }
const other = { ...file, attachment_id: 'other', filename: 'b.txt' }

const options = { reference: { type: 0, message_id: 'message-1' } } as const

test('a message whose file was swept restores its text and reply, before a newer draft', async () => {
  const { session, answers, outbox } = startSender()
  const { store, uploads } = session
  store.dispatch('users_loaded', [sampleUser(MIRA)])
  const messages = [sampleMessage(1)]
  store.dispatch('history_loaded', {
    channel_id: 'room',
    at: 'latest',
    messages,
    asked_seq: 1,
    complete: true,
  })
  const uploadIds = uploads.restore('room', [file])
  sendMessage(session, 'room', { content: `Tea, <@${MIRA}>?`, uploadIds, options })
  await setImmediate()
  answers[0]?.reject(
    new ApiError(404, 'attachment not found', new Headers({ 'x-error-code': 'unknown_attachment' })),
  )
  await setImmediate()
  const [message] = store.get().outbox.room ?? []
  assert.ok(message)
  store.dispatch('draft_changed', { channel_id: 'room', content: 'And cake' })
  editUnsent(session, channel, message)
  const { content, named, reply } = store.get().drafts.room ?? {}
  assert.deepEqual([content, named], ['Tea, @Mira?\nAnd cake', { '@Mira': `<@${MIRA}>` }])
  assert.equal(reply?.id, 'message-1')
  assert.deepEqual([outbox(), uploads.api.getState().uploads], [[], {}])
})

test('files still in the storage are restored, too, before newer ones, up to the maximum', async () => {
  const { session, answers, outbox } = startSender()
  const { uploads } = session
  const names = () => {
    const { uploads: held, drafts } = uploads.api.getState()
    return drafts.room?.map((id) => held[id]?.filename)
  }
  async function failToSend(held: number) {
    const uploadIds = uploads.restore('room', [file, other])
    sendMessage(session, 'room', { content: 'Tea', uploadIds })
    await setImmediate()
    const headers = { 'x-error-code': 'unknown_attachment', 'x-unknown-attachments': file.attachment_id }
    answers.at(-1)?.reject(new ApiError(404, 'attachment not found', new Headers(headers)))
    await setImmediate()
    uploads.add(
      'room',
      Array.from({ length: held }, () => new File(['x'], 'c.txt')),
    )
    const [message] = session.store.get().outbox.room ?? []
    assert.ok(message)
    editUnsent(session, channel, message)
    assert.deepEqual(outbox(), [])
  }
  await failToSend(1)
  assert.deepEqual(names(), ['b.txt', 'c.txt'])
  await failToSend(8)
  assert.deepEqual(names(), ['b.txt', 'c.txt', ...Array.from({ length: 8 }, () => 'c.txt')])
})
