import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { openSocket, startKernel, type TestKernel } from '#test/kernel.ts'
import { readBody } from './body.ts'

const MIB = 1024 * 1024
const Thing = Type.Object({ name: Type.Optional(Type.String()) })

let kernel: TestKernel
before(async () => {
  kernel = await startKernel((app) => {
    app.post('/things', { config: { access: 'public' }, schema: { body: Thing } }, (request) =>
      readBody(request),
    )
  })
})
after(() => kernel.app.close())

function post(body: BodyInit): Promise<Response> {
  // A stream has no length, and `fetch` must be told that the answer comes after it.
  const headers = { 'content-type': 'application/json' }
  return kernel.fetch('/things', { method: 'POST', headers, body, ...{ duplex: 'half' } })
}

async function told(response: Response): Promise<[number, string]> {
  const { error }: { error: string } = JSON.parse(await response.text())
  return [response.status, error]
}

test('HTTP-7: a body of exactly 32 MiB is accepted', async () => {
  const body = Buffer.alloc(32 * MIB, ' ')
  body.write('{"name":"abc"}')
  assert.deepEqual(await (await post(body)).json(), { name: 'abc' })
})

test('HTTP-7: a body of unknown length is cut off at 32 MiB with 400, and its connection closes', async () => {
  const response = await post(new Blob([Buffer.alloc(33 * MIB, ' ')]).stream())
  assert.equal(response.headers.get('connection'), 'close')
  assert.deepEqual(await told(response), [400, 'the request body could not be read'])
  const allowed = await post(new Blob(['{"name":"abc"}', Buffer.alloc(31 * MIB, ' ')]).stream())
  assert.deepEqual(await allowed.json(), { name: 'abc' })
})

test('HTTP-7: an endless body is cut off', { timeout: 20_000 }, async () => {
  const socket = openSocket(kernel.port)
  socket.on('error', () => {})
  socket.write(
    'POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
  )
  const chunk = `100000\r\n${' '.repeat(MIB)}\r\n`
  let sent = 0
  while (!socket.destroyed && sent < 200) {
    await new Promise((resolve) => socket.write(chunk, resolve))
    sent += 1
  }
  assert.ok(sent < 200)
})

test('HTTP-8: a body of very many brackets is refused before it is parsed', async () => {
  const bombs = [
    '['.repeat(16 * MIB),
    '{"a":'.repeat(6 * MIB),
    `[${'[],'.repeat(10 * MIB)}[]]`,
    `[${'0,'.repeat(15 * MIB)}0]`,
  ]
  for (const bomb of bombs) {
    assert.deepEqual(await told(await post(bomb)), [400, 'the request body has too many values'])
  }
})
