import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '#src/kernel/ids.ts'
import { BreakableStorage, breakOff, type Exchange, fail, refuseSignature } from '#test/breakable-storage.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { type NewStoredFile, placeFile } from '#test/stored-files.ts'

const bytes = Buffer.from('0123456789'.repeat(100))
const MIB = 2 ** 20
const MAX_WAIT_MS = 30_000

/** Does not keep the process alive after the race. */
const stillReading = () => delay(MAX_WAIT_MS, 'still reading', { ref: false })

let storage: BreakableStorage
let server: TestServer

before(async () => {
  storage = await BreakableStorage.start()
  server = await startTestServer({ s3: storage.settings })
})
after(async () => {
  await server.close()
  await storage.close()
})
afterEach(() => storage.mend())

/** Inserts an image of a space, which needs no signature. */
async function place(given: Partial<NewStoredFile> = {}): Promise<string> {
  const file = await placeFile(server, { tenantId: newId(), purpose: 'emoji', bytes, ...given })
  return file.id
}

const stream = (id: string, init: RequestInit = {}) => server.fetch(`/attachments/${id}?stream=1`, init)
const withHeaders = (id: string, headers: Record<string, string>) => stream(id, { headers })

test('FILE-4: a file has its type and name, cannot run anything, and can be embedded by other sites', async () => {
  const response = await stream(await place({ filename: 'Käse "1".png' }))
  const headers = Object.fromEntries(response.headers)
  assert.equal(await response.text(), bytes.toString())
  assert.equal(headers['content-type'], 'image/png')
  assert.equal(headers['content-length'], '1000')
  assert.equal(
    headers['content-disposition'],
    `inline; filename="K_se _1_.png"; filename*=UTF-8''K%C3%A4se%20%221%22.png`,
  )
  assert.equal(headers['content-security-policy'], "default-src 'none'; sandbox")
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
})

test('FILE-4: files that browsers cannot show safely are downloads', async () => {
  const looks = [
    ['image/webp', 'image/webp', 'inline'],
    ['video/mp4', 'video/mp4', 'inline'],
    ['audio/mpeg', 'audio/mpeg', 'inline'],
    ['text/plain', 'text/plain; charset=utf-8', 'inline'],
    ['text/html', 'application/octet-stream', 'attachment'],
    ['image/svg+xml', 'application/octet-stream', 'attachment'],
    ['application/pdf', 'application/octet-stream', 'attachment'],
    ['text/javascript', 'application/octet-stream', 'attachment'],
    ['text/css', 'application/octet-stream', 'attachment'],
    ['application/wasm', 'application/octet-stream', 'attachment'],
    ['application/octet-stream', 'application/octet-stream', 'attachment'],
  ] as const
  for (const [contentType, type, disposition] of looks) {
    const { headers } = await stream(await place({ contentType }))
    assert.equal(headers.get('content-type'), type)
    assert.match(headers.get('content-disposition') ?? '', new RegExp(`^${disposition};`), contentType)
  }
})

test('FILE-4: the storage is asked to serve a file as its safe type', async () => {
  const typeBehind = async (contentType: string) => {
    const id = await place({ contentType })
    const { headers } = await server.fetch(`/attachments/${id}`, { redirect: 'manual' })
    return new URL(headers.get('location') ?? '').searchParams.get('response-content-type')
  }
  assert.equal(await typeBehind('video/mp4'), 'video/mp4')
  for (const type of ['text/javascript', 'text/css', 'application/wasm', 'text/html'])
    assert.equal(await typeBehind(type), 'application/octet-stream', type)
})

test('FILE-5: one range is served, and only that range is read from the storage', async () => {
  const id = await place()
  const part = await withHeaders(id, { range: 'bytes=5-14' })
  assert.deepEqual([part.status, await part.text()], [206, '5678901234'])
  assert.equal(part.headers.get('content-range'), 'bytes 5-14/1000')
  assert.equal(part.headers.get('content-length'), '10')
  const end = await withHeaders(id, { range: 'bytes=-3' })
  assert.deepEqual([end.status, await end.text()], [206, '789'])
  const beyond = await withHeaders(id, { range: 'bytes=1000-' })
  assert.deepEqual([beyond.status, beyond.headers.get('x-error-code')], [416, 'range_not_satisfiable'])
  assert.equal(beyond.headers.get('content-range'), 'bytes */1000')
  for (const range of ['bytes=0-1,5-6', 'bytes=9-1', 'pages=1-2']) {
    const whole = await withHeaders(id, { range })
    assert.deepEqual([whole.status, (await whole.text()).length], [200, 1000], range)
  }
})

test('FILE-5: a client that has the file gets 304, and the storage is not asked', async () => {
  const id = await place()
  const etag = (await stream(id)).headers.get('etag') ?? ''
  assert.match(etag, /^"[\w-]+"$/)
  const asked = storage.requests.length
  const known = await withHeaders(id, { 'if-none-match': etag })
  assert.deepEqual([known.status, await known.text(), known.headers.get('etag')], [304, '', etag])
  assert.equal(storage.requests.length, asked)
  const other = await withHeaders(id, { 'if-none-match': '"other"' })
  assert.deepEqual([other.status, (await other.text()).length], [200, 1000])
})

test('FILE-5: HEAD has the headers of GET, without asking the storage', async () => {
  const id = await place()
  const asked = storage.requests.length
  const head = await stream(id, { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, '1000', ''])
  const part = await stream(id, { method: 'HEAD', headers: { range: 'bytes=0-9' } })
  assert.deepEqual([part.status, part.headers.get('content-length')], [206, '10'])
  assert.equal(storage.requests.length, asked)
  const redirect = await server.fetch(`/attachments/${id}`, { method: 'HEAD', redirect: 'manual' })
  assert.equal(redirect.status, 307)
  assert.match(redirect.headers.get('location') ?? '', /X-Amz-Expires=3600/)
})

test('FILE-5: an empty file is served as empty', async () => {
  const id = await place({ bytes: Buffer.alloc(0) })
  const whole = await stream(id)
  assert.deepEqual([whole.status, await whole.text(), whole.headers.get('content-length')], [200, '', '0'])
  assert.equal((await withHeaders(id, { range: 'bytes=0-' })).status, 416)
})

test('FILE-6: a storage that does not answer, or refuses, is 503, and the answer reveals nothing of the file', async () => {
  const id = await place()
  for (const fault of [breakOff, fail, refuseSignature]) {
    storage.break(fault)
    const response = await stream(id)
    assert.deepEqual([response.status, response.headers.get('x-error-code')], [503, 'storage_unavailable'])
    for (const header of ['etag', 'content-disposition', 'content-range'])
      assert.equal(response.headers.get(header), null, header)
    assert.equal(response.headers.get('cache-control'), 'no-store')
  }
  storage.mend()
  assert.equal((await stream(id)).status, 200)
})

test('FILE-6: a redirect needs no storage', async () => {
  const id = await place()
  storage.break(breakOff)
  assert.equal((await server.fetch(`/attachments/${id}`, { redirect: 'manual' })).status, 307)
})

test('FILE-6: a missing object is 404', async () => {
  const id = await place()
  storage.objects.clear()
  assert.equal((await stream(id)).status, 404)
})

/** Answers of a storage that begin correctly. */
const halves: Record<string, (exchange: Exchange) => void> = {
  aborts: ({ response }) => {
    response.writeHead(200, { 'content-length': 1000 })
    response.write(bytes.subarray(0, 500), () => response.destroy())
  },
  'ends too early': ({ response }) => {
    response.writeHead(200)
    response.end(bytes.subarray(0, 500))
  },
  'sends too much': ({ response }) => {
    response.writeHead(200)
    response.write(bytes)
    setTimeout(() => response.end(bytes), 50)
  },
}

for (const [name, fault] of Object.entries(halves)) {
  test(`FILE-6: a response never looks complete if the storage ${name}`, async () => {
    const id = await place()
    storage.break(fault, ['GET'])
    const response = await stream(id)
    const isWhole = await response.text().then(
      () => response.ok,
      () => false,
    )
    assert.equal(isWhole, false)
    storage.mend()
    assert.equal(await (await stream(id)).text(), bytes.toString())
  })
}

test('FILE-6: a response that has begun is aborted, also if the storage sends half a file as the whole', async () => {
  const id = await place({ bytes: Buffer.alloc(4 * MIB) })
  const endings: ((exchange: Exchange) => void)[] = [
    ({ response }) => response.end(),
    ({ response }) => response.destroy(),
  ]
  for (const end of endings) {
    storage.break(
      (exchange) => {
        exchange.response.writeHead(200)
        exchange.response.write(Buffer.alloc(2 * MIB), () => end(exchange))
      },
      ['GET'],
    )
    const response = await stream(id)
    assert.equal(response.status, 200)
    await assert.rejects(response.arrayBuffer(), TypeError)
  }
})

test('FILE-6: a storage that aborts before the first byte is 503', async () => {
  const id = await place()
  storage.break(
    ({ response }) => {
      response.writeHead(200, { 'content-length': 1000 }).flushHeaders()
      setTimeout(() => response.destroy(), 50)
    },
    ['GET'],
  )
  assert.equal((await stream(id)).status, 503)
})

test('FILE-6: the storage is read no further when the client disconnects', async () => {
  const id = await place({ bytes: Buffer.alloc(64 * MIB) })
  const reading = Promise.withResolvers<boolean>()
  storage.break(
    async ({ response, serve }) => {
      response.once('close', () => reading.resolve(response.writableFinished))
      await serve()
    },
    ['GET'],
  )
  const reader = new AbortController()
  const response = await stream(id, { signal: reader.signal })
  assert.equal(response.status, 200)
  reader.abort()
  const isFinished = await Promise.race([reading.promise, stillReading()])
  assert.equal(isFinished, false)
})

for (const [name, begin] of Object.entries<(exchange: Exchange) => void>({
  'before the storage answers': ({ response }) => {
    setTimeout(() => response.writeHead(200, { 'content-length': 1000 }).flushHeaders(), 200)
  },
  'before the first byte': ({ response }) =>
    response.writeHead(200, { 'content-length': 1000 }).flushHeaders(),
})) {
  test(`FILE-6: the storage is read no further when the client disconnects ${name}`, async () => {
    const id = await place()
    const closed = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    storage.break(
      (exchange) => {
        exchange.response.once('close', closed.resolve)
        begin(exchange)
        setTimeout(asked.resolve, 100)
      },
      ['GET'],
    )
    const reader = new AbortController()
    const answer = assert.rejects(stream(id, { signal: reader.signal }))
    await asked.promise
    reader.abort()
    await answer
    assert.equal(await Promise.race([closed.promise, stillReading()]), undefined)
  })
}

test('FILE-6: an endless storage is read no further than the size of the file', async () => {
  const id = await place()
  const closed = Promise.withResolvers<void>()
  storage.break(
    ({ response }) => {
      response.once('close', closed.resolve)
      response.writeHead(200)
      const endless = setInterval(() => response.write(bytes), 10)
      response.once('close', () => clearInterval(endless))
    },
    ['GET'],
  )
  assert.equal((await stream(id)).status, 503)
  assert.equal(await Promise.race([closed.promise, stillReading()]), undefined)
})
