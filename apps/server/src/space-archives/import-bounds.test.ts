import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { MAX_IMAGE_BYTES } from '@foyer/protocol/limits'
import type { SpaceImport } from '@foyer/protocol/space-imports'
import { ApiError } from '#src/kernel/errors.ts'
import { FormSpace } from '#src/kernel/http/bodies/form-space.ts'
import { newId } from '#src/kernel/ids.ts'
import { FreeDisk } from '#src/kernel/storage/free-disk.ts'
import { archiveOf } from '#test/scenes/hostile-archives.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import {
  archivedMessage,
  archivedSpace,
  archivesOf,
  type Entries,
  entriesOf,
  withManifest,
  zipOf,
} from '#test/scenes/space-archives.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { runImport } from './imports/running.ts'

let server: TestServer
let ada: Person
let count = 0

before(async () => {
  // Without a worker, so that tests run the jobs themselves.
  server = await startOwnServer({
    services: ['api', 'gateway'],
    spaceImportMessages: 3,
    uploadLimitBytes: 20_000_000,
    includedStorageBytes: 12_000_000,
  })
})
after(() => server.close())
beforeEach(async () => {
  count += 1
  ada = await createPerson(server, `ada${count}`)
})

type Running = Parameters<typeof runImport>[0]

async function run(archive: Buffer, changes: Partial<Running> = {}, maxRunMs?: number): Promise<SpaceImport> {
  const { id } = await archivesOf(ada).import(new Blob([new Uint8Array(archive)]))
  await runImport({ ...server.deps, ...changes }, id, new AbortController().signal, maxRunMs)
  return archivesOf(ada).getImport(id)
}

const fileOf = (id: string) => ({
  id,
  filename: 'a.txt',
  content_type: 'text/plain',
  size_bytes: 1,
  description: null,
})

/** Archives the bytes as files of a message, with checksums that do not fit: whoever unpacks one, fails. */
async function damaged(sizes: readonly number[], whole: readonly number[] = []): Promise<Buffer> {
  const files = [...whole, ...sizes].map((size): [string, Buffer] => [newId(), Buffer.alloc(size, 'x')])
  const message = archivedMessage({ attachments: files.map(([id]) => fileOf(id)) })
  const named = files.map(([id, bytes]): [string, Buffer] => [`files/${id}`, bytes])
  const entries = withManifest(entriesOf(archivedSpace(), [message], named))
  const changed = named.slice(whole.length).map(([name, bytes]): [string, Buffer] => {
    return [name, Buffer.alloc(bytes.length, 'y')]
  })
  return zipOf(new Map([...entries, ...changed]) satisfies Entries)
}

test('SPACE-IMPORT-7: files over UPLOAD_LIMIT_BYTES are left out before they are unpacked', async () => {
  const { state, result } = await run(await damaged([20_000_001]))
  assert.deepEqual([state, result?.left_out.files], ['done', 1])
})

test('SPACE-IMPORT-7: once a file had no room, larger ones are left out before they are unpacked', async () => {
  const { state, result } = await run(await damaged([13_000_001], [13_000_000, 5]))
  assert.deepEqual([state, result?.files, result?.left_out.files], ['done', 1, 2])
})

test('SPACE-IMPORT-7: pictures over 10 MiB are left out, and an icon counts as one', async () => {
  const id = newId()
  const large = Buffer.alloc(MAX_IMAGE_BYTES + 1)
  const archive = await archiveOf(
    archivedSpace({ emojis: [{ id, name: 'tea' }] }),
    [],
    [
      ['pictures/icon', large],
      [`emojis/${id}`, large],
    ],
  )
  const { state, result } = await run(archive)
  assert.deepEqual([state, result?.left_out.images], ['done', 2])
})

test('SPACE-IMPORT-8: a disk that is too full ends the import, before and between messages', async () => {
  const archive = await archiveOf(archivedSpace(), [archivedMessage()])
  const folder = server.deps.tempFolder
  const full = new FormSpace(folder, new FreeDisk(server.deps.config.dataDir, Number.MAX_SAFE_INTEGER))
  assert.equal((await run(archive, { formSpace: full })).failure?.code, 'disk_full')
  // Others fill the disk while the import runs.
  const filling = {
    checkDisk: async (sizeBytes: number) => {
      if (sizeBytes === 0) throw new ApiError('disk_full')
    },
  }
  const { state, failure } = await run(archive, { formSpace: filling })
  assert.deepEqual([state, failure?.code], ['failed', 'disk_full'])
})

test('SPACE-IMPORT-8: more messages than SPACE_IMPORT_MESSAGES are refused, announced or not', async () => {
  const messages = Array.from({ length: 4 }, () => archivedMessage())
  const silent = await run(await archiveOf(archivedSpace(), messages))
  assert.match(silent.failure?.message ?? '', /it has more than the 3 messages/)
  const entries = withManifest(entriesOf(archivedSpace(), messages.slice(1)))
  const manifest = JSON.parse(`${entries.get('manifest.json')}`)
  const told = JSON.stringify({ ...manifest, counts: { ...manifest.counts, messages: 4 } })
  const announced = await run(await zipOf(new Map([...entries, ['manifest.json', told]])))
  assert.match(announced.failure?.message ?? '', /it has more than the 3 messages/)
  assert.equal((await run(await zipOf(entries))).state, 'done')
})

test('SPACE-IMPORT-8: an import that takes too long has failed, and is not begun again', async () => {
  const archive = await archiveOf(archivedSpace(), [archivedMessage()])
  const { state, failure } = await run(archive, {}, 0)
  assert.deepEqual([state, failure?.message], ['failed', 'the import took too long'])
  assert.deepEqual(await ada.client.users.listSpaces(), [])
})
