import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import { reduceEvent, reduceLocal } from './reducers.ts'
import {
  sampleMember,
  sampleMessage,
  sampleReady,
  sampleRole,
  sampleRoom,
  sampleSpace,
  sampleUser,
} from './samples.ts'
import { isSpaceUnread, nameLookup, roomGroups } from './selectors.ts'
import { initialState, type State, TYPING_SHOWN_MS } from './state.ts'

test('READY has the spaces, their rooms and read states', () => {
  const read = { room_id: 'room', conversation_id: null, last_read_seq: 4, unread_count: 1, mention_count: 0 }
  const rooms = [sampleRoom('room', { last_seq: 5 })]
  const sent = sampleReady({ spaces: [sampleSpace('space', { rooms })], read_states: [read] })
  const state = reduceEvent(initialState, 'READY', sent, 0)
  assert.equal(isSpaceUnread(state, 'space'), true)
  const acked = reduceEvent(state, 'MESSAGE_ACK', { ...read, last_read_seq: 5, unread_count: 0 }, 0)
  assert.equal(isSpaceUnread(acked, 'space'), false)
})

test('messages sent before joining a space count as read', () => {
  const joined = sampleSpace('joined', { rooms: [sampleRoom('old', { space_id: 'joined', last_seq: 7 })] })
  const state = reduceEvent(ready(), 'SPACE_CREATE', joined, 0)
  assert.equal(isSpaceUnread(state, 'joined'), false)
  const later = sampleMessage(8, { room_id: 'old', space_id: 'joined' })
  assert.equal(isSpaceUnread(reduceEvent(state, 'MESSAGE_CREATE', later, 0), 'joined'), true)
})

test('a space sent again replaces everything except messages of remaining rooms', () => {
  const rooms = [sampleRoom('room', { last_seq: 1 }), sampleRoom('lost')]
  const before = reduceEvent(
    initialState,
    'READY',
    sampleReady({ spaces: [sampleSpace('space', { rooms })] }),
    0,
  )
  const messages = [sampleMessage(1)]
  const page = { channel_id: 'room', at: 'latest' as const, messages, asked_seq: 1, complete: true }
  const opened = reduceLocal(before, 'history_loaded', page, 0)
  const live = reduceEvent(opened, 'MESSAGE_CREATE', sampleMessage(2), 0)
  const sent = sampleSpace('space', {
    rooms: [sampleRoom('room', { last_seq: 1, name: 'renamed' }), sampleRoom('gained')],
    roles: [sampleRole('space'), sampleRole('mods', { position: 1 })],
  })
  const replaced = reduceEvent(live, 'SPACE_CREATE', sent, 0)
  assert.deepEqual(Object.keys(replaced.rooms).sort(), ['gained', 'room'])
  assert.deepEqual([replaced.rooms.room?.name, replaced.rooms.room?.last_seq], ['renamed', 2])
  assert.equal(replaced.timelines.room, live.timelines.room)
  assert.equal(replaced.spaces.space?.roles.length, 2)
  const ahead = { ...sent, rooms: [sampleRoom('room', { last_seq: 5 })] }
  assert.equal(reduceEvent(live, 'SPACE_CREATE', ahead, 0).timelines.room?.missedAfter, 2)
})

test('a room that is visible again keeps its read position', () => {
  const read = { room_id: 'room', conversation_id: null, last_read_seq: 4, unread_count: 0, mention_count: 0 }
  const rooms = [sampleRoom('room', { last_seq: 4 })]
  const sent = sampleReady({ spaces: [sampleSpace('space', { rooms })], read_states: [read] })
  const before = reduceEvent(initialState, 'READY', sent, 0)
  const hidden = reduceEvent(before, 'ROOM_DELETE', { space_id: 'space', room_id: 'room' }, 0)
  assert.deepEqual(hidden.rooms, {})
  const back = (last_seq: number) => reduceEvent(hidden, 'ROOM_CREATE', sampleRoom('room', { last_seq }), 0)
  assert.deepEqual(
    [4, 5].map((seq) => isSpaceUnread(back(seq), 'space')),
    [false, true],
  )
})

test('a second READY keeps messages, marks possible gaps, and removes spaces that are gone', () => {
  const page = {
    channel_id: 'room',
    at: 'latest' as const,
    messages: [sampleMessage(1)],
    asked_seq: 1,
    complete: true,
  }
  const opened = reduceLocal(ready(), 'history_loaded', page, 0)
  const again = reduceEvent(opened, 'READY', sampleReady(), 0)
  assert.equal(again.timelines.room?.missedAfter, 1)
  assert.equal(again.timelines.room?.messages.length, 1)
  const left = reduceEvent(opened, 'READY', sampleReady({ spaces: [] }), 0)
  assert.deepEqual([left.spaces, left.rooms, left.timelines], [{}, {}, {}])
})

test('READY of another account removes all state of the previous one', () => {
  const drafted = reduceLocal(ready(), 'draft_changed', { channel_id: 'room', content: 'secret' }, 0)
  const hidden = { birthdate: null, phone: null, custom_until: null, web_presence: 'name' } as const
  const user = { ...sampleUser('a user'), ...hidden }
  assert.deepEqual(reduceEvent(drafted, 'READY', sampleReady({ user }), 0).drafts, {})
  assert.equal(reduceEvent(drafted, 'READY', sampleReady(), 0).drafts.room?.content, 'secret')
})

test('leaving a space removes its rooms and members', () => {
  const listed = members(ready(), ['me'])
  for (const state of [
    reduceEvent(listed, 'SPACE_DELETE', { space_id: 'space' }, 0),
    reduceEvent(listed, 'SPACE_MEMBER_DELETE', { space_id: 'space', user_id: 'me', member_count: 1 }, 0),
  ]) {
    assert.deepEqual([state.spaces, state.rooms, state.members], [{}, {}, {}])
  }
})

test('names are the nickname, else the display name, else the username', () => {
  const state = members(ready(), ['a', 'b'])
  const lookup = (of: State) => nameLookup(of.users, of.spaces.space, of.members.space)
  assert.equal(lookup(state)(sampleUser('a')), 'a')
  const later = '2026-02-01T00:00:00.000Z'
  const renamed = reduceEvent(state, 'USER_UPDATE', sampleUser('a', { alias: 'Ada', updated_at: later }), 0)
  assert.equal(lookup(renamed)(sampleUser('a')), 'Ada')
  const stale = reduceEvent(renamed, 'MESSAGE_CREATE', sampleMessage(1, { author: sampleUser('a') }), 0)
  assert.equal(lookup(stale)(sampleUser('a')), 'Ada', 'an older copy of a user changes nothing')
  const nicknamed = reduceEvent(
    renamed,
    'SPACE_MEMBER_UPDATE',
    sampleMember('a', { nickname: 'Countess' }),
    0,
  )
  assert.equal(lookup(nicknamed)(sampleUser('a')), 'Countess')
})

test('rooms are grouped by category, in order of position', () => {
  const rooms = [
    sampleRoom('voice', { type: RoomType.Category, position: 2 }),
    sampleRoom('text', { type: RoomType.Category, position: 1 }),
    sampleRoom('empty', { type: RoomType.Category, position: 3 }),
    sampleRoom('b', { parent_id: 'text', position: 2 }),
    sampleRoom('a', { parent_id: 'text', position: 1 }),
    sampleRoom('lounge', { type: RoomType.Voice, parent_id: 'voice' }),
    sampleRoom('loose', { parent_id: 'deleted' }),
  ]
  const state = reduceEvent(initialState, 'SPACE_CREATE', sampleSpace('space', { rooms }), 0)
  const groups = roomGroups(state.rooms, 'space').map((group) => [
    group.category?.id ?? null,
    ...group.rooms.map((room) => room.id),
  ])
  assert.deepEqual(groups, [
    [null, 'loose'],
    ['text', 'a', 'b'],
    ['voice', 'lounge'],
  ])
})

test('older data of a room does not undo a newer message', () => {
  const received = reduceEvent(ready(), 'MESSAGE_CREATE', sampleMessage(1), 0)
  const renamed = reduceEvent(received, 'ROOM_UPDATE', sampleRoom('room', { name: 'new' }), 0)
  assert.deepEqual([renamed.rooms.room?.name, renamed.rooms.room?.last_seq], ['new', 1])
})

test('typing indicators expire, end with the message, and never show the user', () => {
  const notice = (user_id: string) => ({ room_id: 'room', conversation_id: null, space_id: 'space', user_id })
  const own = reduceEvent(ready(), 'TYPING_START', notice('me'), 0)
  assert.deepEqual(own.typing, {})
  const typing = reduceEvent(ready(), 'TYPING_START', notice('other'), 1000)
  assert.equal(typing.typing.room?.other?.until, 1000 + TYPING_SHOWN_MS)
  const sent = reduceEvent(typing, 'MESSAGE_CREATE', sampleMessage(1), 2000)
  assert.deepEqual(sent.typing.room, {})
  const expired = reduceLocal(typing, 'typing_expired', { channel_id: 'room' }, 1000 + TYPING_SHOWN_MS)
  assert.deepEqual(expired.typing.room, {})
})

test('signing out removes all state', () => {
  assert.deepEqual(reduceLocal(ready(), 'signed_out', null, 0), initialState)
})

function ready(): State {
  return reduceEvent(initialState, 'READY', sampleReady(), 0)
}

function members(state: State, ids: string[]): State {
  const sent = { space_id: 'space', members: ids.map((id) => sampleMember(id)) }
  return reduceLocal(state, 'members_loaded', sent, 0)
}
