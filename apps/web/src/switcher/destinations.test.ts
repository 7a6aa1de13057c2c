import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConversationType } from '@foyer/protocol/conversations'
import { MUTED_FOR_EVER, type NotificationSetting } from '@foyer/protocol/notifications'
import { reduceEvent } from '#src/store/reducers.ts'
import { sampleMessage, sampleReady, sampleRoom, sampleSpace, sampleUser } from '#src/store/samples.ts'
import { initialState, type State } from '#src/store/state.ts'
import { type Destination, destinations, foundDestinations } from './destinations.ts'

function destination(
  kind: Destination['kind'],
  name: string,
  change: Partial<Destination> = {},
): Destination {
  return { kind, id: name, name, note: '', path: `/${name}`, unread: 0, mentions: 0, ...change }
}

const general = destination('room', 'general', { note: 'Sunday hikers' })
const garden = destination('room', 'garden', { note: 'Neighbours' })
const gena = destination('person', 'Gena', { note: '@gena.w', path: null })
const group = destination('conversation', 'Trip', { unread: 2, mentions: 2 })
const hikers = destination('space', 'Sunday hikers', { path: '/hikers' })
const all = [general, garden, gena, group, hikers]
const namesFor = (typed: string, recent: string[] = []) =>
  foundDestinations(all, typed, recent).map(({ name }) => name)

test('an empty query lists unread destinations, then recent ones', () => {
  assert.deepEqual(namesFor(''), ['Trip'])
  assert.deepEqual(namesFor('', ['/garden', '/general']), ['garden', 'Trip', 'general'])
})

test('a better match comes first, and of equal matches the recent one', () => {
  assert.deepEqual(namesFor('gen'), ['Gena', 'general', 'garden'])
  assert.deepEqual(namesFor('ga'), ['garden'])
  assert.deepEqual(namesFor('g', ['/garden']), ['garden', 'Gena', 'general'])
})

test('a prefix limits the results to rooms, people or spaces', () => {
  assert.deepEqual(namesFor('#gen'), ['general', 'garden'])
  assert.deepEqual(namesFor('@gen'), ['Gena'])
  assert.deepEqual(namesFor('@'), ['Trip', 'Gena'])
  assert.deepEqual(namesFor('*sun'), ['Sunday hikers'])
})

test('the name of the space narrows rooms down, and a username finds its user', () => {
  assert.deepEqual(namesFor('ge hik'), ['general'])
  assert.deepEqual(namesFor('gena.w'), ['Gena'])
  assert.deepEqual(namesFor('zzz'), [])
})

test('muted destinations are not listed as unread, but found by name', () => {
  const names = (state: State, typed = '') =>
    foundDestinations(destinations(state), typed, []).map(({ name, mentions }) => [name, mentions])
  assert.deepEqual(names(withUnread()), [
    ['mira', 1],
    ['trips', 1],
  ])
  assert.deepEqual(names(withUnread('room', 'trips')), [['mira', 1]])
  assert.deepEqual(names(withUnread('space', 'space')), [['mira', 1]])
  assert.deepEqual(names(withUnread('conversation', 'direct')), [['trips', 1]])
  assert.deepEqual(names(withUnread('conversation', 'direct'), 'mira'), [['mira', 0]])
})

/** Returns a state with a mention in a room and a message in a conversation, one of them optionally muted. */
function withUnread(scope?: NotificationSetting['scope'], id = ''): State {
  const [me, mira] = [sampleUser('me'), sampleUser('mira')]
  const direct = {
    id: 'direct',
    type: ConversationType.Direct,
    name: null,
    icon: null,
    owner_id: null,
    recipients: [me, mira],
    last_message_id: null,
    last_seq: 0,
    created_at: '2026-01-01T00:00:00.000Z',
  }
  const rooms = [sampleRoom('trips')]
  const mute = scope === undefined ? [] : [{ scope, id, level: null, muted_until: MUTED_FOR_EVER }]
  const ready = reduceEvent(
    initialState,
    'READY',
    sampleReady({
      spaces: [sampleSpace('space', { rooms })],
      conversations: [direct],
      notification_settings: mute,
    }),
    0,
  )
  const targets = [
    { room_id: 'trips', conversation_id: null, space_id: 'space', mentions: [me] },
    { room_id: null, conversation_id: 'direct', space_id: null },
  ]
  return targets.reduce(
    (state, target) => reduceEvent(state, 'MESSAGE_CREATE', sampleMessage(1, { ...target, author: mira }), 0),
    ready,
  )
}
