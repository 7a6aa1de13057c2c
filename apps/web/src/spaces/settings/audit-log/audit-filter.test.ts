import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterOf, noFilter, passes } from './audit-filter.ts'
import { GENERAL, KIM, MIRA, sampleEntry } from './entries/entry-samples.ts'
import { emptyLog, withEntry, withPage } from './log-entries.ts'

const entry = sampleEntry('ban_create')

test('AUDIT-20: a filter without choices asks for everything', () => {
  assert.deepEqual(filterOf(noFilter), {})
  assert.ok(passes(entry, {}))
})

test('AUDIT-20: an entry passes if every chosen filter accepts it', () => {
  const mine = filterOf({ ...noFilter, actorId: MIRA, targetId: KIM, action: 'ban_create' })
  assert.ok(passes(entry, mine))
  for (const other of [{ actor_id: KIM }, { target_id: MIRA }, { action: 'ban_delete' as const }])
    assert.equal(passes({ ...entry, ...other }, mine), false)
})

test('AUDIT-20: days are whole days of the user, the last one included', () => {
  const filter = filterOf({ ...noFilter, from: '2026-03-01', to: '2026-03-01' })
  const at = (time: string) => passes({ ...entry, created_at: new Date(time).toISOString() }, filter)
  assert.deepEqual(['2026-02-28T23:59', '2026-03-01T00:00', '2026-03-01T23:59', '2026-03-02T00:00'].map(at), [
    false,
    true,
    true,
    false,
  ])
})

test('AUDIT-20: a new entry appears once at the top, and marks the entry that it undoes', () => {
  const [older, newer] = [
    { ...entry, id: 'a' },
    { ...entry, id: 'b', undoes: 'a' },
  ]
  const log = withPage(emptyLog, { entries: [older], users: [] })
  const undone = withEntry(withEntry(log, newer, true), newer, true)
  assert.deepEqual(
    undone.entries.map(({ id, undone_by }) => [id, undone_by]),
    [
      ['b', null],
      ['a', 'b'],
    ],
  )
  assert.deepEqual(
    withEntry(log, newer, false).entries.map(({ undone_by }) => undone_by),
    ['b'],
  )
})

test('AUDIT-20: the log is complete after a page that is not full', () => {
  const page = { entries: [entry, { ...entry, id: GENERAL }], users: [] }
  assert.equal(withPage(emptyLog, page, 2).isComplete, false)
  assert.equal(withPage(emptyLog, page, 3).isComplete, true)
})
