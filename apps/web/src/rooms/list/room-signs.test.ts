import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reduceEvent, reduceLocal } from '#src/store/reducers.ts'
import {
  sampleForum,
  sampleMessage,
  sampleReady,
  sampleRoom,
  sampleSpace,
  sampleThread,
} from '#src/store/samples.ts'
import { initialState } from '#src/store/state.ts'
import { roomSigns } from './room-signs.ts'

const FOREVER = '9999-12-31T23:59:59.999Z'

test('markers show unread and muted rooms, and the others keep theirs', () => {
  const rooms = ['a', 'b', 'c'].map((id, position) => sampleRoom(id, { position }))
  const state = reduceEvent(
    initialState,
    'READY',
    sampleReady({ spaces: [sampleSpace('space', { rooms })] }),
    0,
  )
  const read = roomSigns(state.rooms)
  const none = read(state)
  assert.deepEqual(none, {})
  const counted = reduceEvent(state, 'MESSAGE_CREATE', sampleMessage(1, { room_id: 'b' }), 0)
  const one = read(counted)
  assert.deepEqual(one, { b: { isUnread: true, mentions: 0, isMuted: false } })
  const again = reduceEvent(counted, 'MESSAGE_CREATE', sampleMessage(2, { room_id: 'b' }), 0)
  assert.notEqual(again.readStates, counted.readStates, 'it is counted')
  assert.equal(read(again), one, 'and shows nothing else')
  const setting = { scope: 'room', id: 'c', level: null, muted_until: FOREVER } as const
  const muted = read(reduceEvent(again, 'NOTIFICATION_SETTING_UPDATE', setting, 0))
  assert.deepEqual(muted.c, { isUnread: false, mentions: 0, isMuted: true })
})

test('FORUM-21: a forum shows the markers of its followed posts, and a text room none of its threads', () => {
  const rooms = [sampleForum('forum'), sampleRoom('text')]
  const ready = reduceEvent(
    initialState,
    'READY',
    sampleReady({ spaces: [sampleSpace('space', { rooms })] }),
    0,
  )
  const followed = (id: string, room_id: string, mention_count: number, follow: 'all' | 'muted' = 'all') =>
    sampleThread(id, { room_id, last_seq: 3, own: { follow, read_seq: 1, unread_count: 2, mention_count } })
  const threads = [
    followed('a', 'forum', 0),
    followed('b', 'forum', 2),
    followed('c', 'forum', 4, 'muted'),
    followed('d', 'text', 1),
  ]
  const state = reduceLocal(ready, 'threads_loaded', threads, 0)
  const read = roomSigns(state.rooms)
  assert.deepEqual(read(state), { forum: { isUnread: true, mentions: 2, isMuted: false } })
  const seen = ['a', 'b'].reduce(
    (before, thread_id) =>
      reduceEvent(
        before,
        'THREAD_FOLLOW_UPDATE',
        { thread_id, follow: 'all', read_seq: 3, unread_count: 0, mention_count: 0 },
        0,
      ),
    state,
  )
  assert.deepEqual(read(seen), {})
  const setting = { scope: 'room', id: 'forum', level: null, muted_until: FOREVER } as const
  const muted = reduceEvent(state, 'NOTIFICATION_SETTING_UPDATE', setting, 0)
  assert.deepEqual(read(muted), { forum: { isUnread: false, mentions: 0, isMuted: true } })
})
