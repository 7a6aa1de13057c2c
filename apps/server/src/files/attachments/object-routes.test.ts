import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import { FolderStore } from '#src/kernel/storage/folder-store.ts'
import { exchange, openSocket, readUntil, startKernel, type TestKernel } from '#test/kernel.ts'
import { newKey, putBytes } from '#test/object-storage/objects.ts'
import { SECRET_KEY } from '#test/object-storage/store-kinds.ts'
import { objectRoutes } from './object-routes.ts'

const PICTURE = { contentType: 'image/png', filename: 'cat.png', inline: true }
const MIB = 1024 ** 2

let folder: string
let store: FolderStore
/** Keys that nobody uploads any more. */
const finished = new Set<string>()
let kernel: TestKernel
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-test-store-'))
  store = new FolderStore({ folder, secretKey: SECRET_KEY })
  kernel = await startKernel((app) =>
    objectRoutes(app, { own: store, isAwaited: async (key) => !finished.has(key) }),
  )
})
after(async () => {
  await kernel.app.close()
  await rm(folder, { recursive: true, force: true })
})

async function storedText(text: string): Promise<{ key: string; url: string }> {
  const key = newKey()
  await putBytes(store, key, Buffer.from(text))
  return { key, url: await store.presignDownload(key, PICTURE, 60) }
}

/** The head of a PUT to a signed URL, up to the empty line, with its key. */
async function uploadHead(sizeBytes: number, headers: string[] = []): Promise<{ key: string; head: string }> {
  const key = `incoming/${newKey()}`
  const { url } = await store.presignUpload(key, { sizeBytes, contentType: 'video/mp4' }, 60)
  const lines = [`PUT ${url} HTTP/1.1`, 'Host: a', 'Content-Type: video/mp4', ...headers, '', '']
  return { key, head: lines.join('\r\n') }
}

/** Returns true while an object is being uploaded. */
async function isBusy(): Promise<boolean> {
  const names = await readdir(join(folder, 'tmp'), { recursive: true })
  return names.some((name) => name.endsWith('object'))
}

test('STORE-18: a file runs and loads nothing, is not sniffed, and is cached no longer than its URL works', async () => {
  const { url } = await storedText('0123456789')
  const response = await kernel.fetch(url)
  assert.equal(await response.text(), '0123456789')
  const { headers } = response
  assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox")
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('content-length'), '10')
  const [, seconds] = /^private, max-age=(\d+)$/.exec(headers.get('cache-control') ?? '') ?? []
  assert.ok(Number(seconds) > 55 && Number(seconds) <= 60)
})

test('STORE-18: a URL signed for an executable or style sheet type serves plain bytes', async () => {
  const { key } = await storedText('pwned()')
  for (const contentType of [
    'text/javascript',
    'text/css',
    'application/wasm',
    'text/html',
    'image/svg+xml',
  ]) {
    const look = { contentType, filename: 'a', inline: false }
    const { headers } = await kernel.fetch(await store.presignDownload(key, look, 60))
    assert.equal(headers.get('content-type'), 'application/octet-stream', contentType)
  }
})

test('STORE-18: a client with the file gets 304, and one with a part of another version gets the whole', async () => {
  const { key, url } = await storedText('0123456789')
  const first = await kernel.fetch(url)
  await first.arrayBuffer()
  const etag = first.headers.get('etag') ?? ''
  const known = await kernel.fetch(url, { headers: { 'if-none-match': etag } })
  assert.deepEqual([known.status, await known.text()], [304, ''])
  const range = { range: 'bytes=0-1', 'if-range': etag }
  assert.equal((await kernel.fetch(url, { headers: range })).status, 206)
  await putBytes(store, key, Buffer.from('9876543210'))
  assert.equal((await kernel.fetch(url, { headers: { 'if-none-match': etag } })).status, 200)
  const whole = await kernel.fetch(url, { headers: range })
  assert.deepEqual([whole.status, await whole.text()], [200, '9876543210'])
})

test('STORE-18: HEAD has the length and no body', async () => {
  const { url } = await storedText('0123456789')
  const response = await kernel.fetch(url, { method: 'HEAD' })
  assert.deepEqual([response.status, response.headers.get('content-length')], [200, '10'])
  assert.equal(response.headers.get('content-type'), 'image/png')
})

test('STORE-18: a missing file is 404 and an unsatisfiable range 416, and neither is cached', async () => {
  const { key, url } = await storedText('0123456789')
  const past = await kernel.fetch(url, { headers: { range: 'bytes=10-' } })
  assert.deepEqual([past.status, past.headers.get('content-range')], [416, 'bytes */10'])
  await store.delete(key)
  const gone = await kernel.fetch(url)
  assert.deepEqual([gone.status, gone.headers.get('x-error-code')], [404, 'unknown_attachment'])
  for (const { headers } of [past, gone]) assert.equal(headers.get('cache-control'), 'no-store')
})

test('STORE-8: a URL without a signature, or with two, is refused, whatever it names', async () => {
  const { key, url } = await storedText('x')
  const signature = /sig=[^&]*/.exec(url)?.[0]
  for (const place of ['', '../secret.key', '%2e%2e/secret.key', '..%2f..%2fsecret.key', 'tmp', key]) {
    const request = `GET /storage/${place} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
    assert.match(await exchange(kernel.port, request), /^HTTP\/1\.1 403 .*code: invalid_signature/is, place)
  }
  assert.equal((await kernel.fetch(`${url}&${signature}`)).status, 400)
})

test('STORE-10: an upload may be over 32 MiB, and gets 100 Continue if its client waits for that', {
  timeout: 30_000,
}, async () => {
  const size = 33 * MIB
  const { key, head } = await uploadHead(size, [`Content-Length: ${size}`, 'Expect: 100-continue'])
  const socket = openSocket(kernel.port)
  socket.write(head)
  await readUntil(socket, /^HTTP\/1\.1 100 Continue\r\n\r\n$/)
  socket.write(Buffer.alloc(size, 'a'))
  assert.match(await readUntil(socket, /\r\n\r\n$/), /^HTTP\/1\.1 200 OK/)
  socket.destroy()
  assert.equal(await store.sizeOf(key), size)
})

test('STORE-10: an upload without a length, or with a different one, is refused before it is read', async () => {
  const refusals = [
    [['Transfer-Encoding: chunked', 'Connection: close'], '5\r\nbytes\r\n0\r\n\r\n'],
    [['Content-Length: 4', 'Connection: close'], 'byte'],
    [['Content-Length: 6', 'Connection: close'], 'bytes!'],
  ] as const
  for (const [headers, body] of refusals) {
    const { key, head } = await uploadHead(5, [...headers])
    const answer = await exchange(kernel.port, `${head}${body}`)
    assert.match(answer, /^HTTP\/1\.1 400 .*x-error-code: upload_incomplete/is)
    assert.equal(await store.sizeOf(key), undefined)
  }
})

test('HTTP-24: a compressed upload is 415', async () => {
  const key = `incoming/${newKey()}`
  const { url, method, headers } = await store.presignUpload(
    key,
    { sizeBytes: 5, contentType: 'video/mp4' },
    60,
  )
  const init = { method, headers: { ...headers, 'content-encoding': 'gzip' }, body: '01234' }
  assert.equal((await kernel.fetch(url, init)).status, 415)
  assert.equal(await store.sizeOf(key), undefined)
})

test('STORE-10: an upload for a file that nobody expects is refused', async () => {
  const key = `incoming/${newKey()}`
  const file = { sizeBytes: 5, contentType: 'video/mp4' }
  const { url, method, headers } = await store.presignUpload(key, file, 60)
  const put = async () => (await kernel.fetch(url, { method, headers, body: '01234' })).status
  assert.equal(await put(), 200)
  finished.add(key)
  assert.equal(await put(), 404)
})

test('STORE-10: an aborted upload leaves nothing', { timeout: 30_000 }, async () => {
  const { key, head } = await uploadHead(10_000_000, ['Content-Length: 10000000'])
  const socket = openSocket(kernel.port)
  socket.write(head)
  socket.write(Buffer.alloc(1_000_000))
  while (!(await isBusy())) await delay(10)
  socket.destroy()
  await once(socket, 'close')
  while (await isBusy()) await delay(10)
  assert.equal(await store.sizeOf(key), undefined)
})

test('STORE-12: an unusable folder is 503, even while the body is still arriving', {
  timeout: 30_000,
}, async (context) => {
  const unusable = new FolderStore({ folder: '/dev/null/files', secretKey: SECRET_KEY })
  const other = await startKernel((app) => objectRoutes(app, { own: unusable, isAwaited: async () => true }))
  context.after(() => other.app.close())
  const { head } = await uploadHead(5_000_000, ['Content-Length: 5000000'])
  const socket = openSocket(other.port)
  socket.write(head)
  socket.write(Buffer.alloc(2_000_000))
  const answer = await readUntil(socket, /\}$/)
  socket.destroy()
  assert.match(answer, /^HTTP\/1\.1 503 .*x-error-code: storage_unavailable/is)
  assert.ok(!answer.includes('/dev/null'))
})

test('STORE-16: neither the log nor the metrics contain the URL of a file', async () => {
  const { url } = await storedText('x')
  const before = kernel.lines.length
  await (await kernel.fetch(url)).text()
  await (await kernel.fetch(`${url}x`)).text()
  const lines = kernel.lines.slice(before).join('')
  assert.match(lines, /"route":"\/storage\/\*"/)
  assert.doesNotMatch(lines, /sig=|cat\.png/)
})

test('STORE-10: an upload has no time limit; any other body is 408 after 5 minutes', {
  timeout: 30_000,
}, async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const other = await startKernel((app) => {
    objectRoutes(app, { own: store, isAwaited: async () => true })
    app.post('/slow', { config: { access: 'public' } }, (request) => once(request.raw.resume(), 'close'))
  })
  context.after(() => other.app.close())
  const slow = openSocket(other.port)
  slow.write('POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n1')
  await once(other.app.server, 'request')
  context.mock.timers.tick(300_000)
  assert.match(await readUntil(slow, /\}$/), /^HTTP\/1\.1 408 .*x-error-code: request_timeout/is)

  const { key, head } = await uploadHead(10, ['Content-Length: 10'])
  const upload = openSocket(other.port)
  upload.write(head)
  const [uploading] = await once(other.app.server, 'request')
  // Waits until the body is being read: an earlier chunk would be lost.
  while (!uploading.readableFlowing) await turn()
  for (let minute = 0; minute < 10; minute += 1) {
    context.mock.timers.tick(59_000)
    upload.write('x')
    await once(uploading, 'data')
  }
  assert.match(await readUntil(upload, /\r\n\r\n$/), /^HTTP\/1\.1 200 OK/)
  upload.destroy()
  assert.equal(await store.sizeOf(key), 10)
})

test('STORE-10: an upload that arrives after a message claimed the file leaves nothing', async () => {
  const { key, head } = await uploadHead(10, ['Content-Length: 10'])
  const socket = openSocket(kernel.port)
  socket.write(`${head}01234`)
  while (!(await isBusy())) await turn()
  finished.add(key)
  socket.write('56789')
  assert.match(await readUntil(socket, /\r\n\r\n/), /^HTTP\/1\.1 404 .*x-error-code: unknown_attachment/is)
  socket.destroy()
  assert.equal(await store.sizeOf(key), undefined)
})
