import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MUTED_FOR_EVER, type NotificationLevel, notificationLevelOf } from './notifications.ts'

const NOW = Date.parse('2026-05-01T12:00:00.000Z')
const chose = (level: NotificationLevel | null, muted_until: string | null = null) => ({ level, muted_until })
const levelOf = (...chain: Parameters<typeof notificationLevelOf>[0]) =>
  notificationLevelOf(chain, 'mentions', NOW)

test('NOTIFY-5: the nearest level counts, and the fallback without one', () => {
  assert.equal(levelOf(), 'mentions')
  assert.equal(levelOf(undefined, undefined, chose('all')), 'all')
  assert.equal(levelOf(undefined, chose('none'), chose('all')), 'none')
  assert.equal(levelOf(chose('mentions'), chose('none'), chose('all')), 'mentions')
  assert.equal(levelOf(chose(null, '2020-01-01T00:00:00.000Z'), undefined, chose('all')), 'all')
})

test('NOTIFY-5: a muted channel, or one in a muted parent, does not notify until the mute ends', () => {
  assert.equal(levelOf(chose('all'), undefined, chose(null, MUTED_FOR_EVER)), 'none')
  assert.equal(levelOf(chose('all', '2026-05-01T12:00:00.001Z')), 'none')
  assert.equal(levelOf(chose('all', '2026-05-01T12:00:00.000Z')), 'all')
})
