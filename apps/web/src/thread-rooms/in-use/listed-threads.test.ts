import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OwnThread } from '@foyer/protocol/thread-rooms'
import { reduceEvent, reduceLocal } from '#src/store/reducers.ts'
import { sampleMessage, sampleReady, sampleThread } from '#src/store/samples.ts'
import { initialState, type State } from '#src/store/state.ts'
import { listedThreads } from './listed-threads.ts'

const MINUTE_MS = 60_000

test('of many threads, those listed are the open one, then mentions, unread ones and the newest messages', () => {
  const old = { active_at: at(100), last_seq: 900 }
  const busy = Array.from({ length: 8 }, (_, index) =>
    sampleThread(`busy-${index}`, { active_at: at(9 - index) }),
  )
  const state = loaded(
    ...busy,
    sampleThread('open', old),
    sampleThread('mentioned', { ...old, own: own(1, 1) }),
    sampleThread('unread', { ...old, own: own(1, 0) }),
    sampleThread('old', old),
  )
  const expected = ['busy-3', 'busy-4', 'busy-5', 'busy-6', 'busy-7', 'mentioned', 'open', 'unread']
  assert.deepEqual(listed(state, 'open'), expected)
})

test('a message moves its thread among those listed', () => {
  const busy = Array.from({ length: 8 }, (_, index) =>
    sampleThread(`busy-${index}`, { active_at: at(10), last_seq: 5 }),
  )
  const state = loaded(...busy, sampleThread('late', { active_at: at(20) }))
  assert.equal(listed(state).includes('late'), false)
  const message = { room_id: 'late', parent_room_id: 'room', created_at: at(0) }
  const own = sampleMessage(1, { ...message, author: sampleReady().user })
  assert.equal(listed(reduceEvent(state, 'MESSAGE_CREATE', own, 0)).includes('late'), true)
})

test('a thread whose quiet time has passed since it was loaded is no longer listed, unless it is unread', () => {
  const quiet = { quiet_minutes: 60, active_at: at(61), is_asleep: false }
  const state = loaded(
    sampleThread('asleep', quiet),
    sampleThread('unread', { ...quiet, last_seq: 2, own: own(1, 0) }),
    sampleThread('awake', { ...quiet, active_at: at(59) }),
  )
  assert.deepEqual(listed(state), ['awake', 'unread'])
})

function loaded(...threads: OwnThread[]): State {
  const ready = reduceEvent(initialState, 'READY', sampleReady(), 0)
  return reduceLocal(ready, 'threads_loaded', threads, 0)
}

function listed(state: State, openId = ''): string[] {
  return listedThreads(state, 'room', openId).map(({ id }) => id)
}

function own(unread_count: number, mention_count: number): OwnThread['own'] {
  return { follow: 'all', read_seq: 1, unread_count, mention_count }
}

/** The time some minutes ago. */
function at(minutes: number): string {
  return new Date(Date.now() - minutes * MINUTE_MS).toISOString()
}
