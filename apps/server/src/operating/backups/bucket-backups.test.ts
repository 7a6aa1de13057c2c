import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { S3Settings } from '#src/config.ts'
import { newId } from '#src/kernel/ids.ts'
import { backUp, restore, restoreSettings } from '#test/backups/commands.ts'
import { BreakableStorage, breakOff, refuse } from '#test/breakable-storage.ts'
import { makeEmptyDatabase, type TestDatabase } from '#test/database.ts'
import { makeBucket, whyNoS3 } from '#test/object-storage/real-s3.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { placeBucket, placeFile } from '#test/stored-files.ts'
import { contentOf } from './repository.ts'
import { S3Repository } from './s3-repository.ts'

const skip = whyNoS3()

let server: TestServer
let storage: BreakableStorage
let folder: string
let database: TestDatabase

before(async () => {
  storage = await BreakableStorage.start()
  server = await startTestServer({ allowedPrivateHosts: ['127.0.0.1'], services: ['api'] })
})
after(async () => {
  await server.close()
  await storage.close()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-bucket-backups-'))
  database = await makeEmptyDatabase()
})
afterEach(async () => {
  storage.mend()
  await database.drop()
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

function variablesOf(settings: S3Settings): Record<string, string> {
  return {
    BACKUP_S3_ENDPOINT: settings.endpoint,
    BACKUP_S3_REGION: settings.region,
    BACKUP_S3_ACCESS_KEY_ID: settings.accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
    BACKUP_S3_USE_PATH_STYLE: `${settings.usePathStyle}`,
  }
}

test('BACKUP-9: backups in a bucket of a real S3 server are made, listed, verified, deleted and restored', {
  skip,
}, async () => {
  const settings = await makeBucket()
  const place = `s3://${settings.bucketName}/foyer/backups`
  const run = (...args: string[]) => backUp(server, [`--to=${place}`, ...args], { s3: settings })
  await placeFile(server, { tenantId: newId(), bytes: Buffer.alloc(300_000, 'tea') })
  await run()
  const second = await run('--keep=1')
  assert.match(second.lines[1] ?? '', /copied 0\.0 MB/)
  assert.equal((await run('--list')).lines.length, 1)
  assert.match((await run('--verify')).lines[0] ?? '', /can be restored/)
  const env = { ...restoreSettings(join(folder, 'data'), database), ...variablesOf(settings) }
  const { lines } = await restore(env, [`--from=${place}/`])
  assert.match(lines[0] ?? '', /^restored .* 1 files of 0\.3 MB/)
})

test('BACKUP-9: a listing of more objects than a page has is complete', { skip }, async () => {
  const repository = new S3Repository(await makeBucket(), '')
  try {
    const ids = Array.from({ length: 1001 }, () => newId())
    for (let start = 0; start < ids.length; start += 20)
      await Promise.all(
        ids
          .slice(start, start + 20)
          .map((id) => repository.write(`parts/00/${id}`, contentOf(Buffer.from(id)))),
      )
    const listed = await repository.list('parts')
    assert.deepEqual(listed.map(({ name }) => name).sort(), ids.map((id) => `parts/00/${id}`).sort())
    assert.ok(listed.every(({ sizeBytes }) => sizeBytes === 36))
    assert.equal(await repository.read('parts/00/none'), undefined)
    await repository.delete('parts/00/none')
  } finally {
    await repository.close()
  }
})

test('BACKUP-10: a bucket that refuses or is full ends the backup with one sentence, and no backup counts', async () => {
  const to = '--to=s3://breakable/foyer'
  const run = () => backUp(server, [to], { s3: storage.settings })
  const faults = {
    'the storage answered 507': refuse(507, 'QuotaExceeded'),
    'the storage answered 403': refuse(403, 'AccessDenied'),
  }
  for (const [words, fault] of Object.entries(faults)) {
    storage.break(fault, ['PUT'])
    await assert.rejects(
      run(),
      new RegExp(`^Error: the backup bucket s3://breakable/foyer cannot be used: ${words}`),
    )
    storage.mend()
  }
  assert.equal([...storage.objects.keys()].filter((key) => key.includes('snapshots')).length, 0)
})

test("BACKUP-11: with --with-space-buckets files of spaces' own buckets are in, and one that is gone is listed as missing", async () => {
  const spaceId = newId()
  const bucketId = await placeBucket(server, spaceId, storage.settings)
  const kept = await placeFile(server, { tenantId: spaceId, bucketId, bytes: Buffer.from('a kept file') })
  const lost = await placeFile(server, { tenantId: spaceId, bucketId, bytes: Buffer.from('a lost file') })
  const to = join(folder, 'repository')
  const without = await backUp(server, [`--to=${to}`])
  assert.deepEqual(
    without.lines.filter((line) => line.startsWith('missing')),
    [],
  )
  storage.objects.delete(`${lost.tenant_id}/${lost.id}`)
  const { lines, reports } = await backUp(server, [`--to=${to}`, '--with-space-buckets'])
  assert.deepEqual(
    lines.filter((line) => line.startsWith('missing')),
    [`missing: ${lost.tenant_id}/${lost.id}`],
  )
  assert.ok(
    reports.some((line) =>
      line.startsWith(`warning: the file ${lost.tenant_id}/${lost.id} is not backed up`),
    ),
  )

  storage.objects.delete(`${kept.tenant_id}/${kept.id}`)
  const env = { ...restoreSettings(join(folder, 'data'), database), ALLOWED_PRIVATE_HOSTS: '127.0.0.1' }
  const restored = await restore(env, [`--from=${to}`])
  assert.equal(String(storage.objects.get(`${kept.tenant_id}/${kept.id}`)), 'a kept file')
  assert.ok(restored.lines.includes(`missing: ${lost.tenant_id}/${lost.id}`))

  storage.break(breakOff)
  const again = await backUp(server, [`--to=${join(folder, 'second')}`, '--with-space-buckets'])
  assert.equal(again.lines.filter((line) => line.startsWith('missing')).length, 2)
})

test("BACKUP-11: the server's own storage that does not answer ends the backup: it would have no files", async () => {
  const { config } = server.deps
  await placeFile(server, { tenantId: newId(), bytes: Buffer.from('a file of its own') })
  storage.break(breakOff)
  const away = { ...server, deps: { ...server.deps, config: { ...config, s3: storage.settings } } }
  await assert.rejects(
    backUp(away, [`--to=${join(folder, 'repository')}`]),
    /^Error: the server's files cannot be read: /,
  )
})
