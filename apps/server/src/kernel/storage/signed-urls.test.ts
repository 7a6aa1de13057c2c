import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { newKey, putBytes, readBytes } from '#test/object-storage/objects.ts'
import { listStoreKinds, type OpenStore, type StoreKind } from '#test/object-storage/store-kinds.ts'

/** As FILE-4 has it signed: what is not safe inline is nothing that a browser runs. */
const PAGE = {
  contentType: 'application/octet-stream',
  filename: `a b+c&d="é"'()*!~%2F;\\.html`,
  inline: false,
}
const PICTURE = { contentType: 'image/png', filename: 'cat.png', inline: true }
const FILE = { sizeBytes: 5, contentType: 'video/mp4' }

for (const { name, skip, open } of listStoreKinds()) {
  suite(name, { skip }, () => {
    let opened: OpenStore
    before(async () => {
      opened = await open()
    })
    after(() => opened.close())

    async function statusOf(method: 'GET' | 'PUT', url: string): Promise<number> {
      const sent = method === 'PUT' ? { body: Buffer.from('bytes'), headers: type(FILE.contentType) } : {}
      const response = await opened.fetch(url, { method, ...sent })
      await response.arrayBuffer()
      return response.status
    }

    async function upload(url: string, body: Buffer, headers: Record<string, string>): Promise<boolean> {
      const response = await opened.fetch(url, { method: 'PUT', body, headers })
      await response.arrayBuffer()
      return response.ok
    }

    test('STORE-7: a signed download has the bytes, the type and the name that were signed', async () => {
      const key = newKey()
      await putBytes(opened.store, key, Buffer.from('0123456789'))
      const page = await opened.fetch(await opened.store.presignDownload(key, PAGE, 60))
      assert.equal(page.status, 200)
      assert.equal(await page.text(), '0123456789')
      assert.equal(page.headers.get('content-type'), PAGE.contentType)
      const encoded = 'a%20b%2Bc%26d%3D%22%C3%A9%22%27%28%29%2A%21~%252F%3B%5C.html'
      assert.ok(page.headers.get('content-disposition')?.endsWith(`; filename*=UTF-8''${encoded}`))
      assert.match(page.headers.get('content-disposition') ?? '', /^attachment; /)
      const picture = await opened.fetch(await opened.store.presignDownload(key, PICTURE, 60))
      assert.equal(picture.headers.get('content-type'), 'image/png')
      assert.match(picture.headers.get('content-disposition') ?? '', /^inline; filename="cat.png"; /)
      await picture.arrayBuffer()
    })

    test('STORE-7: a signed download serves ranges, repeatedly', async () => {
      const key = newKey()
      await putBytes(opened.store, key, Buffer.from('0123456789'))
      const url = await opened.store.presignDownload(key, PICTURE, 60)
      for (const [range, status, text] of [
        ['bytes=2-4', 206, '234'],
        ['bytes=8-', 206, '89'],
        ['bytes=-3', 206, '789'],
        ['bytes=5-500', 206, '56789'],
      ] as const) {
        const response = await opened.fetch(url, { headers: { range } })
        assert.deepEqual([response.status, await response.text()], [status, text], range)
        assert.match(response.headers.get('content-range') ?? '', /\/10$/)
      }
      const past = await opened.fetch(url, { headers: { range: 'bytes=10-' } })
      await past.arrayBuffer()
      assert.equal(past.status, 416)
    })

    test('STORE-8: a download without a valid signature is 403', async () => {
      const [key, other] = [newKey(), newKey()]
      for (const one of [key, other]) await putBytes(opened.store, one, Buffer.from('secret'))
      const url = await opened.store.presignDownload(key, PICTURE, 60)
      assert.equal(await statusOf('GET', url), 200)
      for (const changed of alteredSignatures(url)) assert.equal(await statusOf('GET', changed), 403, changed)
      assert.equal(await statusOf('GET', url.replace(key, other)), 403)
      assert.equal(await statusOf('GET', url.replace('image%2Fpng', 'text%2Fhtml')), 403)
      assert.equal(await statusOf('GET', url.replace('cat.png', 'dog.png')), 403)
      assert.equal(await statusOf('GET', url.replace('inline', 'attachment')), 403)
      assert.equal(await statusOf('GET', later(url)), 403)
      assert.equal(await statusOf('PUT', url), 403)
      assert.equal(String(await readBytes(opened.store, key)), 'secret')
    })

    test('STORE-9: a signed upload stores exactly what was announced, including empty files', async () => {
      for (const bytes of [Buffer.from('bytes'), Buffer.alloc(0), Buffer.alloc(300_000, 7)]) {
        const key = `incoming/${newKey()}`
        const announced = { ...FILE, sizeBytes: bytes.length }
        const { url, method, headers } = await opened.store.presignUpload(key, announced, 60)
        assert.deepEqual([method, headers], ['PUT', { 'content-type': 'video/mp4' }])
        assert.ok(await upload(url, bytes, headers))
        assert.ok((await readBytes(opened.store, key)).equals(bytes))
      }
    })

    test('STORE-9: an upload that differs from the announced one is refused, and nothing of it is kept', async () => {
      const [key, other] = [newKey(), newKey()].map((one) => `incoming/${one}`)
      assert.ok(key && other)
      const { url, headers } = await opened.store.presignUpload(key, FILE, 60)
      const bytes = Buffer.from('bytes')
      for (const changed of alteredSignatures(url)) assert.equal(await statusOf('PUT', changed), 403, changed)
      assert.equal(await upload(url, Buffer.from('byte'), headers), false)
      assert.equal(await upload(url, Buffer.from('bytes!'), headers), false)
      assert.equal(await upload(url, Buffer.alloc(0), headers), false)
      assert.equal(await upload(url, bytes, type('text/html')), false)
      assert.equal(await upload(url.replace(key, other), bytes, headers), false)
      assert.equal(await upload(later(url), bytes, headers), false)
      assert.equal(await statusOf('GET', url), 403)
      assert.deepEqual(
        [await opened.store.sizeOf(key), await opened.store.sizeOf(other)],
        [undefined, undefined],
      )
      assert.ok(await upload(url, bytes, headers))
      assert.equal(await opened.store.sizeOf(key), 5)
    })
  })
}

test('STORE-8 and STORE-9: a signed URL expires', async () => {
  const kinds = listStoreKinds().filter(({ skip }) => skip === false)
  await Promise.all(kinds.map(expires))
})

async function expires({ name, open }: StoreKind): Promise<void> {
  const { store, fetch, close } = await open()
  const [stored, fresh] = [newKey(), newKey()]
  await putBytes(store, stored, Buffer.from('secret'))
  const download = await store.presignDownload(stored, PICTURE, 1)
  const { url, method, headers } = await store.presignUpload(fresh, FILE, 1)
  await delay(2100)
  const [read, written] = await Promise.all([
    fetch(download),
    fetch(url, { method, headers, body: Buffer.from('bytes') }),
  ])
  assert.deepEqual([read.status, written.status], [403, 403], name)
  assert.doesNotMatch(await read.text(), /secret/)
  assert.equal(await store.sizeOf(fresh), undefined)
  await close()
}

function type(contentType: string): Record<string, string> {
  return { 'content-type': contentType }
}

/** The URL with another character in each place of its signature, and without any. */
function alteredSignatures(url: string): string[] {
  const [before = '', signature = ''] = url.split(/(?<=[?&](?:sig|X-Amz-Signature)=)/)
  assert.ok(signature.length >= 43 && !signature.includes('&'))
  const altered = [...signature].map((character, index) => {
    const another = character === 'a' ? 'b' : 'a'
    return `${before}${signature.slice(0, index)}${another}${signature.slice(index + 1)}`
  })
  return [...altered, before, `${before}${signature.slice(1)}`]
}

/** The URL with an expiry that it was not signed with. */
function later(url: string): string {
  return url.replace(/(?<=[?&](?:exp|X-Amz-Expires)=)\d+/, (seconds) => `${Number(seconds) + 60}`)
}
