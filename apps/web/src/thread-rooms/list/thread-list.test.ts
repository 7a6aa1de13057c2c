import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OwnThread, ThreadPage } from '@foyer/protocol/thread-rooms'
import { sampleMessage } from '#src/store/samples.ts'
import {
  isUnreadThread,
  withFollow,
  withMessage,
  withoutMessages,
  withoutThread,
  withPage,
  withThread,
} from './thread-list.ts'

function sampleThread(id: string, minute: number, changed: Partial<OwnThread> = {}): OwnThread {
  const time = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
  return {
    id,
    space_id: 'space',
    room_id: 'room',
    type: 4,
    title: id,
    creator_id: 'other',
    starter_message_id: null,
    quiet_minutes: 4320,
    is_asleep: false,
    is_closed: false,
    message_count: 1,
    last_message_id: null,
    last_seq: 1,
    active_at: time,
    created_at: time,
    updated_at: time,
    own: { follow: 'all', read_seq: 1, unread_count: 0, mention_count: 0 },
    ...changed,
  }
}

const UNREAD = { follow: 'all', read_seq: 0, unread_count: 1, mention_count: 0 } as const
const [newer, older] = [sampleThread('newer', 5), sampleThread('older', 3)]
const list: ThreadPage = { threads: [newer, older], next: null }
const ids = ({ threads }: ThreadPage) => threads.map(({ id }) => id)

test('a thread takes its place by its newest activity, and leaves a list it no longer fits', () => {
  assert.deepEqual(ids(withThread(list, sampleThread('between', 4), true)), ['newer', 'between', 'older'])
  assert.deepEqual(ids(withThread(list, sampleThread('older', 6), true)), ['older', 'newer'])
  assert.deepEqual(ids(withThread(list, older, false)), ['newer'])
  assert.deepEqual(ids(withoutThread(list, 'newer')), ['older'])
})

test('a thread below the loaded part waits for its page', () => {
  const partly = { ...list, next: 'cursor' }
  assert.deepEqual(ids(withThread(partly, sampleThread('oldest', 1), true)), ['newer', 'older'])
  assert.deepEqual(ids(withThread(list, sampleThread('oldest', 1), true)), ['newer', 'older', 'oldest'])
})

test('a changed thread keeps the user’s own state, which only its own event changes', () => {
  const { own: _, ...changed } = { ...older, title: 'renamed' }
  const renamed = withThread(list, changed, true).threads[1]
  assert.deepEqual([renamed?.title, renamed?.own.follow], ['renamed', 'all'])
  const muted = withFollow(list, { thread_id: 'older', ...UNREAD, follow: 'muted' })
  assert.deepEqual([muted.threads[0]?.own.follow, muted.threads[1]?.own.follow], ['all', 'muted'])
})

test('a message counts once, wakes its thread and brings it to the beginning', () => {
  const asleep = { ...list, threads: [newer, { ...older, is_asleep: true }] }
  const message = sampleMessage(2, { room_id: 'older', created_at: '2026-01-02T00:00:00.000Z' })
  const woken = withMessage(withMessage(asleep, message, 'me'), message, 'me')
  assert.deepEqual(ids(woken), ['older', 'newer'])
  const [first] = woken.threads
  assert.deepEqual([first?.message_count, first?.last_seq, first?.is_asleep], [2, 2, false])
  assert.equal(first?.own.unread_count, 1)
  const own = withMessage(list, sampleMessage(2, { room_id: 'older' }), 'other')
  assert.deepEqual(
    own.threads.map(({ own: { unread_count } }) => unread_count),
    [0, 0],
  )
  assert.equal(withoutMessages(woken, 'older', 5).threads[0]?.message_count, 0)
})

test('a further page repeats no thread that moved to the beginning', () => {
  const page = { threads: [newer, sampleThread('oldest', 1)], next: null }
  assert.deepEqual(ids(withPage({ ...list, next: 'cursor' }, page)), ['newer', 'older', 'oldest'])
})

test('a muted or unfollowed thread is never unread', () => {
  assert.equal(isUnreadThread({ ...newer, own: UNREAD }), true)
  assert.equal(isUnreadThread({ ...newer, own: { ...UNREAD, follow: 'muted' } }), false)
  assert.equal(isUnreadThread({ ...newer, own: { ...UNREAD, follow: null } }), false)
})
