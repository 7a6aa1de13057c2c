import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statusOf, statusText } from './presences.ts'
import { reduceEvent, reduceLocal } from './reducers.ts'
import { sampleReady, sampleUser } from './samples.ts'
import { initialState, type State } from './state.ts'

const friends = [{ user: sampleUser('ada'), since: '2026-01-01T00:00:00.000Z' }]
const ada = { user_id: 'ada', status: 'idle', custom: 'Back at three' } as const

function ready(): State {
  return reduceEvent(initialState, 'READY', sampleReady({ friends, presences: [ada] }), 0)
}

test('READY has the presences; other friends are offline, and the status of strangers is unknown', () => {
  const state = ready()
  assert.deepEqual(
    ['ada', 'me', 'eve'].map((id) => statusOf(state, id)),
    ['idle', 'offline', undefined],
  )
})

test('presences are updated, and RESUMED replaces them', () => {
  const gone = reduceEvent(ready(), 'PRESENCE_UPDATE', { ...ada, status: 'offline', custom: null }, 0)
  assert.equal(statusOf(gone, 'ada'), 'offline')
  const back = reduceEvent(gone, 'PRESENCE_UPDATE', { ...ada, status: 'dnd' }, 0)
  assert.equal(statusOf(back, 'ada'), 'dnd')
  const resumed = reduceEvent(back, 'RESUMED', { replayed: 0, presences: [] }, 0)
  assert.equal(statusOf(resumed, 'ada'), 'offline')
})

test('the status text of a presence replaces the one of the profile', () => {
  const user = { ...sampleUser('ada'), custom: 'Gardening' }
  const state = reduceEvent(ready(), 'USER_UPDATE', user, 0)
  assert.equal(statusText(state, user), 'Back at three')
  const plain = reduceEvent(state, 'PRESENCE_UPDATE', { ...ada, custom: null }, 0)
  assert.equal(statusText(plain, user), 'Gardening')
})

test('the presences of visible list entries are known while visible, including offline', () => {
  const eve = { user_id: 'eve', status: 'dnd', custom: 'Busy' } as const
  const bob = { user_id: 'bob', status: 'offline', custom: null } as const
  const listed = reduceLocal(ready(), 'members_glimpsed', [eve, bob], 0)
  const seen = (state: State) => ['eve', 'bob', 'ada', 'zoe'].map((id) => statusOf(state, id))
  assert.deepEqual(seen(listed), ['dnd', 'offline', 'idle', undefined])
  assert.equal(statusText(listed, sampleUser('eve')), 'Busy')
  const gone = reduceEvent(listed, 'PRESENCE_UPDATE', { ...eve, status: 'offline', custom: null }, 0)
  const came = reduceEvent(gone, 'PRESENCE_UPDATE', { ...bob, status: 'online' }, 0)
  const passing = reduceEvent(came, 'PRESENCE_UPDATE', { ...bob, user_id: 'zoe', status: 'online' }, 0)
  assert.deepEqual(seen(passing), ['offline', 'online', 'idle', undefined])
  assert.deepEqual(seen(reduceLocal(passing, 'members_glimpsed', [], 0)), [
    undefined,
    undefined,
    'idle',
    undefined,
  ])
})
