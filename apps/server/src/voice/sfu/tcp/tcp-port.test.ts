import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { test } from 'node:test'
import { until } from '#test/until.ts'
import { ends, PASSWORD, request, TcpStage, UFRAG } from '#test/voice/tcp-stage.ts'
import {
  Attribute,
  addressIn,
  decodeStun,
  encodeStun,
  fingerprintFor,
  INTEGRITY_BYTES,
  integrityFor,
  StunType,
} from '../../stun/stun.ts'
import { FrameReader, frameOf } from './frames.ts'

test('VTCP-2: packets go both ways after a first one that is signed with the password', async () => {
  using stage = await TcpStage.open()
  const client = await stage.enter()
  client.write(
    Buffer.concat([frameOf(Buffer.from('one')), frameOf(Buffer.alloc(0)), frameOf(Buffer.from('two'))]),
  )
  await until(async () => stage.received.length === 3, 'they arrive')
  assert.deepEqual(
    stage.received.slice(1).map(({ packet }) => packet.toString()),
    ['one', 'two'],
  )
  const reader = new FrameReader()
  client.on('data', (bytes: Buffer) => reader.add(bytes))
  stage.media.send('back', stage.received[0]?.from.port, '127.0.0.1')
  let answer: ReturnType<FrameReader['next']> = 'incomplete'
  await until(async () => {
    if (answer === 'incomplete') answer = reader.next()
    return answer !== 'incomplete'
  }, 'the answer arrives')
  assert.equal(String(answer), 'back')
})

test('VTCP-4: a tie-breaker of zero is replaced on the way, unless somebody else signed the request', async () => {
  using stage = await TcpStage.open()
  const client = await stage.enter()
  client.write(frameOf(request({ tieBreaker: Buffer.alloc(8) })))
  client.write(frameOf(request({ tieBreaker: Buffer.alloc(8), password: 'another' })))
  await until(async () => stage.received.length === 3, 'they arrive')
  const [, own, other] = stage.received.map(
    ({ packet }) => decodeStun(packet)?.attributes.get(Attribute.iceControlling) ?? Buffer.alloc(0),
  )
  assert.notEqual(own?.readBigUInt64BE(), 0n)
  assert.equal(other?.readBigUInt64BE(), 0n)
})

test('VTCP-4: an answer names the address of the client’s connection, and is signed', async () => {
  using stage = await TcpStage.open()
  const client = await stage.enter()
  const reader = new FrameReader()
  client.on('data', (bytes: Buffer) => reader.add(bytes))
  const [{ packet: first, from } = assert.fail('nothing arrives')] = stage.received
  const asked = decodeStun(first)
  const software = Buffer.from('library')
  const values = [[Attribute.xorMappedAddress, Buffer.alloc(8, 1)] as const, [0x8022, software] as const]
  stage.media.send(
    encodeStun(StunType.binding | 0x100, values, PASSWORD, asked?.transaction),
    from.port,
    '127.0.0.1',
  )
  let answer: ReturnType<FrameReader['next']> = 'incomplete'
  await until(async () => {
    if (answer === 'incomplete') answer = reader.next()
    return answer !== 'incomplete'
  }, 'the answer arrives')
  const bytes = Buffer.from(answer)
  const message = decodeStun(bytes) ?? assert.fail('it is not STUN')
  assert.equal(addressIn(message, Attribute.xorMappedAddress), '127.0.0.1')
  const port = message.attributes.get(Attribute.xorMappedAddress)?.readUInt16BE(2) ?? 0
  assert.equal(port ^ 0x2112, client.localPort)
  assert.deepEqual([message.transaction, message.attributes.get(0x8022)], [asked?.transaction, software])
  const signedUpTo = bytes.length - 8 - INTEGRITY_BYTES
  const signature = message.attributes.get(Attribute.messageIntegrity)
  assert.deepEqual(signature, integrityFor(bytes.subarray(0, signedUpTo), PASSWORD))
  assert.deepEqual(
    message.attributes.get(Attribute.fingerprint),
    fingerprintFor(bytes.subarray(0, bytes.length - 8)),
  )
})

test('VTCP-2: a connection that does not begin with a request of a session is closed, and nothing is forwarded', {
  timeout: 20_000,
}, async () => {
  using stage = await TcpStage.open({ firstPacketMs: 60_000 })
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
    const client = await stage.dial()
    client.write(first)
    await stage.isRefused(client)
  }
  await stage.enter()
})

test('VTCP-5: a first packet that does not come, or comes byte by byte, is not awaited', async () => {
  using stage = await TcpStage.open({ firstPacketMs: 300 })
  const [silent, slow] = [await stage.dial(), await stage.dial()]
  const bytes = frameOf(request())
  // A byte may be on its way when the connection is closed.
  slow.on('error', () => undefined)
  let at = 0
  using _drip = setInterval(() => {
    slow.write(bytes.subarray(at, at + 1))
    at += 1
  }, 20)
  await Promise.all([stage.isRefused(silent), stage.isRefused(slow)])
  await until(async () => stage.port.connections === 0, 'nothing is left')
})

test('VTCP-5: of one address, the oldest connections without a first packet make room; with one they do not count', async () => {
  using stage = await TcpStage.open({ unprovenOfNetwork: 3 })
  await stage.enter()
  await oldestMakeRoom(stage, 4)
})

test('VTCP-5: of the process, the oldest connections without a first packet make room', async () => {
  using stage = await TcpStage.open({ unproven: 3 })
  await oldestMakeRoom(stage, 3)
})

/** Opens three, then three more in the same moment. */
async function oldestMakeRoom(stage: TcpStage, connections: number): Promise<void> {
  const oldest = [await stage.dial(), await stage.dial(), await stage.dial()]
  await until(async () => stage.port.connections === connections, 'they are accepted')
  const newest = await Promise.all([stage.dial(), stage.dial(), stage.dial()])
  await Promise.all(oldest.map(ends))
  assert.equal(stage.port.connections, connections)
  assert.ok(newest.every(({ destroyed }) => !destroyed))
  await stage.enter()
}

test('VTCP-5: connections that end without proof count against their address until their time is over', async () => {
  using stage = await TcpStage.open({ unprovenOfNetwork: 2, firstPacketMs: 500 })
  const startedAt = performance.now()
  const [gone, wrong] = [await stage.dial(), await stage.dial()]
  await until(async () => stage.port.connections === 2, 'they are accepted')
  gone.destroy()
  wrong.write(frameOf(request({ password: 'another' })))
  await ends(wrong)
  await until(async () => stage.port.connections === 0, 'both are gone')
  const early = await stage.dial()
  await stage.isRefused(early)
  assert.ok(performance.now() - startedAt < 500)
  await until(async () => performance.now() - startedAt > 700, 'their time is over')
  await stage.enter()
})

test('VTCP-5: a session, and the port, have only so many connections', async () => {
  using stage = await TcpStage.open({ ofSession: 2, all: 3 })
  await stage.enter()
  await stage.enter()
  const third = await stage.dial()
  third.write(frameOf(request()))
  await ends(third)
  stage.port.admit('another', PASSWORD)
  const other = await stage.dial()
  other.write(frameOf(request({ ufrag: 'another' })))
  await until(async () => stage.received.length === 3, 'another session is not affected')
  const fourth = await stage.dial()
  await ends(fourth)
})

test('VTCP-5: a session may have four connections, so that the library keeps places for its addresses by UDP', async () => {
  using stage = await TcpStage.open()
  for (let link = 0; link < 4; link += 1) await stage.enter()
  const fifth = await stage.dial()
  fifth.write(frameOf(request()))
  await ends(fifth)
  assert.equal(stage.port.connections, 4)
})

test('VTCP-5: connections of a session, one after the other, reach the media port from the ports of one another', async () => {
  using stage = await TcpStage.open({ ofSession: 2 })
  await stage.enter()
  for (let link = 0; link < 50; link += 1) {
    const client = await stage.enter()
    client.destroy()
    await until(async () => stage.port.connections === 1, 'it is gone')
  }
  assert.equal(stage.received.length, 51)
  assert.equal(new Set(stage.received.map(({ from }) => from.port)).size, 2)
})

test('VTCP-5: an idle UDP port of a session receives nothing for the next connection', async () => {
  using stage = await TcpStage.open()
  const first = await stage.enter()
  const from = stage.received[0]?.from.port
  first.destroy()
  await until(async () => stage.port.connections === 0, 'it is gone')
  await new Promise((resolve) => stage.media.send('late', from, '127.0.0.1', resolve))
  const next = await stage.enter()
  assert.equal(stage.received[1]?.from.port, from)
  stage.media.send('new', from, '127.0.0.1')
  const [bytes] = await once(next, 'data')
  assert.deepEqual(bytes, frameOf(Buffer.from('new')))
})

test('VTCP-2: the UDP ports of a session that ended are kept until the library has forgotten it', async () => {
  using stage = await TcpStage.open({ forgottenMs: 300 })
  await stage.enter()
  const from = stage.received[0]?.from.port ?? 0
  stage.port.dismiss(UFRAG)
  await until(async () => stage.port.connections === 0, 'it is gone')
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

test('VTCP-2: the end of a session ends its connections, and no new one begins', async () => {
  using stage = await TcpStage.open()
  const client = await stage.enter()
  stage.port.dismiss(UFRAG)
  await ends(client)
  stage.received.length = 0
  const late = await stage.dial()
  late.write(frameOf(request()))
  await stage.isRefused(late)
})
