import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { after, before, suite, test } from 'node:test'
import { newKey, putBytes, readBytes } from '#test/object-storage/objects.ts'
import { listStoreKinds, type OpenStore } from '#test/object-storage/store-kinds.ts'
import { StoreError } from './object-store.ts'

const MISSING = { name: 'Error', fault: 'missing' } satisfies Partial<StoreError>

/** Ends in the middle. */
async function* broken(): AsyncGenerator<Buffer> {
  yield Buffer.from('n')
  throw new Error('it broke off')
}

for (const { name, skip, open } of listStoreKinds()) {
  suite(name, { skip }, () => {
    let opened: OpenStore
    before(async () => {
      opened = await open()
    })
    after(() => opened.close())

    test('STORE-1: stored data is read back byte by byte, and its size is known', async () => {
      const { store } = opened
      for (const bytes of [randomBytes(0), Buffer.from('a'), randomBytes(3_000_001)]) {
        const key = newKey()
        await putBytes(store, key, bytes)
        assert.ok((await readBytes(store, key)).equals(bytes))
        assert.equal(await store.sizeOf(key), bytes.length)
      }
    })

    test('STORE-2: a range includes both ends; past the end there is nothing', async () => {
      const { store } = opened
      const key = newKey()
      await putBytes(store, key, Buffer.from('0123456789'))
      const part = async (start: number, end: number) => String(await readBytes(store, key, { start, end }))
      assert.equal(await part(0, 0), '0')
      assert.equal(await part(3, 5), '345')
      assert.equal(await part(8, 9), '89')
      assert.equal(await part(8, 1000), '89')
      await assert.rejects(store.read(key, { start: 10, end: 10 }), MISSING)
      const empty = newKey()
      await putBytes(store, empty, Buffer.alloc(0))
      await assert.rejects(store.read(empty, { start: 0, end: 0 }), MISSING)
    })

    test('STORE-3: storing replaces; one of several simultaneous writes remains, complete', async () => {
      const { store } = opened
      const key = newKey()
      await putBytes(store, key, Buffer.from('first, and longer'))
      await putBytes(store, key, Buffer.from('second'))
      assert.equal(String(await readBytes(store, key)), 'second')
      const candidates = Array.from({ length: 5 }, () => randomBytes(200_000))
      await Promise.all(candidates.map((bytes) => putBytes(store, key, bytes)))
      const left = await readBytes(store, key)
      assert.ok(candidates.some((bytes) => bytes.equals(left)))
    })

    test('STORE-4: moving replaces, and leaves nothing at the old key', async () => {
      const { store } = opened
      const [from, to] = [`incoming/${newKey()}`, newKey()]
      await putBytes(store, to, Buffer.from('old'))
      await putBytes(store, from, Buffer.from('new'))
      await store.move(from, to)
      assert.equal(String(await readBytes(store, to)), 'new')
      assert.equal(await store.sizeOf(from), undefined)
      await assert.rejects(store.move(from, to), MISSING)
      assert.equal(String(await readBytes(store, to)), 'new')
    })

    test('STORE-5: a missing object is reported as missing, and deleting it succeeds', async () => {
      const { store } = opened
      const key = newKey()
      assert.equal(await store.sizeOf(key), undefined)
      await assert.rejects(store.read(key), MISSING)
      await putBytes(store, key, Buffer.from('here'))
      assert.equal(await store.sizeOf(key), 4)
      await store.delete(key)
      await store.delete(key)
      assert.equal(await store.sizeOf(key), undefined)
      await assert.rejects(store.read(key), MISSING)
    })

    test('STORE-20: a copy is independent: replacing or deleting either does not affect the other', async () => {
      const { store } = opened
      const [from, to, further] = [newKey(), newKey(), newKey()]
      await putBytes(store, to, Buffer.from('old'))
      await putBytes(store, from, Buffer.from('first'))
      await store.copy(from, to)
      assert.equal(String(await readBytes(store, to)), 'first')
      await putBytes(store, from, Buffer.from('second'))
      assert.equal(String(await readBytes(store, to)), 'first')
      await store.copy(to, further)
      await store.delete(to)
      assert.equal(String(await readBytes(store, further)), 'first')
      assert.equal(String(await readBytes(store, from)), 'second')
      await assert.rejects(store.copy(to, from), MISSING)
      assert.equal(String(await readBytes(store, from)), 'second')
      await putBytes(store, from, Buffer.alloc(0))
      await store.copy(from, to)
      assert.equal(await store.sizeOf(to), 0)
    })

    test('STORE-21: data from a stream is stored like a file, if its size is as announced', async () => {
      const { store } = opened
      const contentType = 'text/plain'
      for (const bytes of [randomBytes(0), Buffer.from('a'), randomBytes(3_000_001)]) {
        const key = newKey()
        const open = async () => Readable.from(bytes.length > 0 ? [Buffer.from(bytes)] : [])
        await store.putStream(key, { sizeBytes: bytes.length, contentType, open })
        assert.ok((await readBytes(store, key)).equals(bytes))
      }
      const kept = newKey()
      await putBytes(store, kept, Buffer.from('old'))
      const streams: [() => Readable, number][] = [
        [() => Readable.from([Buffer.from('new')]), 2],
        [() => Readable.from([Buffer.from('new')]), 4],
        [() => Readable.from(broken()), 3],
      ]
      for (const [make, sizeBytes] of streams) {
        const made: Readable[] = []
        const open = async () => {
          const stream = make()
          made.push(stream)
          return stream
        }
        await assert.rejects(store.putStream(kept, { sizeBytes, contentType, open }), {
          fault: 'unreachable',
        })
        assert.ok(made.every((stream) => stream.destroyed))
      }
      const unopened = async () => Promise.reject(new StoreError('missing', 'nothing to open'))
      await assert.rejects(store.putStream(kept, { sizeBytes: 3, contentType, open: unopened }), MISSING)
      assert.equal(String(await readBytes(store, kept)), 'old')
    })

    test('STORE-6: only keys that the server could have made are accepted', async () => {
      const { store } = opened
      const good = newKey()
      const [tenant = '', file = ''] = good.split('/')
      const bad = [
        '',
        '/',
        `/${good}`,
        `${good}/`,
        `${good}\n`,
        `../${good}`,
        `incoming/../${good}`,
        `incoming/incoming/${good}`,
        `${tenant}/..`,
        `${tenant}//${file}`,
        `${tenant}/${file}?x`,
        `${tenant}\\${file}`,
        `${tenant}/${file.toUpperCase()}x`,
        good.toUpperCase(),
        `${tenant}/${file}/${file}`,
        `tmp/${file}`,
        'tmp',
        file,
        `${good}\0`,
        `${tenant}%2F${file}`,
      ]
      const look = { contentType: 'text/plain', filename: 'a', inline: true }
      for (const key of bad) {
        const refused = (work: Promise<unknown>) =>
          assert.rejects(work, { fault: 'refused', message: 'this is not an object key' }, key)
        await refused(putBytes(store, key, Buffer.from('x')))
        await refused(store.read(key))
        await refused(store.sizeOf(key))
        await refused(store.move(key, good))
        await refused(store.move(good, key))
        await refused(store.copy(key, good))
        await refused(store.copy(good, key))
        const open = async () => Readable.from([])
        await refused(store.putStream(key, { sizeBytes: 0, contentType: 'text/plain', open }))
        await refused(store.delete(key))
        await refused(store.presignDownload(key, look, 60))
        await refused(store.presignUpload(key, { sizeBytes: 1, contentType: 'text/plain' }, 60))
      }
    })
  })
}
