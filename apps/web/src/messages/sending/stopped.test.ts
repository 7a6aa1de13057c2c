import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ApiError } from '@foyer/sdk/rest'
import { startSender } from './sample-sender.ts'
import { dismissHeld, resendWaiting, sendMessage } from './send.ts'

/** Sends a message with a file, which the server refuses with this code. */
async function stop(code: string, words: string) {
  const sender = startSender()
  const { session, answers, files } = sender
  session.uploads.add('room', [new File(['x'], 'a.txt')])
  sendMessage(session, 'room', { content: 'spam', uploadIds: session.uploads.take('room') })
  files[0]?.resolve('attachment-0')
  await setImmediate()
  answers[0]?.reject(new ApiError(403, words, new Headers({ 'x-error-code': code })))
  await setImmediate()
  const [message] = session.store.get().outbox.room ?? []
  assert.ok(message)
  return { ...sender, message }
}

test('AUTOMOD-47: a refused message keeps the rule’s own words, and is not sent again', async () => {
  const { session, message, sent } = await stop('automod_refused', 'bitte keine Werbung')
  assert.deepEqual(
    [message.status, message.stopped, message.error],
    ['failed', 'refused', 'bitte keine Werbung'],
  )
  resendWaiting(session)
  await setImmediate()
  assert.deepEqual(sent(), ['spam'])
})

test('AUTOMOD-48: a held message is dismissed without deleting its file', async () => {
  const { session, message, outbox } = await stop('held_for_review', 'held')
  const deleted: string[] = []
  session.uploads.discard = (ids) => deleted.push(...ids)
  assert.equal(message.stopped, 'held')
  dismissHeld(session, message)
  assert.deepEqual([outbox(), deleted, session.uploads.api.getState().uploads], [[], [], {}])
})

test('AUTOMOD-47: another refusal may be tried again', async () => {
  const { message } = await stop('missing_permission', 'no')
  assert.equal(message.stopped, undefined)
})
