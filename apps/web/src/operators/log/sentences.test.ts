import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OperatorAction, OperatorLogEntry } from '@foyer/protocol/operators'
import { plainSentence } from '#src/spaces/settings/audit-log/entries/sentences.ts'
import { sampleUser } from '#src/store/samples.ts'
import { changesOf } from './changes.ts'
import { type NamedEntry, namedEntries } from './log-entries.ts'
import { actionLabels, sentenceOf } from './sentences.ts'

const ADA = '01890000-0000-7000-8000-000000000001'
const BOB = '01890000-0000-7000-8000-000000000002'
const SPACE = '01890000-0000-7000-8000-000000000003'
const users = [sampleUser(ADA, { username: 'ada' }), sampleUser(BOB, { username: 'bob' })]

/** Ids, names of fields and data that was not formatted. */
const RAW = /[0-9a-f]{8}-[0-9a-f]{4}|[a-z]+_[a-z]+|[{}[\]]|undefined|null|NaN|Invalid/

function entryOf(action: OperatorAction, change: Partial<OperatorLogEntry> = {}): OperatorLogEntry {
  return {
    id: '01890000-0000-7000-8000-000000000009',
    actor_id: ADA,
    action,
    target_type: 'user',
    target_id: BOB,
    target_name: 'bob',
    details: {},
    reason: null,
    created_at: '2026-03-01T10:00:00.000Z',
    ...change,
  }
}

function named(action: OperatorAction, change: Partial<OperatorLogEntry> = {}): NamedEntry {
  const [first] = namedEntries({ entries: [entryOf(action, change)], users })
  assert.ok(first !== undefined)
  return first
}

const said = (action: OperatorAction, change: Partial<OperatorLogEntry> = {}) =>
  plainSentence(sentenceOf(named(action, change)))

const rules = { mode: 'open', question: null, domains: [] }

for (const [action] of actionLabels)
  test(`OPERATOR-43: ${action} has a sentence and details without ids or raw data`, () => {
    const details = { before: rules, after: { mode: 'closed', question: 'Who?', domains: ['a.example'] } }
    const entry = named(action, { details: { ...details, max_uses: 0, max_age: 604_800 } })
    const fields = changesOf(entry.entry).flatMap(({ label, before, after }) => [
      label,
      before?.text ?? '',
      after?.text ?? '',
    ])
    for (const text of [plainSentence(sentenceOf(entry)), ...fields]) assert.doesNotMatch(text, RAW)
    assert.match(plainSentence(sentenceOf(entry)), /^ada /)
  })

test('OPERATOR-43: the filter offers every action once, under its own name', () => {
  assert.equal(new Set(actionLabels.map(([action]) => action)).size, actionLabels.length)
  assert.equal(new Set(actionLabels.map(([, label]) => label)).size, actionLabels.length)
})

test('OPERATOR-43: a sentence names who did what to whom', () => {
  assert.equal(said('user_lock'), 'ada locked the account of bob')
  assert.equal(
    said('space_freeze', { target_type: 'space', target_id: SPACE, target_name: 'Hikers' }),
    'ada froze the space Hikers',
  )
  assert.equal(said('user_lock', { actor_id: null }), 'The command line locked the account of bob')
  assert.equal(said('operator_grant', { actor_id: null }), 'The command line made bob an administrator')
  const details = { provider: 'Main login' }
  const byGroup = said('operator_revoke', { actor_id: null, details })
  assert.equal(byGroup, 'Main login removed bob as administrator')
  assert.equal(
    said('operator_grant', { actor_id: null, details: { first: true } }),
    'The server made bob an administrator',
  )
  assert.equal(said('operator_revoke'), 'ada removed bob as administrator')
  assert.equal(
    said('operator_revoke', { target_id: ADA, target_name: 'ada' }),
    'ada stepped down as administrator',
  )
  const invite = { target_type: 'invite', target_id: SPACE, target_name: null } as const
  assert.equal(said('invite_create', invite), 'ada created an invite to this server')
  assert.equal(
    said('invite_create', { ...invite, target_name: 'the choir' }),
    'ada created an invite to this server for the choir',
  )
})

test('OPERATOR-43: of a deleted account there is no name', () => {
  const gone = { target_id: SPACE, target_name: null }
  assert.equal(said('user_delete', gone), 'ada deleted an account')
  assert.equal(said('user_lock', { actor_id: SPACE }), 'Deleted account locked the account of bob')
})

test('OPERATOR-43: a change of the rules says which one changed, with both sides in words', () => {
  const change = (after: Record<string, unknown>) => ({
    target_type: 'server' as const,
    target_id: null,
    target_name: null,
    details: { before: rules, after: { ...rules, ...after } },
  })
  assert.equal(said('registration_update', change({ mode: 'invite' })), 'ada changed who can sign up')
  assert.equal(
    said('registration_update', change({ question: 'Who?' })),
    'ada changed the question for applicants',
  )
  assert.equal(
    said('registration_update', change({ domains: ['a.example'] })),
    'ada changed the accepted email domains',
  )
  const both = change({ mode: 'invite', domains: ['a.example', 'b.example'] })
  assert.equal(said('registration_update', both), 'ada changed the rules for sign-ups')
  assert.deepEqual(changesOf(entryOf('registration_update', both)), [
    {
      label: 'Who can create an account',
      before: { text: 'Anyone' },
      after: { text: 'People with an invite' },
    },
    { label: 'Email domains', before: { text: 'all' }, after: { text: 'a.example and b.example' } },
  ])
})

test('REPORT-13: closing a report is said with its result', () => {
  const report = { target_type: 'report', target_name: null } as const
  assert.equal(
    said('report_close', { ...report, details: { result: 'acted', count: 1 } }),
    'ada decided on a report: action was taken',
  )
  assert.equal(
    said('report_close', { ...report, details: { result: 'no_violation', count: 2 } }),
    'ada decided on a report: no rules were broken',
  )
})
