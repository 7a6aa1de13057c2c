import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { backUp, PASSPHRASE, restore, restoreSettings } from '#test/backups/commands.ts'
import { runCommand } from '#test/backups/processes.ts'
import { makeEmptyDatabase, type TestDatabase } from '#test/database.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { type PlacedFile, placeFile } from '#test/stored-files.ts'
import { FolderRepository } from './folder-repository.ts'
import { listSnapshots, type Manifest, readManifest } from './manifest.ts'
import { partName } from './repository.ts'
import { openKey } from './repository-key.ts'

let server: TestServer
let folder: string
let to: string
let database: TestDatabase
let kept: PlacedFile
let damaged: PlacedFile

before(async () => {
  server = await startTestServer({ services: ['api'] })
  kept = await placeFile(server, { tenantId: newId(), bytes: Buffer.alloc(1000, 'kept') })
  damaged = await placeFile(server, { tenantId: newId(), bytes: Buffer.alloc(200_000, 'damaged') })
})
after(() => server.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-repairs-'))
  to = join(folder, 'repository')
  database = await makeEmptyDatabase()
  await backUp(server, [`--to=${to}`])
})
afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

const keyOf = ({ tenant_id, id }: PlacedFile) => `${tenant_id}/${id}`

async function newestManifest(): Promise<Manifest> {
  const repository = new FolderRepository(to)
  const key = await openKey(repository, { kind: 'passphrase', bytes: Buffer.from(PASSPHRASE) })
  return readManifest(repository, key, (await listSnapshots(repository)).at(-1) ?? '')
}

/** Returns the path of the only part of a file in the newest backup. */
async function partOf(file: PlacedFile): Promise<string> {
  const entry = (await newestManifest()).files.find(({ key }) => key === keyOf(file))
  return join(to, partName(entry?.parts[0] ?? ''))
}

async function changeByte(path: string): Promise<void> {
  const bytes = await readFile(path)
  bytes[100] = (bytes[100] ?? 0) ^ 1
  await writeFile(path, bytes)
}

test('RESTORE-9: a damaged part of a file does not keep back the rest, is listed, and shows in the exit code', async () => {
  await changeByte(await partOf(damaged))
  const { lines, reports, isWhole } = await restore(restoreSettings(join(folder, 'data'), database), [
    `--from=${to}`,
  ])
  assert.equal(isWhole, false)
  assert.ok(lines.includes(`missing: ${keyOf(damaged)}`), lines.join('\n'))
  assert.ok(reports.some((line) => line.startsWith(`warning: the file ${keyOf(damaged)} is not restored: `)))
  const files = await readdir(join(folder, 'data', 'files'), { recursive: true })
  assert.deepEqual([files.includes(keyOf(kept)), files.includes(keyOf(damaged))], [true, false])
  const { code, output } = await runCommand('restore', restoreSettings(join(folder, 'other')), [
    `--from=${to}`,
  ])
  assert.deepEqual([code, /^restored /.test(output)], [2, true])
})

test('RESTORE-9: a damaged part of a table ends the restore', async () => {
  const table = (await newestManifest()).tables.find(({ name }) => name === 'attachments')
  await changeByte(join(to, partName(table?.parts[0] ?? '')))
  await assert.rejects(
    restore(restoreSettings(join(folder, 'data'), database), [`--from=${to}`]),
    /the backup is damaged/,
  )
})

test('BACKUP-14: a part that was cut off or is missing is copied again by the next backup', async () => {
  for (const spoil of [(path: string) => truncate(path, 150_000), (path: string) => rm(path)]) {
    const part = await partOf(damaged)
    await spoil(part)
    assert.match((await backUp(server, [`--to=${to}`])).lines[1] ?? '', /copied 0\.2 MB/)
    assert.notEqual(await partOf(damaged), part)
    assert.match((await backUp(server, [`--to=${to}`, '--verify'])).lines[0] ?? '', /can be restored/)
    assert.match((await backUp(server, [`--to=${to}`, '--keep=1'])).lines[1] ?? '', /copied 0\.0 MB/)
  }
})

test('BACKUP-14: --verify deletes the damaged part of a file, and the next backup copies the file again', async () => {
  const [part, whole] = [await partOf(damaged), await partOf(kept)]
  await changeByte(part)
  await assert.rejects(backUp(server, [`--to=${to}`, '--verify']), /the backup is damaged/)
  await assert.rejects(stat(part), { code: 'ENOENT' })
  assert.ok((await stat(whole)).isFile())
  assert.match((await backUp(server, [`--to=${to}`])).lines[1] ?? '', /copied 0\.2 MB/)
  assert.match((await backUp(server, [`--to=${to}`, '--verify'])).lines[0] ?? '', /can be restored/)
})
