import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reduceEvent } from '#src/store/reducers.ts'
import { sampleDoor, sampleReady } from '#src/store/samples.ts'
import { initialState } from '#src/store/state.ts'
import { alertsOfRaid, KnownDoors, raidNotice } from './raid-alerts.ts'
import { isRecentRaid } from './recent-raid.ts'

const CLOSED = '2026-03-01T10:00:00.000Z'
const LATER = '2026-03-01T12:00:00.000Z'
const raid = sampleDoor({ closed_at: CLOSED, cause: 'joins' })

test('DOOR-42: the sensor alerts once for each time that it closes the door', () => {
  const doors = new KnownDoors()
  assert.equal(doors.isNewRaid(raid), true)
  assert.equal(doors.isNewRaid({ ...raid, newcomers: 30 }), false)
  assert.equal(doors.isNewRaid({ ...raid, space_id: 'other', cause: 'messages' }), true)
  assert.equal(doors.isNewRaid(sampleDoor()), false)
  assert.equal(doors.isNewRaid({ ...raid, closed_at: LATER }), true)
})

test('DOOR-42: a door that a moderator closed, or that was closed before, causes no alert', () => {
  const doors = new KnownDoors()
  assert.equal(doors.isNewRaid({ ...raid, cause: 'moderator' }), false)
  doors.note([{ id: 'other', door_closed_at: CLOSED }])
  assert.equal(doors.isNewRaid({ ...raid, space_id: 'other' }), false)
})

test('DOOR-42: an alert of a raid follows the settings for mentions in the space', () => {
  const setting = { scope: 'space', id: 'space', level: null, muted_until: null } as const
  const after = (change: object) => {
    const settings = [{ ...setting, ...change }]
    return reduceEvent(initialState, 'READY', sampleReady({ notification_settings: settings }), 0)
  }
  assert.equal(alertsOfRaid(after({ level: 'mentions' }), 'space'), true)
  assert.equal(alertsOfRaid(after({ level: 'none' }), 'space'), false)
  assert.equal(alertsOfRaid(after({ muted_until: LATER }), 'space'), false)
  assert.equal(alertsOfRaid(after({}), 'left'), false)
  const presence = { user_id: 'me', status: 'dnd', custom: null } as const
  assert.equal(alertsOfRaid(reduceEvent(after({}), 'PRESENCE_UPDATE', presence, 0), 'space'), false)
})

test('DOOR-42: the notification says which space it is, why, and leads there', () => {
  const state = reduceEvent(initialState, 'READY', sampleReady(), 0)
  assert.deepEqual(raidNotice(state, raid), {
    title: 'space: the door is closed',
    body: 'Many people joined at once. Decide who may stay.',
    url: '/spaces/space',
    tag: 'raid-space',
    message_id: null,
    isRaid: true,
  })
  const flood = raidNotice(state, { ...raid, cause: 'messages' })
  assert.equal(flood.body, 'New members wrote many messages at once. Decide who may stay.')
})

test('DOOR-43: a notification of an earlier raid does not hide the next one', () => {
  const shown = { data: { shown_at: 1_000_000 } }
  assert.equal(isRecentRaid(shown, 1_060_000), true)
  assert.equal(isRecentRaid(shown, 4_600_000), false)
  assert.equal(isRecentRaid({ data: { url: '/' } }, 1_000_000), false)
})
