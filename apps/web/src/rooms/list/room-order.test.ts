import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import { sampleRoom } from '#src/store/samples.ts'
import type { State } from '#src/store/state.ts'
import {
  listedGroups,
  markOf,
  moveTo,
  type RoomSlot,
  slotAbove,
  slotAt,
  slotBelow,
  withMove,
} from './room-order.ts'

/** Rooms with dense positions, in this order. Only the server knows `hidden`. */
const all = [
  sampleRoom('text', { type: RoomType.Category }),
  sampleRoom('general', { parent_id: 'text' }),
  sampleRoom('hidden'),
  sampleRoom('welcome'),
  sampleRoom('voice', { type: RoomType.Category }),
  sampleRoom('lounge', { parent_id: 'voice', type: RoomType.Voice }),
  sampleRoom('hikes', { parent_id: 'text' }),
  sampleRoom('photos', { parent_id: 'text' }),
  sampleRoom('archive', { type: RoomType.Category }),
].map((room, position) => ({ ...room, position }))

const elsewhere = sampleRoom('elsewhere', { space_id: 'other', position: 3 })
const seen: State['rooms'] = Object.fromEntries(
  [...all.filter(({ id }) => id !== 'hidden'), elsewhere].map((room) => [room.id, room]),
)
const named = (id: string): Room => {
  const room = all.find((other) => other.id === id)
  assert.ok(room)
  return room
}
const groupsOf = (rooms: State['rooms']) => listedGroups(rooms, 'space', () => true)
const outline = (rooms: State['rooms']) =>
  groupsOf(rooms).map(({ category, rooms }) => [category?.id ?? '', ...rooms.map(({ id }) => id)].join(' '))
const groups = groupsOf(seen)

/** Returns the order after the move, counted the way the server does. */
function onServer(id: string, slot: RoomSlot): string[] {
  const move = moveTo(groups, named(id), slot)
  assert.ok(move, 'there is something to move')
  const others = all.filter((room) => room.id !== id)
  const placed = others.toSpliced(move.position, 0, { ...named(id), ...move })
  const rooms = placed.map((room, position) => ({ ...room, position })).filter((room) => room.id !== 'hidden')
  const expected = Object.fromEntries(rooms.map((room) => [room.id, room]))
  assert.deepEqual(
    outline(withMove(seen, named(id), move)),
    outline(expected),
    'the order shown before the server answers',
  )
  const dense = Object.fromEntries(all.map((room) => [room.id, room]))
  const positions = Object.values(withMove(dense, named(id), move)).map(({ position }) => position)
  assert.deepEqual(
    positions.sort((a, b) => a - b),
    all.map((_, position) => position),
  )
  return outline(expected)
}

const start = [' welcome', 'text general hikes photos', 'voice lounge', 'archive']

test('rooms without a category come first, and empty categories are listed if wanted', () => {
  assert.deepEqual(outline(seen), start)
  const without = listedGroups(seen, 'space', ({ id }) => id !== 'archive')
  assert.deepEqual(
    without.map(({ category }) => category?.id ?? null),
    [null, 'text', 'voice'],
  )
})

test('a room moves within its category, even with other rooms in between', () => {
  const [, , ...rest] = start
  const inText = (rooms: string) => [start[0], `text ${rooms}`, ...rest]
  assert.deepEqual(
    onServer('photos', { parentId: 'text', beforeId: 'general' }),
    inText('photos general hikes'),
  )
  assert.deepEqual(
    onServer('photos', { parentId: 'text', beforeId: 'hikes' }),
    inText('general photos hikes'),
  )
  assert.deepEqual(
    onServer('general', { parentId: 'text', beforeId: 'photos' }),
    inText('hikes general photos'),
  )
  assert.deepEqual(onServer('general', { parentId: 'text', beforeId: null }), inText('hikes photos general'))
  assert.equal(moveTo(groups, named('hikes'), { parentId: 'text', beforeId: 'photos' }), null, 'it is there')
  assert.equal(moveTo(groups, named('photos'), { parentId: 'text', beforeId: null }), null)
})

test('a room moves to another category, an empty one, and none', () => {
  assert.deepEqual(onServer('welcome', { parentId: 'text', beforeId: 'hikes' }), [
    'text general welcome hikes photos',
    'voice lounge',
    'archive',
  ])
  assert.deepEqual(onServer('lounge', { parentId: 'archive', beforeId: null }), [
    ' welcome',
    'text general hikes photos',
    'voice',
    'archive lounge',
  ])
  assert.deepEqual(onServer('photos', { parentId: null, beforeId: 'welcome' }), [
    ' photos welcome',
    'text general hikes',
    'voice lounge',
    'archive',
  ])
})

test('categories move with their rooms', () => {
  assert.deepEqual(onServer('archive', { parentId: null, beforeId: 'text' }), [
    ' welcome',
    'archive',
    'text general hikes photos',
    'voice lounge',
  ])
  assert.deepEqual(onServer('text', { parentId: null, beforeId: null }), [
    ' welcome',
    'voice lounge',
    'archive',
    'text general hikes photos',
  ])
})

test('a room of a hidden category moves among rooms without a category, and keeps its category', () => {
  const guest = { ...sampleRoom('guest', { parent_id: 'hidden' }), position: 9 }
  const rooms = groupsOf({ ...seen, guest })
  assert.deepEqual(moveTo(rooms, guest, { parentId: null, beforeId: 'welcome' }), { position: 3 })
})

test('steps move a room through all categories and out of them', () => {
  assert.deepEqual(walk('lounge', slotAbove), [
    { parentId: 'text', beforeId: null },
    { parentId: 'text', beforeId: 'photos' },
    { parentId: 'text', beforeId: 'hikes' },
    { parentId: 'text', beforeId: 'general' },
    { parentId: null, beforeId: null },
    { parentId: null, beforeId: 'welcome' },
  ])
  assert.deepEqual(walk('welcome', slotBelow), [
    { parentId: 'text', beforeId: 'general' },
    { parentId: 'text', beforeId: 'hikes' },
    { parentId: 'text', beforeId: 'photos' },
    { parentId: 'text', beforeId: null },
    { parentId: 'voice', beforeId: 'lounge' },
    { parentId: 'voice', beforeId: null },
    { parentId: 'archive', beforeId: null },
  ])
  assert.deepEqual(walk('text', slotBelow), [
    { parentId: null, beforeId: 'archive' },
    { parentId: null, beforeId: null },
  ])
  assert.deepEqual(walk('text', slotAbove), [])
})

test('with no rooms above the first category, a step up leaves the category', () => {
  const { welcome: _, ...rooms } = seen
  assert.deepEqual(slotAbove(groupsOf(rooms), named('general')), { parentId: null, beforeId: null })
})

test('a dragged room lands above or below the row under the pointer', () => {
  const at = (id: string, half: 'upper' | 'lower', dragged = 'lounge') =>
    slotAt(groups, named(dragged), { id, half })
  assert.deepEqual(at('hikes', 'upper'), { parentId: 'text', beforeId: 'hikes' })
  assert.deepEqual(at('hikes', 'lower'), { parentId: 'text', beforeId: 'photos' })
  assert.deepEqual(at('general', 'lower', 'hikes'), { parentId: 'text', beforeId: 'photos' })
  assert.deepEqual(at('photos', 'lower'), { parentId: 'text', beforeId: null })
  assert.deepEqual(at('text', 'lower'), { parentId: 'text', beforeId: 'general' })
  assert.deepEqual(at('text', 'upper'), { parentId: null, beforeId: null })
  assert.deepEqual(at('archive', 'upper'), { parentId: 'voice', beforeId: null })
  assert.deepEqual(at('archive', 'lower'), { parentId: 'archive', beforeId: null })
  assert.deepEqual([at('lounge', 'upper'), at('gone', 'upper')], [null, null])
})

test('a dragged category lands before or after another one and its rooms', () => {
  const at = (id: string, half: 'upper' | 'lower') => slotAt(groups, named('archive'), { id, half })
  assert.deepEqual(at('voice', 'upper'), { parentId: null, beforeId: 'voice' })
  assert.deepEqual(at('text', 'lower'), { parentId: null, beforeId: 'voice' })
  assert.deepEqual(at('general', 'upper'), { parentId: null, beforeId: 'voice' })
  assert.deepEqual(at('lounge', 'upper'), { parentId: null, beforeId: null })
  assert.deepEqual(at('welcome', 'lower'), { parentId: null, beforeId: 'text' })
})

test('the slot is marked next to a row', () => {
  const mark = (dragged: string, parentId: string | null, beforeId: string | null, shown = groups) => {
    const found = markOf(shown, named(dragged), { parentId, beforeId })
    return `${found?.side} ${found?.id}`
  }
  assert.equal(mark('lounge', 'text', 'hikes'), 'before hikes')
  assert.equal(mark('lounge', 'text', null), 'after photos')
  assert.equal(mark('lounge', 'archive', null), 'after archive')
  assert.equal(mark('lounge', null, null), 'after welcome')
  assert.equal(mark('lounge', null, null, groups.slice(1)), 'before text')
  assert.equal(mark('text', null, 'archive'), 'before archive')
  assert.equal(mark('text', null, null), 'after archive')
})

function walk(id: string, step: typeof slotAbove): RoomSlot[] {
  const slots: RoomSlot[] = []
  let rooms = seen
  let slot = step(groupsOf(rooms), named(id))
  while (slot !== null && slots.length < all.length) {
    slots.push(slot)
    const [room, shown] = [rooms[id], groupsOf(rooms)]
    assert.ok(room)
    const move = moveTo(shown, room, slot)
    assert.ok(move, `${JSON.stringify(slot)} is another slot`)
    rooms = withMove(rooms, room, move)
    slot = step(groupsOf(rooms), rooms[id] ?? room)
  }
  return slots
}
