import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Nullable, Text } from '@foyer/protocol/schema'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ApiError } from '#src/kernel/errors.ts'
import { exchange, openSocket, readUntil, startKernel, type TestKernel } from '#test/kernel.ts'
import type { App } from '../types.ts'
import { readBody, readOptionalBody } from './body.ts'

const MIB = 1024 * 1024
const Thing = Type.Object({
  name: Type.Optional(Text(2, 5)),
  note: Type.Optional(Nullable(Text(1, 5))),
  count: Type.Optional(Type.Integer({ minimum: 0 })),
  kind: Type.Optional(Type.Enum(['big', 'small'])),
  code: Type.Optional(Type.String({ pattern: '^[a-z]+$', description: 'small letters' })),
  email: Type.Optional(Type.String({ trim: true, format: 'email' })),
  id: Type.Optional(Type.String({ format: 'uuid' })),
  list: Type.Optional(Type.Array(Type.Object({ deep: Type.Boolean() }), { maxItems: 2 })),
})

let kernel: TestKernel
before(async () => {
  kernel = await startKernel(addRoutes)
})
after(() => kernel.app.close())

let onLate: (request: FastifyRequest) => Promise<void>

function addRoutes(app: App): void {
  const config = { access: 'public' } as const
  app.post('/things', { config, schema: { body: Thing } }, (request) => readBody(request))
  app.post('/maybe', { config, schema: { body: Thing } }, (request) => readOptionalBody(request))
  app.post('/names', { config, schema: { body: Thing } }, async (request) => (await readBody(request)).name)
  app.post('/late', { config, schema: { body: Thing } }, (request) => onLate(request))
  app.post('/closed', { config, schema: { body: Thing } }, async () => {
    throw new ApiError('missing_permission')
  })
}

const json = { 'content-type': 'application/json' }

function post(body: BodyInit, headers: Record<string, string> = json, path = '/things'): Promise<Response> {
  // A stream has no length, and `fetch` must be told that the answer comes after it.
  return kernel.fetch(path, { method: 'POST', headers, body, ...{ duplex: 'half' } })
}

async function told(response: Response): Promise<[number, string]> {
  const { error }: { error: string } = JSON.parse(await response.text())
  return [response.status, error]
}

test('HTTP-5: nothing in a body is coerced', async () => {
  for (const count of [null, '1', true, [1], 1.5]) {
    assert.deepEqual(await told(await post(JSON.stringify({ count }))), [400, 'count must be integer'])
  }
  assert.deepEqual(await told(await post('{"name":12}')), [400, 'name must be string'])
  assert.deepEqual(await (await post('{"count":1,"note":null}')).json(), { count: 1, note: null })
})

test('HTTP-5: text is trimmed, and then measured in code points', async () => {
  assert.deepEqual(await (await post('{"name":" \\t 😀😀😀😀😀 \\n "}')).json(), { name: '😀😀😀😀😀' })
  assert.deepEqual(await (await post('{"email":" a@b.example "}')).json(), { email: 'a@b.example' })
  const [status, error] = await told(await post('{"name":"  a  "}'))
  assert.deepEqual([status, error], [400, 'name must not have fewer than 2 characters'])
  assert.deepEqual(await told(await post('{"name":"😀😀😀😀😀😀"}')), [
    400,
    'name must not have more than 5 characters',
  ])
  assert.deepEqual(await told(await post('{"note":"   "}')), [400, 'note must not be empty'])
})

test('HTTP-5: an error message begins with the path of the wrong field', async () => {
  const wrong = {
    '{"list":[{"deep":true},{"deep":1}]}': 'list.1.deep must be boolean',
    '{"list":[{}]}': 'list.0.deep is required',
    '{"list":[1,2,3]}': 'list must not have more than 2 items',
    '{"kind":"huge"}': 'kind must be one of big, small',
    '{"code":"A1"}': 'code must be small letters',
    '{"email":"nobody"}': 'email must be a valid email',
    '{"id":"019ABCDE-0000-7000-8000-00000000000G"}': 'id must be a valid uuid',
    '{"count":-1}': 'count must be >= 0',
    '[]': 'the request body must be object',
    null: 'the request body must be object',
    '"text"': 'the request body must be object',
  }
  for (const [body, message] of Object.entries(wrong)) {
    assert.deepEqual(await told(await post(body)), [400, message])
  }
})

test('HTTP-5: unknown fields are dropped, including `__proto__`', async () => {
  const response = await post(
    '{"name":"abc","more":{"x":[1]},"__proto__":{"count":7},"constructor":{"prototype":1}}',
  )
  const body: object = JSON.parse(await response.text())
  assert.equal(response.status, 200)
  assert.deepEqual(body, { name: 'abc' })
  assert.equal(Object.hasOwn(body, '__proto__'), false)
  assert.equal(Reflect.get({}, 'count'), undefined)
})

test('HTTP-6: a body that is not JSON in UTF-8 is 400', async () => {
  const invalid = [400, 'the request body is not valid JSON']
  for (const body of ['{', '{"name":"abc",}', "{'name':1}", '\ufeff{}', 'name=abc', '{"name":"a\u0000c"}']) {
    assert.deepEqual(await told(await post(body)), invalid)
  }
  for (const bytes of [
    [0x22, 0xff, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
    [0x22, 0xc3, 0x22],
  ]) {
    assert.deepEqual(await told(await post(new Uint8Array(bytes))), invalid)
  }
})

test('HTTP-6: text with NUL or a lone surrogate is 400, also in keys', async () => {
  for (const text of ['a\\u0000b', 'a\\ud800b', '\\udc00ab', '\\ude00\\ud83d']) {
    const expected = [400, 'name must not contain NUL or lone surrogates']
    assert.deepEqual(await told(await post(`{"name":"${text}"}`)), expected)
    assert.deepEqual(await told(await post(`{"name":{"a":[{"${text}":1}]}}`)), expected)
  }
  assert.deepEqual(await (await post('{"name":"\\ud83d\\ude00\\ud83d\\ude00"}')).json(), { name: '😀😀' })
})

test('HTTP-6: a body without a JSON content type is 400', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx']) {
    const response = await post('{}', { 'content-type': type })
    assert.deepEqual(await told(response), [400, 'Content-Type must be application/json'])
  }
  assert.equal((await told(await post(new Uint8Array([0x7b, 0x7d]), {})))[0], 400)
  assert.equal((await post('{}', { 'content-type': 'Application/JSON; charset=utf-8' })).status, 200)
  assert.equal((await post('{}', { 'content-type': 'application/vnd.api+json' })).status, 200)
})

test('HTTP-6: a missing body is 400, or `{}` where it is optional', async () => {
  assert.deepEqual(await told(await kernel.fetch('/things', { method: 'POST' })), [
    400,
    'the request body is missing',
  ])
  assert.deepEqual(await (await kernel.fetch('/maybe', { method: 'POST' })).json(), {})
  const empty = () => new ReadableStream({ start: (controller) => controller.close() })
  assert.deepEqual(await (await post(empty(), {}, '/maybe')).json(), {})
  assert.equal((await told(await post(empty())))[0], 400)
  assert.equal((await told(await post('{"count":"1"}', json, '/maybe')))[0], 400)
})

test('HTTP-7: a body whose length exceeds 32 MiB is 413 before any of it is read', async () => {
  const head = (length: number) =>
    `POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
  const socket = openSocket(kernel.port)
  socket.write(head(32 * MIB + 1))
  assert.match(
    await readUntil(socket, /\}$/),
    /^HTTP\/1\.1 413 [\s\S]*\{"error":"the request body is over 32 MiB"\}$/,
  )
  socket.destroy()
  const whole = await post(Buffer.alloc(33 * MIB, ' '))
  assert.deepEqual(await told(whole), [413, 'the request body is over 32 MiB'])
})

test('HTTP-8: nesting below the limit harms nothing, valid or not', async () => {
  const nested = `${'['.repeat(90_000)}${']'.repeat(90_000)}`
  assert.deepEqual(await told(await post(nested)), [400, 'the request body must be object'])
  assert.deepEqual(await told(await post(`{"count":${nested}}`)), [400, 'count must be integer'])
  for (const hidden of [`"more":${nested}`, `"list":[{"deep":true,"more":${nested}}]`])
    assert.equal((await post(`{"name":"abc",${hidden}}`)).status, 200)
  assert.equal((await told(await post('{"a":'.repeat(20_000))))[0], 400)
})

test('HTTP-9: an answer before the body is read leaves the connection usable', async () => {
  const socket = openSocket(kernel.port)
  const head = 'POST /closed HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: '
  socket.write(`${head}${8 * MIB}\r\n\r\n`)
  assert.match(await readUntil(socket, /\}$/), /^HTTP\/1\.1 403 /)
  socket.write(' '.repeat(8 * MIB))
  socket.write(`${head}2\r\n\r\n{}`)
  assert.match(await readUntil(socket, /\}$/), /^HTTP\/1\.1 403 /)
  socket.destroy()
  assert.equal((await post(Buffer.alloc(31 * MIB), json, '/closed')).status, 403)
})

test('HTTP-9: `Expect: 100-continue` is honoured, except for a body that is too long', async () => {
  const head = (length: number, expectation = '100-continue') =>
    `POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nExpect: ${expectation}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`
  const socket = openSocket(kernel.port)
  socket.write(head(2))
  assert.match(await readUntil(socket, /\r\n\r\n/), /^HTTP\/1\.1 100 Continue\r\n/)
  socket.write('{}')
  assert.match(await readUntil(socket, /\}$/), /^HTTP\/1\.1 200 /)
  assert.match(await exchange(kernel.port, head(33 * MIB)), /^HTTP\/1\.1 413 /)
  assert.match(await exchange(kernel.port, `${head(2, 'a miracle')}{}`), /^HTTP\/1\.1 200 /)
})

test('HTTP-9: a body whose client disconnects does not keep its handler waiting', async () => {
  for (const body of ['', '{"na', '{"name":"abc"}']) {
    const arrived = Promise.withResolvers<void>()
    const left = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<string>()
    onLate = async (request) => {
      request.raw.socket.once('close', left.resolve)
      arrived.resolve()
      await left.promise
      await readBody(request).catch((error: ApiError) => answered.resolve(error.code))
    }
    const socket = openSocket(kernel.port)
    const head =
      'POST /late HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n'
    socket.write(head + body)
    await arrived.promise
    socket.resetAndDestroy()
    assert.equal(await answered.promise, 'body_unreadable')
  }
})

test('HTTP-9: aborted bodies leave nothing behind', async () => {
  for (const part of ['', '{"na']) {
    const socket = openSocket(kernel.port)
    socket.write(
      `POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n${part}`,
    )
    await new Promise((resolve) => setTimeout(resolve, 20))
    socket.resetAndDestroy()
  }
  const broken =
    'POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'
  assert.match(await exchange(kernel.port, broken), /^HTTP\/1\.1 400 [\s\S]*the request is not valid HTTP/)
  assert.equal((await post('{"name":"abc"}')).status, 200)
  assert.equal(kernel.app.bodyMemory.heldBytes, 0)
  assert.ok(!kernel.lines.some((line) => line.includes('a request failed')))
})
