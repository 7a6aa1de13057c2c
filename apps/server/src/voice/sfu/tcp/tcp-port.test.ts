import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, test } from 'node:test'
import { until } from '#test/until.ts'
import { Attribute, decodeStun, encodeStun, StunType } from '../../stun/stun.ts'
import { FrameReader, frameOf } from './frames.ts'
import { type TcpLimits, TcpPort } from './tcp-port.ts'

const UFRAG = 'c0ffee'
const PASSWORD = 'the password of the answer'

/** Takes the place of the native library. */
let media: UdpSocket
let received: { packet: Buffer; from: RemoteInfo }[]
let port: TcpPort
const clients: Socket[] = []

beforeEach(async () => {
  received = []
  media = createSocket('udp4').bind(0, '127.0.0.1')
  media.on('message', (packet, from) => void received.push({ packet, from }))
  await once(media, 'listening')
})
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
  port.close()
  media.close()
})

async function open(limits: Partial<TcpLimits> = {}): Promise<void> {
  port = await TcpPort.open(0, media.address().port, limits)
  port.admit(UFRAG, PASSWORD)
}

async function dial(): Promise<Socket> {
  const client = connect(port.port, '127.0.0.1')
  clients.push(client)
  client.on('error', () => undefined)
  await once(client, 'connect')
  return client
}

function request({ ufrag = UFRAG, password = PASSWORD, tieBreaker = randomBytes(8) } = {}): Buffer {
  return encodeStun(
    StunType.binding,
    [
      [Attribute.username, Buffer.from(`${ufrag}:theirs`)],
      [Attribute.iceControlling, tieBreaker],
    ],
    password,
  )
}

async function enter(): Promise<Socket> {
  const client = await dial()
  const before = received.length
  client.write(frameOf(request()))
  await until(async () => received.length > before, 'its first packet is forwarded')
  return client
}

async function ends(client: Socket): Promise<void> {
  if (!client.closed) await once(client.resume(), 'close')
}

async function isRefused(client: Socket): Promise<void> {
  await ends(client)
  assert.deepEqual(received, [])
}

test('VTCP-2: packets go both ways after a first one that is signed with the password', async () => {
  await open()
  const client = await enter()
  client.write(
    Buffer.concat([frameOf(Buffer.from('one')), frameOf(Buffer.alloc(0)), frameOf(Buffer.from('two'))]),
  )
  await until(async () => received.length === 3, 'they arrive')
  assert.deepEqual(
    received.slice(1).map(({ packet }) => packet.toString()),
    ['one', 'two'],
  )
  const reader = new FrameReader()
  client.on('data', (bytes: Buffer) => reader.add(bytes))
  media.send('back', received[0]?.from.port, '127.0.0.1')
  let answer: ReturnType<FrameReader['next']> = 'incomplete'
  await until(async () => {
    if (answer === 'incomplete') answer = reader.next()
    return answer !== 'incomplete'
  }, 'the answer arrives')
  assert.equal(String(answer), 'back')
})

test('VTCP-4: a tie-breaker of zero is replaced on the way, unless somebody else signed the request', async () => {
  await open()
  const client = await enter()
  client.write(frameOf(request({ tieBreaker: Buffer.alloc(8) })))
  client.write(frameOf(request({ tieBreaker: Buffer.alloc(8), password: 'another' })))
  await until(async () => received.length === 3, 'they arrive')
  const [, own, other] = received.map(
    ({ packet }) => decodeStun(packet)?.attributes.get(Attribute.iceControlling) ?? Buffer.alloc(0),
  )
  assert.notEqual(own?.readBigUInt64BE(), 0n)
  assert.equal(other?.readBigUInt64BE(), 0n)
})

test('VTCP-2: a connection that does not begin with a request of a session is closed, and nothing is forwarded', {
  timeout: 20_000,
}, async () => {
  await open({ firstPacketMs: 60_000 })
  const firsts = [
    frameOf(request({ ufrag: 'unknown' })),
    frameOf(request({ password: 'another' })),
    frameOf(encodeStun(StunType.binding, [])),
    frameOf(randomBytes(100)),
    frameOf(Buffer.alloc(0)),
    Buffer.from('GET / HTTP/1.1\r\nhost: voice\r\n\r\n'),
    Buffer.from([0xff, 0xff]),
  ]
  for (const first of firsts) {
    const client = await dial()
    client.write(first)
    await isRefused(client)
  }
  await enter()
})

test('VTCP-5: a first packet that does not come, or comes byte by byte, is not awaited', async () => {
  await open({ firstPacketMs: 300 })
  const [silent, slow] = [await dial(), await dial()]
  const bytes = frameOf(request())
  let at = 0
  using _drip = setInterval(() => {
    slow.write(bytes.subarray(at, at + 1))
    at += 1
  }, 20)
  await Promise.all([isRefused(silent), isRefused(slow)])
  await until(async () => port.connections === 0, 'nothing is left')
})

test('VTCP-5: of one address, the oldest connections without a first packet make room; with one they do not count', async () => {
  await open({ unprovenOfNetwork: 3 })
  await enter()
  await oldestMakeRoom(4)
})

test('VTCP-5: of the process, the oldest connections without a first packet make room', async () => {
  await open({ unproven: 3 })
  await oldestMakeRoom(3)
})

/** Opens three, then three more in the same moment. */
async function oldestMakeRoom(connections: number): Promise<void> {
  const oldest = [await dial(), await dial(), await dial()]
  await until(async () => port.connections === connections, 'they are accepted')
  const newest = await Promise.all([dial(), dial(), dial()])
  await Promise.all(oldest.map(ends))
  assert.equal(port.connections, connections)
  assert.ok(newest.every(({ destroyed }) => !destroyed))
  await enter()
}

test('VTCP-5: connections that end without proof count against their address until their time is over', async () => {
  await open({ unprovenOfNetwork: 2, firstPacketMs: 500 })
  const startedAt = performance.now()
  const [gone, wrong] = [await dial(), await dial()]
  await until(async () => port.connections === 2, 'they are accepted')
  gone.destroy()
  wrong.write(frameOf(request({ password: 'another' })))
  await ends(wrong)
  await until(async () => port.connections === 0, 'both are gone')
  const early = await dial()
  await isRefused(early)
  assert.ok(performance.now() - startedAt < 500)
  await until(async () => performance.now() - startedAt > 700, 'their time is over')
  await enter()
})

test('VTCP-5: a session, and the port, have only so many connections', async () => {
  await open({ ofSession: 2, all: 3 })
  await enter()
  await enter()
  const third = await dial()
  third.write(frameOf(request()))
  await ends(third)
  port.admit('another', PASSWORD)
  const other = await dial()
  other.write(frameOf(request({ ufrag: 'another' })))
  await until(async () => received.length === 3, 'another session is not affected')
  const fourth = await dial()
  await ends(fourth)
})

test('VTCP-5: a session may have four connections, so that the library keeps places for its addresses by UDP', async () => {
  await open()
  for (let link = 0; link < 4; link += 1) await enter()
  const fifth = await dial()
  fifth.write(frameOf(request()))
  await ends(fifth)
  assert.equal(port.connections, 4)
})

test('VTCP-5: connections of a session, one after the other, reach the media port from the ports of one another', async () => {
  await open({ ofSession: 2 })
  await enter()
  for (let link = 0; link < 50; link += 1) {
    const client = await enter()
    client.destroy()
    await until(async () => port.connections === 1, 'it is gone')
  }
  assert.equal(received.length, 51)
  assert.equal(new Set(received.map(({ from }) => from.port)).size, 2)
})

test('VTCP-5: an idle UDP port of a session receives nothing for the next connection', async () => {
  await open()
  const first = await enter()
  const from = received[0]?.from.port
  first.destroy()
  await until(async () => port.connections === 0, 'it is gone')
  await new Promise((resolve) => media.send('late', from, '127.0.0.1', resolve))
  const next = await enter()
  assert.equal(received[1]?.from.port, from)
  media.send('new', from, '127.0.0.1')
  const [bytes] = await once(next, 'data')
  assert.deepEqual(bytes, frameOf(Buffer.from('new')))
})

test('VTCP-2: the UDP ports of a session that ended are kept until the library has forgotten it', async () => {
  await open({ forgottenMs: 300 })
  await enter()
  const from = received[0]?.from.port ?? 0
  port.dismiss(UFRAG)
  await until(async () => port.connections === 0, 'it is gone')
  assert.equal(await isFree(from), false)
  await until(() => isFree(from), 'it is given back')
})

async function isFree(udpPort: number): Promise<boolean> {
  const socket = createSocket('udp4').bind(udpPort)
  const outcome = await Promise.race([once(socket, 'listening'), once(socket, 'error')]).catch(
    () => undefined,
  )
  socket.close()
  return Array.isArray(outcome) && outcome.length === 0
}

test('VTCP-6: a client that floods has to wait', async () => {
  await open()
  const client = await enter()
  const startedAt = performance.now()
  client.write(Buffer.concat(Array.from({ length: 8000 }, () => frameOf(Buffer.alloc(100)))))
  client.write(frameOf(Buffer.from('the end')))
  await until(async () => received.at(-1)?.packet.toString() === 'the end', 'the last one arrives')
  // 3,000 at once, and the rest at 3,000 a second.
  assert.ok(performance.now() - startedAt > 1500)
})

/** Sends to a client that reads nothing, until something is dropped. */
async function floodWith(first: readonly number[], to: number): Promise<void> {
  const packet = Buffer.concat([Buffer.from(first), Buffer.alloc(1200)])
  using _flood = setInterval(() => {
    for (let sent = 0; sent < 100; sent += 1) media.send(packet, to, '127.0.0.1')
  }, 5)
  const before = port.dropped
  await until(async () => port.dropped > before + 1000, 'packets are dropped')
}

const RTP = [0x80, 111]

test('VTCP-6: of what a client does not read, media is dropped first, and nothing piles up', async () => {
  await open()
  const client = await enter()
  client.pause()
  const from = received[0]?.from.port ?? 0
  await floodWith(RTP, from)
  assert.equal(port.connections, 1)
  let dropped = -1
  await until(async () => {
    const before = dropped
    dropped = port.dropped
    return dropped === before
  }, 'what was sent has come')
  // STUN, DTLS and RTCP.
  const firsts = [[0x01, 0x01], [22], [0x81, 201], [0x80, 205]]
  for (const first of [...firsts, RTP]) media.send(Buffer.from([...first, 0, 0]), from, '127.0.0.1')
  await until(async () => port.dropped === dropped + 1, 'the last one, media, is dropped')
  const reader = new FrameReader()
  client.on('data', (bytes: Buffer) => reader.add(bytes)).resume()
  const found: Buffer[] = []
  await until(async () => {
    for (let packet = reader.next(); typeof packet !== 'string'; packet = reader.next())
      if (packet.length < 10) found.push(packet)
    return found.length === firsts.length
  }, 'they arrive')
  assert.deepEqual(
    found.map((packet) => [...packet.subarray(0, -2)]),
    firsts,
  )
})

test('VTCP-6: what is not media is dropped, too, once twice as much is unsent', async () => {
  await open()
  const client = await enter()
  client.pause()
  const from = received[0]?.from.port ?? 0
  await floodWith(RTP, from)
  await floodWith([0x01, 0x01], from)
  assert.equal(port.connections, 1)
})

test('VTCP-6: a connection that is silent is closed, although much is sent to it', async () => {
  await open({ silenceMs: 600 })
  const silent = (await enter()).resume()
  const from = received[0]?.from.port
  const listening = (await enter()).resume()
  using _sound = setInterval(() => {
    media.send('sound', from, '127.0.0.1')
    listening.write(frameOf(Buffer.alloc(0)))
  }, 50)
  await ends(silent)
  assert.equal(listening.destroyed, false)
})

test('VTCP-2: the end of a session ends its connections, and no new one begins', async () => {
  await open()
  const client = await enter()
  port.dismiss(UFRAG)
  await ends(client)
  received = []
  const late = await dial()
  late.write(frameOf(request()))
  await isRefused(late)
})
