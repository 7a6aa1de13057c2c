import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { backUp, restoreSettings } from '#test/backups/commands.ts'
import { runCommand } from '#test/backups/processes.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { makeSmallDisk, withoutSmallDisks } from '#test/small-disk.ts'
import { placeFile } from '#test/stored-files.ts'

const skip = withoutSmallDisks

let server: TestServer
let folder: string

before(async () => {
  server = await startTestServer()
  folder = await mkdtemp(join(tmpdir(), 'foyer-full-disks-'))
})
after(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

test('BACKUP-10: a full disk ends the backup with one sentence, and the earlier backup stays whole', {
  skip,
}, async (t) => {
  const disk = makeSmallDisk(3_000_000)
  t.after(() => disk.remove())
  const to = `--to=${disk.folder}`
  await backUp(server, [to])
  for (let index = 0; index < 4; index += 1)
    await placeFile(server, { tenantId: newId(), bytes: Buffer.alloc(1_000_000, index) })
  await assert.rejects(backUp(server, [to]), {
    message: `the folder ${disk.folder} cannot be used: its disk is full`,
  })
  assert.equal((await readdir(join(disk.folder, 'snapshots'))).length, 1)
  assert.deepEqual(await readdir(join(disk.folder, 'unfinished')), [])
  assert.match((await backUp(server, [to, '--verify'])).lines[0] ?? '', /can be restored/)
})

test('RESTORE-8: a full disk ends the restore with an error, and leaves DATA_DIR empty for the next', {
  skip,
}, async (t) => {
  const to = join(folder, 'repository')
  await placeFile(server, { tenantId: newId(), bytes: Buffer.alloc(1_000_000, 1) })
  await backUp(server, [`--to=${to}`])
  for (const sizeBytes of [20_000_000, 55_000_000]) {
    const disk = makeSmallDisk(sizeBytes)
    t.after(() => disk.remove())
    const { code, errors } = await runCommand('restore', restoreSettings(disk.folder), [`--from=${to}`])
    assert.equal(code, 1, errors)
    assert.notEqual(errors, '')
    assert.deepEqual(
      (await readdir(disk.folder)).filter((name) => name !== 'lock'),
      [],
      errors,
    )
  }
})
