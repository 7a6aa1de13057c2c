import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import { openGateway } from '#test/gateway-client.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

/** More than the kernel buffers for a connection, which is up to about 10 MiB. */
const FLOOD_BYTES = 48 * 1024 * 1024
const PAYLOAD = Buffer.alloc(125)

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

/** Masked with zeros, so that the payload stays as it is. */
function frame(firstByte: number): Buffer {
  return Buffer.concat([Buffer.from([firstByte, 0x80 | PAYLOAD.length, 0, 0, 0, 0]), PAYLOAD])
}

const kinds = { text: 0x81, pong: 0x8a }

for (const [kind, firstByte] of Object.entries(kinds)) {
  test(`GATEWAY-9: the server reads no more ${kind} frames of a flood than the limit and those already under way`, async () => {
    const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1' })
    socket.on('error', () => undefined).resume()
    const lines = [
      'GET /gateway?v=1 HTTP/1.1',
      'Host: a',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`,
      '\r\n',
    ]
    socket.write(lines.join('\r\n'))
    const one = frame(firstByte)
    let isTaken = false
    socket.write(Buffer.alloc(Math.floor(FLOOD_BYTES / one.length) * one.length, one), (error) => {
      isTaken = !error
    })
    await new Promise((resolve) => socket.once('close', resolve))
    assert.equal(isTaken, false)
  })
}

test('GATEWAY-21: simultaneous frames are answered in as many turns of the event loop', async () => {
  const client = await openGateway(server)
  const count = 100
  // The server runs in this process, too. Its answers of one turn arrive in one piece.
  let pieces = 0
  client.wire?.on('data', () => {
    pieces += 1
  })
  for (let sent = 0; sent < count; sent += 1) client.send(Opcode.Heartbeat)
  const acks = () => client.frames.filter(({ op }) => op === Opcode.HeartbeatAck).length
  await client.find(() => acks() === count, 'the answers')
  assert.ok(pieces > count / 2, `they came in ${pieces} pieces`)
  client.close()
})
