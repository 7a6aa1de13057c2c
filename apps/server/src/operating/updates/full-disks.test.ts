import assert from 'node:assert/strict'
import { statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type pg from 'pg'
import { migrateUnfinished } from '#src/kernel/database/migrate.ts'
import { launchPostgres } from '#src/postgres/launch.ts'
import { makeSmallDisk, withoutSmallDisks } from '#test/small-disk.ts'
import { until } from '#test/until.ts'
import { ask, listBeside, listMigrations, listOld } from '#test/updates/old-databases.ts'
import { updateOf } from '#test/updates/updates.ts'
import { migrateSafely } from './updating.ts'

const DISK_BYTES = 200_000_000
/** More of them are for a machine with time. */
const DISKS = Number(process.env.UPDATE_DISKS ?? 5)
/** Space with which the update succeeds. */
const ENOUGH_BYTES = 14_000_000

test('UPDATE-5: on a disk that is too full for the copy nothing changes, and the sentence says what to do', {
  skip: withoutSmallDisks,
}, async (t) => {
  const disk = makeSmallDisk(DISK_BYTES)
  t.after(() => disk.remove())
  const settings = { fsync: 'off', max_wal_size: '48MB', min_wal_size: '32MB' }
  const postgres = await launchPostgres({ dataDir: disk.folder, log: () => undefined, settings })
  t.after(() => postgres.stop())
  const { connection } = postgres
  await migrateUnfinished({ ...connection }, await listOld())
  // Files on the disk need no more space when they are copied.
  await ask({ ...connection }, 'checkpoint')
  const oldNames = await listMigrations({ ...connection })
  await assert.rejects(
    withFree(disk.folder, 2_000_000, () =>
      migrateSafely(updateOf({ ...connection }, { dataDir: disk.folder })),
    ),
    /^Error: The update is tried on a copy of the database, which takes .* MB, and the disk of DATA_DIR has 2\.. MB free: nothing has changed; free disk space, or set UPDATE_SNAPSHOT_DAYS=0/,
  )
  for (let round = 0; round < DISKS; round += 1) {
    const bytes = Math.round((ENOUGH_BYTES * (round + Math.random())) / DISKS)
    // Without the look at the free space, which another program can take at any moment.
    const failure = await withFree(disk.folder, bytes, () =>
      failureOf(migrateSafely(updateOf({ ...connection }))),
    )
    // A write-ahead log without space ends PostgreSQL, which starts again by itself, and refuses connections until it has.
    await until(() => isReady(connection), 'the database is ready again')
    if (failure === undefined) break
    t.diagnostic(`${bytes} bytes: ${failure}`)
    assert.match(
      failure,
      /nothing has changed; .*free disk space|The database went away/,
      `with ${bytes} bytes`,
    )
    assert.deepEqual(await listMigrations({ ...connection }), oldNames, `with ${bytes} bytes`)
  }
  await migrateSafely(updateOf({ ...connection }, { dataDir: disk.folder }))
  assert.ok((await listMigrations({ ...connection })).length > oldNames.length)
  assert.deepEqual(await listBeside({ ...connection }), ['_before_update'])
  assert.equal((await ask({ ...connection }, 'select from users')).length, 0)
})

function isReady(connection: pg.ClientConfig): Promise<boolean> {
  return ask({ ...connection }, 'select 1').then(
    () => true,
    () => false,
  )
}

/** Runs the work while all but so much of the disk is taken. */
async function withFree<Result>(folder: string, bytes: number, work: () => Promise<Result>): Promise<Result> {
  const { bavail, bsize } = await statfs(folder)
  const filler = join(folder, 'filler')
  await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - bytes)))
  return work().finally(() => writeFile(filler, ''))
}

function failureOf(work: Promise<void>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => String(error),
  )
}
