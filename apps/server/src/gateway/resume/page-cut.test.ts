import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstIdAt, idTime } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import type { JournaledEvent } from '#src/kernel/journal/journal.ts'
import { cutPage, lookaheadOf } from './page-cut.ts'

const NOW = Date.parse('2026-11-26T12:00:00Z')
const before = firstIdAt(NOW)

/** @param at milliseconds after the end of the replay */
function message(at: number, seq: number): JournaledEvent {
  const topic = topicOf.room('space', 'room')
  return {
    id: firstIdAt(NOW + at),
    topic,
    audience: 0,
    name: 'MESSAGE_CREATE',
    data: `{"id":"m","seq":${seq}}`,
  }
}

const seqsOf = (events: readonly JournaledEvent[]) => events.map(({ data }) => JSON.parse(data).seq)
const cut = (events: readonly JournaledEvent[], isFull = false) => cutPage(events, { isFull, before })

test('JOURNAL-4: a message whose predecessor is only received live is not replayed before it', () => {
  const page = [message(-900, 1), message(-500, 2), message(-200, 4), message(300, 3), message(400, 5)]
  for (const isFull of [false, true]) {
    const { due, last } = cut(page, isFull)
    assert.deepEqual([seqsOf(due), last], [[1, 2], undefined])
  }
})

test('JOURNAL-4: a replay ends where events are received live, and reads far enough ahead to find its end', () => {
  const page = [message(-900, 1), message(-500, 2), message(0, 3)]
  assert.deepEqual(seqsOf(cut(page).due), [1, 2])
  assert.ok(idTime(lookaheadOf(before)) > NOW + 1000)
})

test('JOURNAL-4: a message whose predecessor may be on the next page waits for it', () => {
  const page = [message(-9000, 1), message(-8000, 3), message(-7900, 2), message(-5000, 4), message(-4000, 6)]
  const { due, last } = cut(page, true)
  assert.deepEqual([seqsOf(due), last?.id], [[1, 3, 2], page[2]?.id])
  assert.deepEqual(seqsOf(cut(page).due), [1, 3, 2, 4, 6])
})
