import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MUTED_FOR_EVER, type NotificationSetting } from '@foyer/protocol/notifications'
import { RoomType } from '@foyer/protocol/rooms'
import { isChannelMuted, levelAbove, nextMuteEnd, notificationLevel } from './notification-settings.ts'
import { reduceEvent, reduceLocal } from './reducers.ts'
import { sampleMessage, sampleReady, sampleRoom, sampleSpace, sampleUser } from './samples.ts'
import {
  isAnyUnread,
  isSpaceUnread,
  mutedMentionCount,
  notifyingCount,
  showsUnread,
  spaceMentionCount,
} from './selectors.ts'
import { initialState, type State } from './state.ts'

const NOW = Date.parse('2026-05-01T12:00:00.000Z')
const inMinutes = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString()
const me = sampleUser('me')

test('a room inherits from its category, that from its space, whose default is mentions', () => {
  const levels = (...settings: NotificationSetting[]) => notificationLevel(chosen(...settings), 'room')
  const space = setting('space', 'space', { level: 'all' })
  const category = setting('room', 'category', { level: 'none' })
  assert.equal(levels(), 'mentions')
  assert.equal(levels(space), 'all')
  assert.equal(levels(space, category), 'none')
  assert.equal(levels(space, category, setting('room', 'room', { level: 'mentions' })), 'mentions')
  const state = chosen(space, setting('room', 'room', { level: 'none' }))
  assert.deepEqual([levelAbove(state, 'room'), levelAbove(state, 'space')], ['all', 'mentions'])
})

const places = ['room', 'category', 'space'] as const

for (const place of places) {
  test(`channels muted by their ${place} show nothing as unread, and count mentions silently`, () => {
    const muted = setting(place === 'space' ? 'space' : 'room', place, { muted_until: MUTED_FOR_EVER })
    const states = [chosen(), chosen(muted)].map(withMention)
    assert.deepEqual(
      states.map((state) => [
        showsUnread(state, 'room'),
        isSpaceUnread(state, 'space'),
        isAnyUnread(state),
        notifyingCount(state),
        spaceMentionCount(state, 'space'),
        mutedMentionCount(state, 'space'),
      ]),
      [
        [true, true, true, 1, 1, 0],
        [false, false, false, 0, 0, 1],
      ],
    )
  })
}

test('a mute ends when it expires, even if it had expired before it was received', () => {
  const short = setting('room', 'room', { muted_until: inMinutes(15) })
  const long = setting('space', 'space', { muted_until: inMinutes(60) })
  const state = chosen(short, long)
  assert.equal(nextMuteEnd(state), NOW + 15 * 60_000)
  const early = reduceLocal(state, 'mutes_ended', null, NOW + 14 * 60_000)
  assert.equal(early, state)
  const later = reduceLocal(state, 'mutes_ended', null, NOW + 15 * 60_000)
  assert.deepEqual(Object.keys(later.notificationSettings), ['space'])
  const last = reduceLocal(later, 'mutes_ended', null, NOW + 61 * 60_000)
  assert.deepEqual([isChannelMuted(state, 'room'), isChannelMuted(last, 'room')], [true, false])
  assert.equal(nextMuteEnd(last), Number.POSITIVE_INFINITY)
  assert.equal(isChannelMuted(chosen(setting('room', 'room', { muted_until: inMinutes(-1) })), 'room'), false)
})

test('the level of a setting stays when its mute ends', () => {
  const state = chosen(setting('room', 'room', { level: 'all', muted_until: inMinutes(1) }))
  const later = reduceLocal(state, 'mutes_ended', null, NOW + 60_000)
  assert.deepEqual(later.notificationSettings.room, setting('room', 'room', { level: 'all' }))
})

test('another client of the user changes a setting, and resets it', () => {
  const muted = receive(chosen(), setting('room', 'room', { muted_until: MUTED_FOR_EVER }))
  assert.equal(isChannelMuted(muted, 'room'), true)
  assert.deepEqual(receive(muted, setting('room', 'room', {})).notificationSettings, {})
})

function setting(
  scope: NotificationSetting['scope'],
  id: string,
  change: Partial<NotificationSetting>,
): NotificationSetting {
  return { scope, id, level: null, muted_until: null, ...change }
}

function chosen(...notification_settings: NotificationSetting[]): State {
  const category = sampleRoom('category', { type: RoomType.Category })
  const rooms = [category, sampleRoom('room', { parent_id: 'category' })]
  const ready = sampleReady({ spaces: [sampleSpace('space', { rooms })], notification_settings })
  return reduceEvent(initialState, 'READY', ready, NOW)
}

function receive(state: State, changed: NotificationSetting): State {
  return reduceEvent(state, 'NOTIFICATION_SETTING_UPDATE', changed, NOW)
}

function withMention(state: State): State {
  return reduceEvent(state, 'MESSAGE_CREATE', sampleMessage(1, { mentions: [me] }), NOW)
}
