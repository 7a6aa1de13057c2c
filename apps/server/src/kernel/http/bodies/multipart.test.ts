import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { TempFolder } from '#src/kernel/temp-folder.ts'
import { openSocket, readUntil, startKernel, type TestKernel } from '#test/kernel.ts'
import type { App } from '../types.ts'
import { readFields, readJsonField } from './form-fields.ts'
import { FormSpace } from './form-space.ts'
import { readForm } from './multipart.ts'

const MIB = 1024 * 1024
const Fields = Type.Object({
  name: Type.Optional(Type.String({ trim: true, minLength: 2, maxLength: 5 })),
  remove: Type.Optional(Type.Boolean()),
  count: Type.Optional(Type.Integer({ minimum: 0 })),
})

let folder: string
let kernel: TestKernel
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-forms-'))
  kernel = await startKernel(addRoutes, { formSpace: new FormSpace(new TempFolder(folder)) })
})
after(async () => {
  await kernel.app.close()
  await rm(folder, { recursive: true, force: true })
})

let held: Promise<void> = Promise.resolve()

function addRoutes(app: App): void {
  const config = { access: 'public' } as const
  app.post('/forms', { config }, async (request) => {
    await using form = await readForm(request)
    await held
    const files = form.files.map(async ({ path, ...file }) => ({
      ...file,
      text: await readFile(path, 'latin1'),
    }))
    return { fields: form.fields, files: await Promise.all(files) }
  })
  app.post('/one', { config }, async (request) => {
    await using form = await readForm(request, { maxFiles: 1, tooMany: 'missing_image' })
    return form.files.length
  })
  app.post('/fields', { config }, async (request) => {
    await using form = await readForm(request)
    return { ...readFields(Fields, form), json: readJsonField(Fields, form, 'json') }
  })
}

type Part = [headers: string, body: string]

function bodyOf(parts: readonly Part[]): Buffer<ArrayBuffer> {
  const texts = parts.map(
    ([headers, body]) => `--x\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${body}\r\n`,
  )
  return Buffer.from(`${texts.join('')}--x--\r\n`, 'latin1')
}

function headOf({ length }: Buffer): string {
  return `POST /forms HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${length}\r\n\r\n`
}

function send(body: BodyInit, path = '/forms', type = 'multipart/form-data; boundary=x'): Promise<Response> {
  return kernel.fetch(path, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
    ...{ duplex: 'half' },
  })
}

async function told(response: Response): Promise<[number, string]> {
  const { error }: { error: string } = JSON.parse(await response.text())
  return [response.status, error]
}

/** The files of all forms that are still on the disk. */
async function leftovers(): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  return names.filter((name) => name.includes('/'))
}

/** The ones this process still has open. On a system that does not report their names, none. */
async function openFiles(): Promise<string[]> {
  const names = await readdir('/dev/fd')
  const paths = await Promise.all(names.map((name) => readlink(`/dev/fd/${name}`).catch(() => '')))
  return paths.filter((path) => path.startsWith(folder))
}

async function nothingLeft(): Promise<void> {
  for (let tries = 0; tries < 500 && kernel.app.formSpace.used.forms > 0; tries += 1) await sleep(20)
  assert.deepEqual(kernel.app.formSpace.used, { forms: 0, bytes: 0 })
  assert.deepEqual(await leftovers(), [])
  assert.deepEqual(await openFiles(), [])
}

test('FORM-1: texts and files are read in any order', async () => {
  const form = new FormData()
  form.set('a', new File(['hello'], '"Grüße" 😀.txt', { type: 'Text/Plain; charset=utf-8' }))
  form.set('name', 'Grüße 😀')
  form.set('b', new File([Buffer.alloc(3 * MIB, 'x')], '50% %2e'))
  const response = await kernel.fetch('/forms', { method: 'POST', body: form })
  const text = 'x'.repeat(3 * MIB)
  assert.deepEqual(await response.json(), {
    fields: { name: 'Grüße 😀' },
    files: [
      { field: 'a', filename: '"Grüße" 😀.txt', contentType: 'text/plain', sizeBytes: 5, text: 'hello' },
      { field: 'b', filename: '50% %2e', contentType: 'application/octet-stream', sizeBytes: 3 * MIB, text },
    ],
  })
  await nothingLeft()
})

test('FORM-1: a file field without a chosen file is ignored', async () => {
  const empty: Part = ['name="avatar"; filename=""\r\nContent-Type: application/octet-stream', '']
  assert.deepEqual(await (await send(bodyOf([empty]))).json(), { fields: {}, files: [] })
  assert.deepEqual(await told(await send(bodyOf([[empty[0], 'x']]))), [400, 'avatar has no filename'])
})

test('FORM-2: an invalid form is 400', async () => {
  const body = bodyOf([['name="a"', 'b']])
  assert.deepEqual(await told(await send('{}', '/forms', 'application/json')), [
    400,
    'Content-Type must be multipart/form-data',
  ])
  assert.deepEqual(await told(await send(body, '/forms', 'multipart/form-data')), [
    400,
    'Content-Type must name a boundary',
  ])
  const invalid = [400, 'the request body is not valid multipart/form-data']
  assert.deepEqual(await told(await send('nothing of the kind')), invalid)
  assert.deepEqual(await told(await send(body.subarray(0, -4))), invalid)
  assert.deepEqual(await told(await kernel.fetch('/forms', { method: 'POST' })), [
    400,
    'the request body is missing',
  ])
  assert.equal((await send(body)).status, 200)
  await nothingLeft()
})

test('FORM-2: texts must be UTF-8 without NUL, given once, short and few', async () => {
  const wrong: [Part[], string][] = [
    [[['name="a"', '\xff']], 'a must be UTF-8'],
    [[['name="a"', 'b\0c']], 'a must not contain NUL or lone surrogates'],
    [
      [
        ['name="a"', 'b'],
        ['name="a"', 'b'],
      ],
      'a is given twice',
    ],
    [[['name="a"', 'b'.repeat(64 * 1024 + 1)]], 'a is over 64 KiB'],
    [
      Array.from({ length: 5 }, (_, index): Part => [`name="a${index}"`, 'b'.repeat(60_000)]),
      'the texts of the form are over 256 KiB',
    ],
    [[['filename="b"', 'b']], 'a part of the form has no name'],
    [Array.from({ length: 65 }, (_, index): Part => [`name="a${index}"`, '']), 'the form has too many parts'],
  ]
  for (const [parts, message] of wrong)
    assert.deepEqual(await told(await send(bodyOf(parts))), [400, message])
  assert.equal((await send(bodyOf([['name="a"', 'b'.repeat(64 * 1024)]]))).status, 200)
  assert.equal((await send(bodyOf(wrong[6]?.[0].slice(1) ?? []))).status, 200)
  await nothingLeft()
})

test('FORM-2: an invalid file name or content type is 400', async () => {
  const marks = ['\xe2\x80\xae', '\xe2\x80\x8f', '\xd8\x9c']
  const named = marks.map((mark) => `${mark}gnp.exe`)
  const bad = ['../a', 'a/b', 'a\\\\b', '..', 'a\tb', 'a'.repeat(256), ...named]
  for (const filename of bad) {
    const response = await send(bodyOf([[`name="f"; filename="${filename}"`, 'x']]))
    const [status, error] = await told(response)
    assert.equal(status, 400, filename)
    assert.match(error, /^filename must /)
  }
  const typed = (type: string) => bodyOf([[`name="f"; filename="a"\r\nContent-Type: ${type}`, 'x']])
  assert.deepEqual(await told(await send(typed('nonsense'))), [400, 'content_type must be a MIME type'])
  assert.equal((await send(typed('application/x-thing; charset=x'))).status, 200)
  await nothingLeft()
})

test('FORM-2: a form may have as many files as its route accepts', async () => {
  const files = (count: number) =>
    bodyOf(Array.from({ length: count }, (_, index): Part => [`name="f"; filename="${index}"`, 'x']))
  assert.equal((await send(files(10))).status, 200)
  assert.deepEqual(await told(await send(files(11))), [400, 'a message has at most 10 files'])
  assert.deepEqual(await told(await send(files(60))), [400, 'a message has at most 10 files'])
  assert.equal((await send(files(1), '/one')).status, 200)
  assert.deepEqual(await told(await send(files(2), '/one')), [400, 'exactly one image file is required'])
  await nothingLeft()
})

test('FORM-3: a long form with an early error is answered, and its connection stays usable', async () => {
  const good = ['name="g"; filename="g"', 'y'.repeat(20 * MIB)] as const
  assert.equal((await send(bodyOf([['name="f"; filename="a/b"', 'x'], [...good]]))).status, 400)
  const socket = openSocket(kernel.port)
  // The chunks with the bad part come at many positions relative to the bytes written so far.
  for (let size = MIB; size < MIB + 70_000; size += 5000) {
    const wrong = bodyOf([
      ['name="e"; filename="e"', 'x'.repeat(size)],
      ['name="f"; filename="a/b"', 'x'],
      ['name="g"; filename="g"', 'y'.repeat(MIB)],
    ])
    socket.write(headOf(wrong))
    socket.write(wrong)
    assert.match(await readUntil(socket, /\}$/), /^HTTP\/1\.1 400 /)
  }
  const right = bodyOf([['name="f"; filename="f"', 'x']])
  socket.write(`${headOf(right)}${right.toString('latin1')}`)
  assert.match(await readUntil(socket, /\}$/), /^HTTP\/1\.1 200 /)
  socket.destroy()
  await nothingLeft()
})

test('HTTP-7: a form over 32 MiB is 413 by its length, or else cut off with 400', async () => {
  const long = bodyOf([['name="f"; filename="f"', 'y'.repeat(33 * MIB)]])
  assert.deepEqual(await told(await send(long)), [413, 'the request body is over 32 MiB'])
  const response = await send(new Blob([new Uint8Array(long)]).stream())
  assert.equal(response.headers.get('connection'), 'close')
  assert.deepEqual(await told(response), [400, 'the request body could not be read'])
  const allowed = bodyOf([['name="f"; filename="f"', 'y'.repeat(31 * MIB)]])
  assert.equal((await send(new Blob([new Uint8Array(allowed)]).stream())).status, 200)
  await nothingLeft()
})

test('FORM-4: a form whose client disconnects leaves nothing behind', async () => {
  const body = bodyOf([['name="f"; filename="f"', 'y'.repeat(MIB)]])
  for (const part of [0, 40, MIB / 2]) {
    const socket = openSocket(kernel.port)
    socket.write(headOf(body))
    socket.write(body.subarray(0, part))
    while (kernel.app.formSpace.used.bytes < part) await sleep(5)
    if (part > 0) assert.notDeepEqual(await leftovers(), [])
    socket.resetAndDestroy()
    await sleep(50)
    await nothingLeft()
  }
})

test('FORM-5: a sender may have 128 forms under way, and all together 512', async () => {
  const waits = Promise.withResolvers<void>()
  held = waits.promise
  const body = bodyOf([['name="f"; filename="f"', 'y']])
  const first = Array.from({ length: 128 }, () => send(body))
  while (kernel.app.formSpace.used.forms < 128) await sleep(20)
  assert.deepEqual(await told(await send(body)), [503, 'temporarily unavailable, try again later'])
  waits.resolve()
  held = Promise.resolve()
  for (const response of await Promise.all(first)) assert.equal(response.status, 200)
  const others = Array.from({ length: 4 }, (_, sender) =>
    Array.from({ length: 128 }, () => kernel.app.formSpace.enter(String(sender))),
  ).flat()
  assert.equal((await send(body)).status, 503)
  others.pop()?.leave()
  assert.equal((await send(body)).status, 200)
  for (const place of others) place.leave()
  await nothingLeft()
})

test('FORM-5: forms are 503 while they take 4 GiB on the disk, or 1.5 GiB of one sender', async () => {
  const space = kernel.app.formSpace
  const body = bodyOf([['name="f"; filename="f"', 'y'.repeat(MIB)]])
  const grown = ['a', 'b', 'c'].map((sender) => {
    const place = space.enter(sender)
    assert.equal(place.grow(1.5 * 1024 * MIB - MIB), sender !== 'c')
    assert.equal(place.grow(2 * MIB), false)
    return place
  })
  assert.equal((await send(body)).status, 503)
  for (const place of grown) place.leave()
  assert.equal((await send(body)).status, 200)
  await nothingLeft()
})

test('FORM-6: texts are read with the schema’s type, and refused like JSON', async () => {
  const fields = (...parts: Part[]) => send(bodyOf(parts), '/fields')
  const given = await fields(['name="name"', ' abc '], ['name="remove"', 'true'], ['name="count"', '7'])
  assert.deepEqual(await given.json(), { name: 'abc', remove: true, count: 7 })
  const json = await fields(['name="json"', '{"count":7,"name":" de "}'])
  assert.deepEqual(await json.json(), { json: { count: 7, name: 'de' } })
  const wrong: [Part, string][] = [
    [['name="name"', 'a'], 'name must not have fewer than 2 characters'],
    [['name="count"', '-1'], 'count must be >= 0'],
    [['name="remove"', 'perhaps'], 'remove must be boolean'],
    [['name="json"', '{'], 'the request body is not valid JSON'],
    [['name="json"', '[]'], 'json must be object'],
    [['name="json"', '{"count":"7"}'], 'count must be integer'],
    [['name="json"', '{"name":"a\\u0000b"}'], 'name must not contain NUL or lone surrogates'],
  ]
  for (const [part, message] of wrong) assert.deepEqual(await told(await fields(part)), [400, message])
})
