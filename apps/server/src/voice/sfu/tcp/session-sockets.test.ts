import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { test } from 'node:test'
import { Attribute, encodeStun, StunType } from '../../stun/stun.ts'
import { frameOf } from './frames.ts'
import { SessionSockets } from './session-sockets.ts'
import { TcpLink } from './tcp-link.ts'

const PASSWORD = 'the password of the answer'

/** Sockets may not connect to it. */
const BROADCAST = { port: 9, address: '255.255.255.255' }

test('VTCP-2: a connection for which no UDP socket can be opened is closed, and the process lives on', async () => {
  const sockets = new SessionSockets(BROADCAST, 1)
  const session = { ufrag: 'c0ffee', password: PASSWORD, tieBreaker: randomBytes(8), sockets }
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>()
  server.on('connection', (socket) => {
    const ignore = () => undefined
    new TcpLink(socket, { find: () => session, onProven: ignore, onDropped: ignore, onClosed })
  })
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const client = connect(address.port, '127.0.0.1').on('error', () => undefined)
  const user = [Attribute.username, Buffer.from('c0ffee:theirs')] as const
  client.write(frameOf(encodeStun(StunType.binding, [user], PASSWORD)))
  await closed
  server.close()
})

test('VTCP-5: a session has only so many sockets, and those in use are closed when they are given back', async () => {
  const sockets = new SessionSockets({ port: 9 }, 1)
  const take = () =>
    new Promise<Parameters<Parameters<typeof sockets.take>[0]>[0]>((resolve) => sockets.take(resolve))
  const socket = await take()
  assert.equal(await take(), undefined)
  assert.ok(socket)
  sockets.close()
  sockets.giveBack(socket)
  await once(socket, 'close')
})
