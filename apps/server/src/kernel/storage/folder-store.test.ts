import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { newKey, putBytes, readBytes } from '#test/object-storage/objects.ts'
import { SECRET_KEY } from '#test/object-storage/store-kinds.ts'
import { linkOrCopy } from './durable-files.ts'
import { FolderStore } from './folder-store.ts'

const run = promisify(execFile)
const programs = join(import.meta.dirname, '../../../test/object-storage')

let folder: string
let store: FolderStore
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-test-store-'))
  store = new FolderStore({ folder, secretKey: SECRET_KEY })
})
after(() => rm(folder, { recursive: true, force: true }))

/** All files below the folder, of objects and of what is on its way to one. */
async function filesIn(place: string): Promise<string[]> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

test('STORE-3: an aborted upload keeps the existing object, and leaves nothing else', async () => {
  const key = newKey()
  await putBytes(store, key, Buffer.from('old'))
  const before = await filesIn(folder)
  const body = new PassThrough()
  const received = store.receive(key, 10, body)
  body.write('new')
  await delay(50)
  body.destroy()
  await assert.rejects(received, { fault: 'unreachable', message: 'the upload was interrupted' })
  const short = store.receive(key, 10, Readable.from([Buffer.from('new')]))
  await assert.rejects(short, {
    fault: 'unreachable',
    message: 'the upload does not have the announced size',
  })
  assert.equal(String(await readBytes(store, key)), 'old')
  assert.deepEqual(await filesIn(folder), before)
})

test('STORE-3: a client gets the rest of an object that is replaced or deleted meanwhile', async () => {
  const key = newKey()
  await putBytes(store, key, Buffer.alloc(1_000_000, 'a'))
  const reading = await store.read(key)
  await putBytes(store, key, Buffer.alloc(1_000_000, 'b'))
  await store.delete(key)
  const text = String(Buffer.concat(await reading.toArray()))
  assert.equal(text, 'a'.repeat(1_000_000))
})

test('STORE-10: an upload that falls silent ends within two minutes', async (context) => {
  const key = newKey()
  const body = new PassThrough()
  context.mock.timers.enable({ apis: ['setInterval'] })
  const received = store.receive(key, 10, body)
  const outcome = assert.rejects(received, { message: 'the upload sent no data for too long' })
  const arrived = () => new Promise((resolve) => setImmediate(resolve))
  while (body.listenerCount('data') === 0) await delay(1)
  for (let minute = 0; minute < 5; minute += 1) {
    body.write('x')
    await arrived()
    context.mock.timers.tick(60_000)
  }
  assert.ok((await filesIn(folder)).includes('object'))
  context.mock.timers.tick(120_000)
  await outcome
  assert.equal(await store.sizeOf(key), undefined)
})

test('STORE-10: an object has one upload at a time: a newer one ends the older', async () => {
  const key = newKey()
  const body = new PassThrough()
  const older = assert.rejects(store.receive(key, 10, body), {
    message: 'another upload of the same object began',
  })
  body.write('older')
  await store.receive(key, 5, Readable.from([Buffer.from('newer')]))
  await older
  assert.equal(String(await readBytes(store, key)), 'newer')
})

test('STORE-11: a server killed while storing leaves no object, and nothing after its next start', async () => {
  const key = newKey()
  const program = spawn(process.execPath, [join(programs, 'hold-upload.ts'), folder, key])
  await once(program.stdout, 'data')
  program.kill('SIGKILL')
  await once(program, 'exit')
  assert.equal(await store.sizeOf(key), undefined)
  assert.ok((await filesIn(folder)).includes('object'))
  const next = new FolderStore({ folder, secretKey: SECRET_KEY })
  while ((await filesIn(folder)).includes('object')) await delay(20)
  assert.equal(await next.sizeOf(key), undefined)
})

test('STORE-12: a full disk is reported as such, and what did not fit is removed', async (context) => {
  const isolated = ['--user', '--map-root-user', '--mount']
  const isAllowed = await run('unshare', [...isolated, 'true']).then(
    () => true,
    () => false,
  )
  if (!isAllowed) return context.skip('this machine lets nobody mount a small disk')
  const disk = await mkdtemp(join(tmpdir(), 'foyer-test-disk-'))
  context.after(() => rm(disk, { recursive: true, force: true }))
  const script = 'mount -t tmpfs -o size=1m none "$1" && exec "$2" "$3" "$1/files" "$4"'
  const given = [disk, process.execPath, join(programs, 'fill-disk.ts'), join(folder, 'elsewhere')]
  const command = [...isolated, 'sh', '-c', script, 'sh', ...given]
  const { stdout } = await run('unshare', command)
  assert.deepEqual(JSON.parse(stdout), { faults: ['disk_full', 'disk_full'], status: 507, files: 0 })
})

test('STORE-12: an unwritable folder, and one that is not a folder, are reported without their path', async () => {
  const nowhere = new FolderStore({ folder: '/dev/null/files', secretKey: SECRET_KEY })
  await assert.rejects(putBytes(nowhere, newKey(), Buffer.from('x')), {
    fault: 'unreachable',
    message: 'the storage folder cannot be used (ENOTDIR)',
  })
  const missing = store.put(newKey(), { path: join(folder, 'no such file'), sizeBytes: 1 })
  await assert.rejects(missing, {
    fault: 'unreachable',
    message: 'the storage folder cannot be used (ENOENT)',
  })
})

test('STORE-20: a copy has its own bytes if the file system has no hard links', async (context) => {
  const here = join(folder, 'original')
  const elsewhere = await mkdtemp('/dev/shm/foyer-test-').catch(() => undefined)
  if (elsewhere === undefined) return context.skip('this machine has no second file system to write to')
  context.after(() => rm(elsewhere, { recursive: true }))
  await writeFile(here, 'what is copied')
  for (const place of [folder, elsewhere]) {
    const copy = join(place, 'copy')
    await linkOrCopy(here, copy)
    assert.equal(String(await readFile(copy)), 'what is copied')
    const [{ nlink }, other] = await Promise.all([stat(copy), stat(here)])
    assert.equal(nlink, place === folder ? 2 : 1)
    assert.equal(other.nlink, 2)
  }
  await assert.rejects(linkOrCopy(join(folder, 'nothing'), join(folder, 'nowhere')), { code: 'ENOENT' })
})
