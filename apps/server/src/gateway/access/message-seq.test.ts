import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '#src/kernel/journal/bus.ts'
import { countSendable } from './message-seq.ts'

test('JOURNAL-4: an event is held while a message with a smaller seq and a larger id follows on the page', () => {
  const ofOne = [1, 4, 5, 2, 3, 6].map((seq) => message('one', seq))
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6].map((most) => countSendable(ofOne, most)),
    [0, 1, 1, 1, 1, 5, 6],
  )
  // The messages held back in one channel come after messages of the other.
  const ofTwo = [message('two', 2), message('one', 2), message('two', 1), message('one', 1)]
  assert.equal(countSendable(ofTwo, 3), 0)
  assert.equal(countSendable([message('two', 2), message('one', 2), message('one', 1)], 2), 1)
})

function message(channelId: string, seq: number): Event {
  const topic = { kind: 'room', tenantId: 'space', channelId } as const
  return { id: undefined, topic, audience: 0, name: 'MESSAGE_CREATE', data: `{"seq":${seq}}` }
}
