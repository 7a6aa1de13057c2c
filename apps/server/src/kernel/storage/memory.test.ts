import assert from 'node:assert/strict'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { suite, test } from 'node:test'
import { newKey, temporaryFolder } from '#test/object-storage/objects.ts'
import { listStoreKinds } from '#test/object-storage/store-kinds.ts'

const MIB = 1024 ** 2
const SIZE_BYTES = 256 * MIB
/** The streams of both sides, which are this process, and what the collector has not looked at yet took 80 MiB at most. */
const MAX_GROWTH_BYTES = SIZE_BYTES / 2

/** The fake keeps its objects in the memory that is measured here. */
const kinds = listStoreKinds().filter(({ name }) => /^(a folder|radosgw, path-style)$/.test(name))

for (const { name, skip, open: openStore } of kinds) {
  suite(name, { skip }, () => {
    test('STORE-17: an object passes through without filling the memory, in both directions', async (context) => {
      const { store, fetch, close } = await openStore()
      context.after(close)
      const path = join(await temporaryFolder(context), 'large')
      const file = await open(path, 'w')
      await file.truncate(SIZE_BYTES)
      await file.close()
      const key = newKey()
      const announced = { sizeBytes: SIZE_BYTES, contentType: 'video/mp4' }

      const putting = await growthOf(() => store.put(key, { path, ...announced }))
      const reading = await growthOf(async () => pipeline(await store.read(key), sink()))
      const copying = await growthOf(() =>
        store.putStream(newKey(), { ...announced, open: () => store.read(key) }),
      )
      const incoming = `incoming/${newKey()}`
      const { url, method, headers } = await store.presignUpload(incoming, announced, 60)
      const length = { ...headers, 'content-length': `${SIZE_BYTES}` }
      const uploading = await growthOf(async () => {
        const body = Readable.from(chunks())
        const response = await fetch(url, { method, headers: length, body, duplex: 'half' })
        assert.equal(response.status, 200)
      })

      assert.equal(await store.sizeOf(incoming), SIZE_BYTES)
      for (const growth of [putting, reading, copying, uploading])
        assert.ok(growth < MAX_GROWTH_BYTES, `it took ${Math.round(growth / MIB)} MiB`)
    })
  })
}

/** The largest increase of the process's memory during the work. */
async function growthOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 5)
  await work()
  clearInterval(watch)
  return most - before
}

function sink(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}

function* chunks(): Generator<Buffer> {
  const chunk = Buffer.alloc(64 * 1024, 1)
  for (let sent = 0; sent < SIZE_BYTES; sent += chunk.length) yield chunk
}
