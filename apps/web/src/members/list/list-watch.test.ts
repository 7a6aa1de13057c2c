import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import type { EventName, Events } from '@foyer/protocol/events'
import type { Subscribe } from '@foyer/protocol/members'
import { Subscribers } from '@foyer/sdk/subscribers'
import { statusOf } from '#src/store/presences.ts'
import { sampleMember, sampleReady, sampleRoom } from '#src/store/samples.ts'
import { createAppStore } from '#src/store/store.ts'
import { ListWatch } from './list-watch.ts'

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  Object.assign(globalThis, { requestAnimationFrame: () => 0, cancelAnimationFrame: () => undefined })
})
afterEach(() => mock.timers.reset())

function start() {
  const store = createAppStore((show) => show())
  store.receive('READY', sampleReady())
  const subscribers = new Subscribers()
  const requested: Subscribe['member_ranges'][] = []
  const rooms: Subscribe['room_id'][] = []
  const gateway = {
    on: subscribers.on.bind(subscribers),
    subscribe({ member_ranges, room_id }: Subscribe) {
      requested.push(member_ranges)
      rooms.push(room_id)
    },
  }
  const watch = new ListWatch({ store, client: { gateway } }, 'space')
  const receive = <Name extends EventName>(name: Name, data: Events[Name]) => {
    store.receive(name, data)
    subscribers.emit({ op: 0, t: name, d: data })
  }
  return { store, watch, requested, rooms, receive }
}

function listOf(from: number, ids: string[], count = ids.length) {
  return {
    space_id: 'space',
    room_id: null,
    groups: [{ id: 'online', count }],
    online_count: count,
    member_count: count,
    ranges: [{ from, to: from + 99, user_ids: ids }],
    members: ids.map((id) => sampleMember(id)),
    presences: ids.map((user_id) => ({ user_id, status: 'online' as const, custom: null })),
  }
}

test('visible rows are requested once scrolling pauses, and unsubscribed at the end', () => {
  const { watch, requested } = start()
  const close = watch.open()
  assert.deepEqual(requested, [[[0, 99]]])
  for (const from of [120, 450, 980]) watch.look({ from, to: from + 15 })
  watch.look({ from: 985, to: 1000 })
  assert.equal(requested.length, 1)
  mock.timers.tick(150)
  const ranges = [
    [900, 999],
    [1000, 1099],
  ]
  assert.deepEqual(requested.slice(1), [ranges])
  watch.look({ from: 930, to: 1010 })
  mock.timers.tick(5000)
  assert.equal(requested.length, 2, 'a small scroll within the same ranges requests nothing')
  close()
  assert.deepEqual(requested.at(-1), undefined)
})

test('scrolling without a pause still requests rows now and then', () => {
  const { watch, requested } = start()
  watch.open()
  for (let from = 0; from < 6000; from += 100) {
    watch.look({ from, to: from + 15 })
    mock.timers.tick(100)
  }
  assert.ok(requested.length > 2 && requested.length < 12, `${requested.length} times in six seconds`)
})

test('members and their presence are known while they are in view', () => {
  const { store, watch, receive } = start()
  const close = watch.open()
  assert.equal(watch.picture().isHere, false)
  receive('SPACE_MEMBER_LIST_UPDATE', listOf(0, ['a', 'b'], 300))
  assert.deepEqual([watch.picture().layout.count, watch.picture().at(1)?.member.id], [300, 'b'])
  assert.equal(statusOf(store.get(), 'a'), 'online')
  watch.look({ from: 200, to: 220 })
  mock.timers.tick(150)
  assert.deepEqual([watch.picture().at(1), watch.picture().layout.count], [undefined, 300])
  receive('SPACE_MEMBER_LIST_UPDATE', listOf(0, ['late'], 300))
  assert.equal(watch.picture().at(0), undefined, 'an answer to the previous ranges')
  receive('SPACE_MEMBER_LIST_UPDATE', listOf(200, ['z'], 300))
  assert.equal(watch.picture().at(200)?.member.id, 'z')
  assert.deepEqual([statusOf(store.get(), 'a'), statusOf(store.get(), 'z')], [undefined, 'online'])
  close()
  assert.equal(statusOf(store.get(), 'z'), undefined)
})

test('LIST-14: another room takes one command and shows once its list arrives; the current one takes none', () => {
  const { watch, requested, rooms, receive } = start()
  watch.turnTo('plans')
  watch.open()
  assert.deepEqual(rooms, ['plans'])
  receive('SPACE_MEMBER_LIST_UPDATE', listOf(0, ['everybody']))
  assert.equal(watch.picture().isHere, false, 'the list of the space')
  receive('SPACE_MEMBER_LIST_UPDATE', { ...listOf(0, ['a'], 300), room_id: 'plans' })
  watch.turnTo('plans')
  assert.deepEqual([rooms.length, watch.picture().at(0)?.member.id], [1, 'a'])
  watch.look({ from: 200, to: 220 })
  watch.turnTo(null)
  mock.timers.tick(5000)
  assert.deepEqual([rooms, requested.at(-1)], [['plans', null], [[0, 99]]])
  assert.deepEqual([watch.picture().isHere, watch.picture().at(0)], [false, undefined])
  receive('SPACE_MEMBER_LIST_UPDATE', { ...listOf(0, ['late'], 300), room_id: 'plans' })
  assert.equal(watch.picture().isHere, false, 'an answer to the previous room')
  receive('SPACE_MEMBER_LIST_UPDATE', listOf(0, ['b']))
  assert.equal(watch.picture().at(0)?.member.id, 'b')
})

test('a room that was lost and comes back is requested again', () => {
  const { watch, rooms, receive } = start()
  watch.turnTo('plans')
  watch.open()
  receive('ROOM_CREATE', sampleRoom('other'))
  receive('ROOM_DELETE', { space_id: 'space', room_id: 'plans' })
  assert.equal(rooms.length, 1)
  receive('ROOM_CREATE', sampleRoom('plans'))
  assert.deepEqual(rooms, ['plans', 'plans'])
})

test('nothing is unsubscribed in a space the user left', () => {
  const { watch, requested, receive } = start()
  const close = watch.open()
  receive('SPACE_DELETE', { space_id: 'space' })
  close()
  assert.equal(requested.length, 1)
})
