import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditActions } from '@foyer/protocol/audit-actions'
import type { AuditLogEntry } from '@foyer/protocol/audit-log'
import { Capability } from '@foyer/protocol/capabilities'
import { Permission } from '@foyer/protocol/permissions'
import { changesOf, isEmpty, restoredBy } from './changes.ts'
import { GENERAL, KIM, sampleEntry, sampleNames, UNKNOWN } from './entry-samples.ts'
import { fieldTexts, hiddenFields, rightFields } from './field-texts.ts'
import type { FieldChange } from './field-values.ts'
import { canUndo, undoText } from './undoing.ts'

type Sides = Partial<Pick<AuditLogEntry, 'before' | 'after' | 'reason'>>

const line = ({ label, before, after }: FieldChange) =>
  `${label}: ${[before, after]
    .filter((side) => side !== null)
    .map(({ text }) => text)
    .join(' → ')}`
const lines = (action: AuditLogEntry['action'], sides: Sides) =>
  changesOf(sampleEntry(action, sides), sampleNames).fields.map(line)

test('AUDIT-22: every field is shown, shown as rights, or known to say nothing', () => {
  const all = new Set(Object.values(auditActions).flat())
  assert.deepEqual(
    [...Object.keys(fieldTexts), ...rightFields, ...hiddenFields].toSorted(),
    [...all].toSorted(),
  )
})

test('AUDIT-22: fields are shown before and after, in words', () => {
  assert.deepEqual(
    lines('room_update', {
      before: { slow_mode_seconds: 0, parent_id: GENERAL, description: null },
      after: { slow_mode_seconds: 300, parent_id: UNKNOWN, description: 'Up' },
    }),
    ['Description: Not set → Up', 'Category: #general → Deleted room', 'Slow mode: Off → 5 minutes'],
  )
  assert.deepEqual(
    lines('space_update', {
      before: { audit_log_days: 90, locale: 'sv', icon: UNKNOWN },
      after: { audit_log_days: null, locale: null, icon: GENERAL },
    }),
    [
      'Picture: Previous picture → New picture',
      'Space language: Swedish → Not set',
      'Entries are kept for: 90 days → Forever',
    ],
  )
})

test('AUDIT-22: colours have a swatch, switches say yes or no', () => {
  const sides = {
    before: { color_from: null, hoisted: false },
    after: { color_from: 0xff8800, hoisted: true },
  }
  const { fields } = changesOf(sampleEntry('role_update', sides), sampleNames)
  assert.deepEqual(
    fields.map(({ after }) => after),
    [{ text: '#ff8800', color: '#ff8800' }, { text: 'Yes' }],
  )
})

test('AUDIT-22: rights of a role are listed by name as added and removed', () => {
  const before = { permissions: Permission.SendMessages, capabilities: 0 }
  const after = { permissions: Permission.ManageRoles, capabilities: Capability.ViewAuditLog }
  const { rights } = changesOf(sampleEntry('role_update', { before, after }), sampleNames)
  assert.deepEqual(rights, { added: ['Manage roles', 'View audit log'], removed: ['Send messages'] })
})

test('AUDIT-22: rights of an overwrite are listed as allowed, denied or inherited', () => {
  const { ViewChannels, SendMessages, ManageMessages } = Permission
  assert.deepEqual(
    lines('overwrite_update', {
      before: { allow_flags: ViewChannels | ManageMessages, deny_flags: SendMessages },
      after: { allow_flags: ManageMessages, deny_flags: ViewChannels },
    }),
    ['View rooms: Allowed → Denied', 'Send messages: Denied → Inherited'],
  )
  const denied = { target_type: 0, allow_flags: 0, deny_flags: ViewChannels }
  assert.deepEqual(lines('overwrite_update', { before: null, after: denied }), [
    'View rooms: Inherited → Denied',
  ])
  assert.deepEqual(lines('overwrite_delete', { before: denied, after: null }), [
    'View rooms: Denied → Inherited',
  ])
})

test('AUDIT-22: the details repeat neither the sentence nor the reason, and leave out unset fields of new things', () => {
  const room = { name: 'tea', type: 0, parent_id: null, description: null, position: 4, slow_mode_seconds: 0 }
  assert.ok(isEmpty(changesOf(sampleEntry('room_create', { after: room }), sampleNames)))
  const ban = { reason: 'Spam', delete_seconds: 3600 }
  assert.deepEqual(lines('ban_create', { after: ban, reason: 'Spam' }), ['Deleted message history: 1 hour'])
  assert.deepEqual(lines('timeout_create', { after: { until: '2026-01-02T12:00:00.000Z' } }), [])
  const renamed = { before: { name: 'tea' }, after: { name: 'coffee' } }
  assert.deepEqual(lines('room_update', renamed), [])
  assert.deepEqual(restoredBy(sampleEntry('room_update', renamed), sampleNames).fields.map(line), [
    'Name: coffee → tea',
  ])
  assert.deepEqual(lines('invite_create', { after: { inviter_id: KIM, max_age: 0, expires_at: null } }), [
    'Expires: Never',
  ])
  assert.deepEqual(lines('ban_create', { after: ban, reason: 'See the rules' }), [
    'Reason: Spam',
    'Deleted message history: 1 hour',
  ])
})

test('AUDIT-23: undoing lists the restored values, without pictures, which are lost', () => {
  const entry = sampleEntry('space_update', {
    before: { name: 'Hikers', icon: UNKNOWN },
    after: { name: 'Climbers', icon: null },
  })
  assert.deepEqual(restoredBy(entry, sampleNames).fields.map(line), ['Name: Climbers → Hikers'])
  assert.equal(undoText(entry, sampleNames), null)
})

test('AUDIT-23: undoing says in a sentence whom it concerns', () => {
  const ban = sampleEntry('ban_create', { target_id: KIM, after: { reason: null } })
  assert.equal(undoText(ban, sampleNames), 'kim will be unbanned.')
  assert.equal(undoText({ ...ban, action: 'ban_delete' }, sampleNames), 'kim will be banned again.')
})

test('AUDIT-23: a timeout that has ended since is not offered', () => {
  const until = '2026-01-02T00:00:00.000Z'
  const given = sampleEntry('timeout_create', { after: { until } })
  const lifted = sampleEntry('timeout_delete', { before: { until } })
  for (const entry of [given, lifted]) {
    assert.equal(canUndo(entry, Date.parse(until) - 1), true)
    assert.equal(canUndo(entry, Date.parse(until)), false)
    assert.equal(canUndo({ ...entry, undone_by: UNKNOWN }, 0), false)
  }
  assert.equal(canUndo(sampleEntry('member_kick')), false)
})
