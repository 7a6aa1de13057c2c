import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import { sampleRoom } from '#src/store/samples.ts'
import { CHUNK, rowsOf, shownGroups } from './shown-rooms.ts'

const roomsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => sampleRoom(`${name}-${index + 1}`))
const category = sampleRoom('text', { type: RoomType.Category })
const groups = [
  { category: null, rooms: roomsOf('loose', 3) },
  { category, rooms: roomsOf('text', 2 * CHUNK + 1) },
]
const nothing = { folded: new Set<string>(), signs: {}, currentRoomId: null }
const unread = { isUnread: true, mentions: 0, isMuted: false }

test('rooms are rendered in chunks, each with the number of rows above it', () => {
  const [loose, text] = shownGroups(groups, nothing)
  assert.deepEqual(
    loose?.chunks.map(({ rooms, above, before }) => [rooms.length, above, before]),
    [[3, 0, 0]],
  )
  assert.deepEqual(
    text?.chunks.map(({ rooms, above, before }) => [rooms.length, above, before]),
    [
      [CHUNK, 4, 0],
      [CHUNK, 4 + CHUNK, CHUNK],
      [1, 4 + 2 * CHUNK, 2 * CHUNK],
    ],
  )
  assert.equal(text?.count, 2 * CHUNK + 1)
})

test('a collapsed category keeps rooms that are unread, have mentions or are open', () => {
  const signs = {
    'text-2': unread,
    'text-40': { ...unread, isUnread: false, mentions: 1 },
    'loose-1': unread,
  }
  const muted = { 'text-9': { isUnread: false, mentions: 0, isMuted: true } }
  const shown = shownGroups(groups, {
    folded: new Set(['text']),
    signs: { ...signs, ...muted },
    currentRoomId: 'text-7',
  })
  assert.deepEqual(rowsOf(shown), ['loose-1', 'loose-2', 'loose-3', 'text', 'text-2', 'text-7', 'text-40'])
})

test('rows are the categories and their rooms, from the top down', () => {
  const rows = rowsOf(shownGroups(groups, nothing))
  assert.equal(rows.length, 3 + 1 + 2 * CHUNK + 1)
  assert.deepEqual(rows.slice(2, 6), ['loose-3', 'text', 'text-1', 'text-2'])
  assert.equal(rows.at(-1), `text-${2 * CHUNK + 1}`)
})
