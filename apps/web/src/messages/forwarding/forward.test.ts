import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { MessageFlag } from '@foyer/protocol/messages'
import { NetworkError } from '@foyer/sdk/rest'
import { sampleMessage } from '#src/store/samples.ts'
import type { Destination } from '#src/switcher/destinations.ts'
import { startSender } from '../sending/sample-sender.ts'
import { forwarding } from './forward.ts'

test('a retry sends neither the forward nor its comment twice', async () => {
  const { forward, attempt } = start()
  const first = await attempt(() => forward(room, 'look'), 'sent', 'lost')
  assert.deepEqual(
    first.map(({ content }) => content),
    [undefined, 'look'],
  )
  assert.equal(new Set(first.map(({ nonce }) => nonce)).size, 2)
  const second = await attempt(() => forward(room, 'look'), 'sent', 'sent')
  assert.deepEqual(second, first)
})

test('a changed comment is a new message, and each destination has its own nonces', async () => {
  const { forward, attempt } = start()
  const [sent, comment] = await attempt(() => forward(room, 'look'), 'sent', 'lost')
  const [again, changed] = await attempt(() => forward(room, 'look here'), 'sent', 'sent')
  assert.deepEqual(again, sent)
  assert.notEqual(changed?.nonce, comment?.nonce)
  const elsewhere = await attempt(() => forward({ ...room, id: 'elsewhere' }, 'look'), 'sent', 'sent')
  const nonces = [sent, comment, changed, ...elsewhere].map((body) => body?.nonce)
  assert.equal(new Set(nonces).size, 5)
})

test('a new forward of the same message gets a new nonce', async () => {
  const { forward, attempt, openAgain } = start()
  const [once] = await attempt(() => forward(room, ''), 'sent')
  const [twice] = await attempt(() => openAgain()(room, ''), 'sent')
  assert.deepEqual(once?.reference, twice?.reference)
  assert.notEqual(once?.nonce, twice?.nonce)
})

test('a silent comment makes both messages silent', async () => {
  const { forward, attempt } = start()
  const both = await attempt(() => forward(room, '@silent look'), 'sent', 'sent')
  const alone = await attempt(() => forward(room, '@silent'), 'sent')
  const { SuppressNotifications } = MessageFlag
  assert.deepEqual(
    [...both, ...alone].map(({ content, flags }) => [content, flags]),
    [
      [undefined, SuppressNotifications],
      ['look', SuppressNotifications],
      [undefined, SuppressNotifications],
    ],
  )
})

const room: Destination = {
  kind: 'room',
  id: 'room',
  name: 'room',
  note: 'space',
  path: null,
  unread: 0,
  mentions: 0,
}

function start() {
  const { session, answers, bodies } = startSender()
  const openAgain = () => forwarding(session, sampleMessage(1))
  /** Returns the requests that are made when they end as given. */
  const attempt = async (send: () => Promise<void>, ...ends: ('sent' | 'lost')[]) => {
    const begun = bodies.length
    const settled = send().catch(() => undefined)
    for (const [index, end] of ends.entries()) {
      await setImmediate()
      const answer = answers[begun + index]
      if (end === 'sent') answer?.resolve()
      else answer?.reject(new NetworkError('offline'))
    }
    await settled
    return bodies.slice(begun)
  }
  return { forward: openAgain(), openAgain, attempt }
}
