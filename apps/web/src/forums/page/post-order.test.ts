import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListedThread, ThreadPage } from '@foyer/protocol/thread-rooms'
import { sampleMessage } from '#src/store/samples.ts'
import { fitsFilter, type PostFilter, withNewest, withOlder, withPost, withReply } from './post-order.ts'

function post(id: string, minute: number, changed: Partial<ListedThread> = {}): ListedThread {
  const time = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
  return {
    id,
    space_id: 'space',
    room_id: 'forum',
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
    tags: [],
    solved_message_id: null,
    is_pinned: false,
    opening: { message_id: 'm', author_id: 'other', content: 'text', attachment: null },
    reply_count: 0,
    ...changed,
  }
}

const all: PostFilter = { sort: 'activity', tags: [], solved: null }
const page: ThreadPage = { threads: [post('new', 5), post('old', 3)], next: null }
const ids = ({ threads }: ThreadPage) => threads.map(({ id }) => id)

test('FORUM-5: a reply brings its post up in the order of activity, and counts once', () => {
  const message = sampleMessage(2, { room_id: 'old', created_at: '2026-01-02T00:00:00.000Z' })
  const replied = withReply(withReply(page, message, all), message, all)
  assert.deepEqual(ids(replied), ['old', 'new'])
  assert.equal(replied.threads[0]?.reply_count, 1)
  assert.deepEqual(ids(withReply(page, message, { ...all, sort: 'created' })), ['new', 'old'])
})

test('FORUM-5: the first message of a post is no reply', () => {
  const begun = { ...page, threads: [post('begun', 5, { last_seq: 0 })] }
  const first = sampleMessage(1, { room_id: 'begun' })
  assert.equal(withReply(begun, first, all).threads[0]?.reply_count, 0)
})

test('FORUM-6: a pinned post comes first, and keeps what only the list has', () => {
  const { own: _, opening: __, reply_count: ___, ...pinned } = post('old', 3, { is_pinned: true })
  const changed = withPost(page, pinned, all)
  assert.deepEqual(ids(changed), ['old', 'new'])
  assert.equal(changed.threads[0]?.opening?.content, 'text')
})

test('FORUM-5: a post that no longer fits the filter leaves the list', () => {
  const unsolved = { ...all, solved: false }
  assert.deepEqual(ids(withPost(page, post('old', 3, { solved_message_id: 'm2' }), unsolved)), ['new'])
  assert.equal(fitsFilter(post('a', 1, { tags: ['x'] }), { ...all, tags: ['y', 'x'] }), true)
  assert.equal(fitsFilter(post('a', 1, { tags: ['x'] }), { ...all, tags: ['y'] }), false)
  assert.equal(fitsFilter(post('a', 1), { ...all, solved: true }), false)
})

test('FORUM-5: the first page as it is now keeps the further pages, and no post appears twice', () => {
  const longer = { ...page, next: 'cursor' }
  const newest = { threads: [post('newer', 7), post('new', 5)], next: 'other' }
  assert.deepEqual(withNewest(longer, newest, all).next, 'cursor')
  assert.deepEqual(ids(withNewest(longer, newest, all)), ['newer', 'new', 'old'])
  assert.deepEqual(ids(withNewest(page, newest, all)), ['newer', 'new', 'old'])
  assert.equal(withNewest(page, newest, all).next, null)
  const whole = { ...newest, next: null }
  assert.equal(withNewest(longer, whole, all), whole)
  const older = { threads: [post('old', 3), post('oldest', 1)], next: null }
  assert.deepEqual(ids(withOlder(longer, older)), ['new', 'old', 'oldest'])
})
