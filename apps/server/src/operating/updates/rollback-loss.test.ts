import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cloneDatabase, makeEmptyDatabase, type TestDatabase } from '#test/database.ts'
import type { Kept } from './records.ts'
import { describeLoss } from './rollback-loss.ts'
import { withClient } from './server-databases.ts'

const MADE_AT = '2026-03-01T12:00:00.000Z'
const KEPT: Kept = {
  kind: 'before',
  database: 'foyer_before_update',
  version: { version: '1.0.0', commit: null },
  madeAt: new Date(MADE_AT),
  sizeBytes: 1,
}

let database: TestDatabase
before(async () => {
  database = await cloneDatabase()
})
after(() => database.drop())

test('ROLLBACK-1: the versions that have started since the snapshot are named, as an update without one leaves that of an earlier update', async () => {
  const says = await withClient(database.connection, async (client) => {
    await client.query(`insert into versions (version, commit, started_at) values
      ('1.0.0', '', '2026-03-01T11:00:00Z'), ('2.0.0', '', '2026-03-02T11:00:00Z'), ('3.0.0', 'abc', '2026-03-03T11:00:00Z')`)
    return describeLoss(client, KEPT)
  })
  assert.equal(
    says,
    `This goes back to version 1.0.0 and its data of ${MADE_AT}. ` +
      'Started since: version 2.0.0 at 2026-03-02T11:00:00.000Z, version 3.0.0 (commit abc) at 2026-03-03T11:00:00.000Z. ' +
      'This takes away everything written since: 0 messages, 0 accounts and all other changes. ' +
      'npm run rollback -- --undo brings them back.',
  )
})

test('ROLLBACK-1: what cannot be counted is said to be unknown', async (t) => {
  const empty = await makeEmptyDatabase()
  t.after(() => empty.drop())
  const says = await withClient(empty.connection, (client) => describeLoss(client, KEPT))
  assert.match(says, /: an unknown number of messages, an unknown number of accounts and all other changes\./)
})
