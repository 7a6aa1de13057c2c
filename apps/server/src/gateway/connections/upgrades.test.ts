import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { openGateway } from '#test/gateway-client.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const handshake = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': Buffer.alloc(16).toString('base64'),
}

/** A connection that asks for an upgrade, and never closes its own side. */
function ask(path: string, headers: Record<string, string> = handshake): Socket {
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', allowHalfOpen: true })
  const lines = Object.entries({ Host: 'a', ...headers }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`${[`GET ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`)
  return socket
}

/** Not masked, which clients must do: an error for `ws`. */
const BAD_FRAME = Buffer.from([0x81, 0x01, 0x41])

test('GATEWAY-13: a frame that violates the protocol, after READY or a refusal, harms nobody else', async () => {
  const other = await openGateway(server)
  for (const version of ['1', '2']) {
    const socket = ask(`/gateway?v=${version}`)
    await once(socket, 'data')
    socket.write(BAD_FRAME)
    await once(socket.resume(), 'end')
    socket.destroy()
  }
  await other.settle()
  other.close()
})

/** Checks that the server has closed the connection: writing to it fails. */
async function assertClosed(socket: Socket): Promise<void> {
  const writes = setInterval(() => socket.write('x'), 5)
  const late = setTimeout(() => socket.destroy(new Error('still open')), 20_000)
  const [error] = await once(socket, 'error')
  clearInterval(writes)
  clearTimeout(late)
  assert.match(error.code ?? error.message, /^(EPIPE|ECONNRESET)$/)
}

test('GATEWAY-14: a refused upgrade is answered like every error, and its connection closed', async () => {
  const refusals = [
    ['/gateway/x', handshake, 404, 'not found'],
    ['/gateway?v=1', { ...handshake, 'Sec-WebSocket-Key': 'x' }, 400, 'the request is not valid HTTP'],
    ['/gateway?v=1', { ...handshake, 'Sec-WebSocket-Version': '7' }, 400, 'the request is not valid HTTP'],
  ] as const
  for (const [path, headers, status, error] of refusals) {
    const socket = ask(path, headers)
    const [answer] = await once(socket, 'data')
    const [head = '', body] = String(answer).split('\r\n\r\n')
    assert.match(
      head,
      new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*\r\nX-Request-Id: [\\s\\S]*\r\nX-Error-Code: `),
    )
    assert.equal(body, JSON.stringify({ error }))
    await assertClosed(socket)
  }
})

/** The answer's headers, as text. */
async function answerHead(headers: Record<string, string>): Promise<string> {
  const socket = ask('/gateway?v=1', headers)
  const [answer] = await once(socket, 'data')
  socket.destroy()
  return String(answer).split('\r\n\r\n')[0] ?? ''
}

test('GATEWAY-23: a refused version is answered with the supported one', async () => {
  const { 'Sec-WebSocket-Version': _, ...withoutVersion } = handshake
  for (const headers of [{ ...handshake, 'Sec-WebSocket-Version': '14' }, withoutVersion]) {
    const head = await answerHead(headers)
    assert.match(head, /^HTTP\/1.1 400 [\s\S]*\r\nSec-WebSocket-Version: 13(\r\n|$)/)
  }
  assert.doesNotMatch(await answerHead({ ...handshake, 'Sec-WebSocket-Key': 'x' }), /Sec-WebSocket-Version/)
})

test('GATEWAY-24: a client that offers subprotocols is accepted, and none is claimed', async () => {
  const head = await answerHead({ ...handshake, 'Sec-WebSocket-Protocol': 'chat, superchat' })
  assert.match(head, /^HTTP\/1.1 101 /)
  assert.doesNotMatch(head, /Sec-WebSocket-Protocol/i)
})

/** A close frame as a client sends it, masked with zeros. */
function closeFrame(code: number, reason: Buffer): Buffer {
  const payload = Buffer.alloc(2 + reason.length)
  payload.writeUInt16BE(code)
  reason.copy(payload, 2)
  return Buffer.concat([Buffer.from([0x88, 0x80 | payload.length, 0, 0, 0, 0]), payload])
}

/** Returns the code and reason of the server's close frame. */
async function closeAnswer(code: number, reason: Buffer) {
  const socket = ask('/gateway?v=1')
  await once(socket, 'data')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.write(closeFrame(code, reason))
  await once(socket, 'end')
  socket.destroy()
  const frame = Buffer.concat(chunks)
  assert.equal(frame[0], 0x88)
  return { code: frame.readUInt16BE(2), reason: frame.subarray(4).toString() }
}

test('GATEWAY-25: a close is answered with its own code, and one whose reason is not UTF-8 with 1007', async () => {
  for (const code of [1000, 1009, 4000])
    assert.equal((await closeAnswer(code, Buffer.from('goodbye · ε'))).code, code)
  assert.equal((await closeAnswer(1009, Buffer.alloc(0))).code, 1009)
  assert.equal((await closeAnswer(1000, Buffer.from([0x62, 0xff]))).code, 1007)
})
