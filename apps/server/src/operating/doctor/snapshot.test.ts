import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Config, readConfig } from '#src/config.ts'
import { migrateSafely } from '#src/operating/updates/updating.ts'
import { urlOf } from '#test/database.ts'
import { copyOf, makeOldDatabase } from '#test/updates/old-databases.ts'
import { updateOf } from '#test/updates/updates.ts'
import { examineSnapshot } from './snapshot.ts'

test('DOCTOR-8: the doctor shows the snapshot, how to return to it, and until when', async (t) => {
  const old = await makeOldDatabase()
  t.after(() => old.drop())
  const database = await copyOf(old)
  t.after(() => database.drop())
  const look = (changes: Partial<Config> = {}) =>
    examineSnapshot({ ...readConfig({ DATABASE_URL: urlOf(database) }), ...changes }, true)
  assert.deepEqual(await look(), {
    what: 'update snapshot',
    verdict: 'good',
    says: 'there is none: an update keeps the database from before it',
  })
  assert.equal((await look({ updateSnapshotDays: 0 })).verdict, 'note')
  await migrateSafely(updateOf(database.connection))
  const { verdict, says } = await look()
  assert.equal(verdict, 'good')
  const found =
    /^npm run rollback goes back to the version that ran before and its data of (?<from>\S+Z), until (?<until>\S+Z); it takes up to \d+\.\d MB$/.exec(
      says,
    )
  const [from, until] = [found?.groups?.from ?? '', found?.groups?.until ?? '']
  assert.equal(Date.parse(until) - Date.parse(from), 7 * 86_400_000)
  const absent = await examineSnapshot(readConfig({ DATA_DIR: '/nowhere' }), false)
  assert.equal(absent.verdict, 'note')
})
