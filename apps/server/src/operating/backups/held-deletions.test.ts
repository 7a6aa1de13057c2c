import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { sweepFiles } from '#src/files/objects/sweeper.ts'
import { BACKUP_LOCK } from '#src/kernel/database/backup-lock.ts'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { backUp } from '#test/backups/commands.ts'
import { connectionOf } from '#test/database.ts'
import { listFolderObjects } from '#test/file-consistency.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { placeFile } from '#test/stored-files.ts'

let server: TestServer
let folder: string

before(async () => {
  // No jobs: the minutely sweep would delete what this test sweeps itself.
  server = await startTestServer({ services: ['api'] })
  folder = await mkdtemp(join(tmpdir(), 'foyer-held-'))
})
after(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

test('BACKUP-13: files are not deleted during a backup, and afterwards they are; a second backup is refused', async () => {
  const file = await placeFile(server, {
    tenantId: newId(),
    state: 'deleted',
    bytes: Buffer.from('an object'),
  })
  await server.deps.database.execute(sql`
    update attachments set sweep_at = now() - interval '1 second' where id = ${file.id}`)
  const sweep = () => sweepFiles({ ...server.deps, objectTimeoutMs: 1000 }, new AbortController().signal)
  const isThere = async () => (await listFolderObjects(server)).has(`${file.tenant_id}/${file.id}`)
  const running = new pg.Client(await connectionOf(server))
  await running.connect()
  await running.query('select pg_advisory_lock($1)', [BACKUP_LOCK])
  await sweep()
  assert.equal(await isThere(), true)
  await assert.rejects(backUp(server, [`--to=${join(folder, 'repository')}`]), {
    message: 'another backup of this server is running',
  })
  await running.end()
  await sweep()
  assert.equal(await isThere(), false)
})
