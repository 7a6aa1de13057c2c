import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { backUp, PASSPHRASE } from '#test/backups/commands.ts'
import { createPerson } from '#test/scenes/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { placeFile } from '#test/stored-files.ts'
import { FolderRepository } from './folder-repository.ts'
import { listSnapshots, type Manifest, readManifest } from './manifest.ts'
import { partName } from './repository.ts'
import { openKey } from './repository-key.ts'
import { unsealAll } from './sealed-frames.ts'
import { readPart, sealName } from './table-parts.ts'

let server: TestServer
let folder: string
let whole: string
let to: string
let manifest: Manifest
let snapshot: string
let key: Buffer

before(async () => {
  server = await startTestServer()
  folder = await mkdtemp(join(tmpdir(), 'foyer-damage-'))
  whole = join(folder, 'whole')
  await createPerson(server, 'ada')
  // Several frames, so that they can be swapped.
  await placeFile(server, { tenantId: newId(), bytes: Buffer.alloc(200_000, 'picture') })
  await backUp(server, [`--to=${whole}`])
  const repository = new FolderRepository(whole)
  key = await openKey(repository, { kind: 'passphrase', bytes: Buffer.from(PASSPHRASE) })
  snapshot = (await listSnapshots(repository))[0] ?? ''
  manifest = await readManifest(repository, key, snapshot)
})
after(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})
beforeEach(async () => {
  to = join(folder, newId())
  await cp(whole, to, { recursive: true })
})

const verify = () => backUp(server, [`--to=${to}`, '--verify'])

/** One object of each kind, by the name of its kind. */
function objects(): Record<'manifest' | 'table' | 'file', string> {
  const file = manifest.files.at(-1)?.parts[0] ?? ''
  return { manifest: `snapshots/${snapshot}`, table: partName(tablePart()), file: partName(file) }
}

function tablePart(): string {
  return manifest.tables.find(({ name }) => name === 'users')?.parts[0] ?? ''
}

/** Reads the object as a verification does. That of a table comes to it only after a database was started. */
async function read(kind: string): Promise<unknown> {
  if (kind !== 'table') return verify()
  const vault = { repository: new FolderRepository(to), key }
  return unsealAll(key, sealName(tablePart()), await readPart(vault, tablePart()))
}

test('BACKUP-5: a changed byte is found in each kind of object, at its beginning, in its middle and at its end', async () => {
  for (const [kind, name] of Object.entries(objects())) {
    const path = join(to, name)
    const bytes = await readFile(path)
    for (const at of [0, bytes.length >> 1, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      await writeFile(path, changed)
      await assert.rejects(
        read(kind),
        /^Error: the backup is damaged: .* was changed or cut off$/,
        `${name} at ${at}`,
      )
    }
    await writeFile(path, bytes)
    await read(kind)
  }
})

test('BACKUP-5: an object that was cut off, lengthened, emptied or deleted is found', async () => {
  for (const [kind, name] of Object.entries(objects())) {
    const path = join(to, name)
    const bytes = await readFile(path)
    // Also at the end of a frame, where only the mark of the last one is missing.
    const lengths = [bytes.length - 1, 16 + 65_536 + 16, 16, 0].filter((length) => length < bytes.length)
    const wrong = [
      ...lengths.map((length) => bytes.subarray(0, length)),
      Buffer.concat([bytes, Buffer.of(0)]),
    ]
    for (const changed of wrong) {
      await writeFile(path, changed)
      await assert.rejects(read(kind), /the backup is damaged/, `${name} of ${changed.length}`)
    }
    // A verification may have deleted it.
    await rm(path, { force: true })
    await assert.rejects(read(kind), /the backup is damaged: .* is missing|there is no backup/, name)
    await writeFile(path, bytes)
  }
})

test('BACKUP-5: frames that were swapped, and parts that were exchanged, are found', async () => {
  const { file = '', table = '' } = objects()
  const bytes = await readFile(join(to, file))
  const frame = (index: number) => bytes.subarray(16 + index * 65_552, 16 + (index + 1) * 65_552)
  const swapped = Buffer.concat([bytes.subarray(0, 16), frame(1), frame(0), bytes.subarray(16 + 2 * 65_552)])
  assert.equal(swapped.length, bytes.length)
  await writeFile(join(to, file), swapped)
  await assert.rejects(verify(), /the backup is damaged/)
  await writeFile(join(to, file), await readFile(join(to, table)))
  await assert.rejects(verify(), /the backup is damaged/)
  await writeFile(join(to, file), bytes)
  await writeFile(join(to, table), bytes)
  await assert.rejects(verify(), /the backup is damaged/)
})

test('BACKUP-5: a damaged header is named, and a damaged backup neither lends its files nor loses parts', async () => {
  const path = join(to, `snapshots/${snapshot}`)
  const bytes = await readFile(path)
  await writeFile(path, bytes.subarray(1))
  const parts = async () => (await readdir(join(to, 'parts'), { recursive: true })).length
  const before = await parts()
  await assert.rejects(backUp(server, [`--to=${to}`, '--keep=1']), /the backup is damaged/)
  assert.ok((await parts()) > before, 'nothing was deleted, and the new backup is there')
  assert.equal((await readdir(join(to, 'snapshots'))).length, 2)
  await unlink(path)
  await verify()
  await writeFile(join(to, 'repository.json'), '{"format": 9}')
  await assert.rejects(
    verify(),
    /repository\.json in .* is damaged, or was written by a newer version of Foyer$/,
  )
  await unlink(join(to, 'repository.json'))
  await assert.rejects(backUp(server, [`--to=${to}`]), /has backups, but its repository\.json is missing/)
  assert.ok((await stat(to)).isDirectory())
})
