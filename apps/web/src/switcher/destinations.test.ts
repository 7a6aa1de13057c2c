import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConversationType } from '@foyer/protocol/conversations'
import { MUTED_FOR_EVER, type NotificationSetting } from '@foyer/protocol/notifications'
import { reduceEvent } from '#src/store/reducers.ts'
import { sampleMessage, sampleReady, sampleRoom, sampleSpace, sampleUser } from '#src/store/samples.ts'
import { initialState, type State } from '#src/store/state.ts'
import { type Destination, destinations, foundDestinations } from './destinations.ts'

function place(kind: Destination['kind'], name: string, change: Partial<Destination> = {}): Destination {
  return { kind, id: name, name, note: '', path: `/${name}`, unread: 0, mentions: 0, ...change }
}

const general = place('room', 'general', { note: 'Sunday hikers' })
const garden = place('room', 'garden', { note: 'Neighbours' })
const gena = place('person', 'Gena', { note: '@gena.w', path: null })
const group = place('conversation', 'Trip', { unread: 2, mentions: 2 })
const hikers = place('space', 'Sunday hikers', { path: '/hikers' })
const all = [general, garden, gena, group, hikers]
const namesFor = (typed: string, recent: string[] = []) =>
  foundDestinations(all, typed, recent).map(({ name }) => name)

test('with nothing typed it lists what calls for the reader, then where they were lately', () => {
  assert.deepEqual(namesFor(''), ['Trip'])
  assert.deepEqual(namesFor('', ['/garden', '/general']), ['garden', 'Trip', 'general'])
})

test('a name that is nearer comes first, and of two that are as near the one of late', () => {
  assert.deepEqual(namesFor('gen'), ['Gena', 'general', 'garden'])
  assert.deepEqual(namesFor('ga'), ['garden'])
  assert.deepEqual(namesFor('g', ['/garden']), ['garden', 'Gena', 'general'])
})

test('a sign before what is typed asks for rooms, people or spaces alone', () => {
  assert.deepEqual(namesFor('#gen'), ['general', 'garden'])
  assert.deepEqual(namesFor('@gen'), ['Gena'])
  assert.deepEqual(namesFor('@'), ['Trip', 'Gena'])
  assert.deepEqual(namesFor('*sun'), ['Sunday hikers'])
})

test('the space narrows rooms down, and a username finds its person', () => {
  assert.deepEqual(namesFor('ge hik'), ['general'])
  assert.deepEqual(namesFor('gena.w'), ['Gena'])
  assert.deepEqual(namesFor('zzz'), [])
})

test('what is muted calls for nobody, and is found by its name all the same', () => {
  const names = (state: State, typed = '') =>
    foundDestinations(destinations(state), typed, []).map(({ name, mentions }) => [name, mentions])
  assert.deepEqual(names(withNews()), [
    ['mira', 1],
    ['trips', 1],
  ])
  assert.deepEqual(names(withNews('room', 'trips')), [['mira', 1]])
  assert.deepEqual(names(withNews('space', 'space')), [['mira', 1]])
  assert.deepEqual(names(withNews('conversation', 'direct')), [['trips', 1]])
  assert.deepEqual(names(withNews('conversation', 'direct'), 'mira'), [['mira', 0]])
})

/** Somebody spoke to the reader in a room and in a conversation, one of which may be muted. */
function withNews(scope?: NotificationSetting['scope'], id = ''): State {
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
  const places = [
    { room_id: 'trips', conversation_id: null, space_id: 'space', mentions: [me] },
    { room_id: null, conversation_id: 'direct', space_id: null },
  ]
  return places.reduce(
    (state, place) => reduceEvent(state, 'MESSAGE_CREATE', sampleMessage(1, { ...place, author: mira }), 0),
    ready,
  )
}
