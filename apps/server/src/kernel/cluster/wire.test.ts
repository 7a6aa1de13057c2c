import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { newId } from '../ids.ts'
import { type Event, topicOf } from '../journal/bus.ts'
import { decodeEvents, encodeEvents } from './wire.ts'

const COUNT = 400
const DATA_LENGTH = 50_000

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

function roomEvent(id: string | undefined): Event {
  const data = JSON.stringify('x'.repeat(DATA_LENGTH))
  return { id, topic: topicOf.room(newId(), newId()), audience: 3, name: 'MESSAGE_CREATE', data }
}

/** By how many bytes of its data each event of a payload of its own makes the heap larger. */
function keptOfEach(pick: (event: Event) => unknown): number {
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const kept = Array.from({ length: COUNT }, () =>
    decodeEvents(encodeEvents(newId(), '', [roomEvent(newId())])).events.map(pick),
  )
  collectGarbage()
  const grown = process.memoryUsage().heapUsed - before
  assert.equal(kept.length, COUNT)
  return grown / COUNT
}

test('events are decoded as they were encoded', () => {
  const [processId, ackId] = [newId(), newId()]
  const typing = { ...roomEvent(undefined), topic: topicOf.user(newId()), name: 'TYPING_START' }
  const events = [roomEvent(newId()), typing]
  assert.deepEqual(decodeEvents(encodeEvents(processId, ackId, events)), { processId, ackId, events })
})

test('keeping the ids of an event does not keep its data in memory', () => {
  assert.ok(keptOfEach(({ data }) => data) > DATA_LENGTH / 2, 'what is kept can be seen')
  const kept = keptOfEach(({ id, topic }) => [id, topic.tenantId, topic.channelId])
  assert.ok(kept < DATA_LENGTH / 10, `${kept} bytes are kept of an event`)
})
