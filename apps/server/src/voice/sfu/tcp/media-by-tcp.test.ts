import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { until } from '#test/until.ts'
import { SfuProcess } from '#test/voice/sfu-process.ts'
import { VoicePeer } from '#test/voice/voice-peer.ts'
import { Attribute, decodeStun, encodeStun, isSuccess, type StunMessage, StunType } from '../../stun/stun.ts'
import { FrameReader, frameOf } from './frames.ts'

let sfu: SfuProcess
before(async () => {
  sfu = await SfuProcess.start({ tcpPort: 0 })
})
after(() => sfu.stop())

/** Joins with the candidates of one protocol only, as in a network that forbids the other. */
async function enter(name: string, tone: number, blocked: 'udp' | 'tcp'): Promise<VoicePeer> {
  await sfu.join(name, 'a room')
  return new VoicePeer({ tone }).join(async (offer) => {
    const rows = (await sfu.signal(name, offer)).split('\r\n')
    return rows.filter((row) => !row.startsWith('a=candidate:') || row.split(' ')[2] !== blocked).join('\r\n')
  })
}

async function protocolOf(peer: VoicePeer): Promise<unknown> {
  const reports = [...(await peer.connection.getStats()).values()]
  const pair = reports.find(({ type, nominated }) => type === 'candidate-pair' && nominated === true)
  return reports.find(({ id }) => id === pair?.localCandidateId)?.protocol
}

test('VTCP-1: people without UDP hear each other and those with UDP', async () => {
  using anna = await enter('anna', 300, 'udp')
  using ben = await enter('ben', 700, 'udp')
  using carl = await enter('carl', 1100, 'tcp')
  await Promise.all([anna.hears(700, 1100), ben.hears(300, 1100), carl.hears(300, 700)])
  assert.deepEqual(await Promise.all([anna, ben, carl].map(protocolOf)), ['tcp', 'tcp', 'udp'])
  assert.ok((await sfu.ask('stats', {})).tcpConnections >= 2)
  await sfu.ask('kick', { sessionId: 'anna' })
  await sfu.ask('kick', { sessionId: 'ben' })
  await until(async () => (await sfu.ask('stats', {})).tcpConnections === 0, 'their connections are closed')
})

test('VTCP-1: people whose UDP packets vanish on the way connect by TCP', async () => {
  const nowhere = createSocket('udp4').bind(0, '127.0.0.1')
  await once(nowhere, 'listening')
  let vanished = 0
  nowhere.on('message', () => {
    vanished += 1
  })
  await sfu.join('dora', 'another room')
  using dora = await new VoicePeer({ tone: 300 }).join(async (offer) =>
    (await sfu.signal('dora', offer)).replaceAll(
      ` ${sfu.port} typ host`,
      ` ${nowhere.address().port} typ host`,
    ),
  )
  assert.equal(await protocolOf(dora), 'tcp')
  await until(async () => vanished > 0, 'it has tried UDP')
  nowhere.close()
})

test('VTCP-4: the native library answers a request without a tie-breaker by TCP, as it would not by UDP', async () => {
  await sfu.join('zero', 'a room')
  const peer = new VoicePeer()
  const offer = await peer.offer()
  const answer = await sfu.signal('zero', offer)
  const request = encodeStun(
    StunType.binding,
    [
      [Attribute.username, Buffer.from(`${rowOf(answer, 'ice-ufrag')}:${rowOf(offer, 'ice-ufrag')}`)],
      [Attribute.priority, Buffer.from([0x6e, 0, 0, 0xff])],
      [Attribute.iceControlling, Buffer.alloc(8)],
    ],
    rowOf(answer, 'ice-pwd'),
  )
  assert.equal(isSuccess(await byUdp(request)), false)
  assert.equal(isSuccess(await byTcp(request)), true)
  peer.close()
})

function rowOf(sdp: string, name: string): string {
  return new RegExp(`^a=${name}:(.+?)\r?$`, 'm').exec(sdp)?.[1] ?? ''
}

/** Returns the answer to the request: the library's own requests come, too. */
function answerIn(packet: Buffer, request: Buffer): StunMessage | undefined {
  const message = decodeStun(packet)
  return message?.transaction.equals(request.subarray(8, 20)) ? message : undefined
}

function byUdp(request: Buffer): Promise<StunMessage> {
  const socket = createSocket('udp4')
  const { promise, resolve } = Promise.withResolvers<StunMessage>()
  socket.on('message', (packet) => {
    const answer = answerIn(packet, request)
    if (answer !== undefined) resolve(answer)
  })
  socket.send(request, sfu.port, '127.0.0.1')
  return promise.finally(() => socket.close())
}

function byTcp(request: Buffer): Promise<StunMessage> {
  const socket = connect(sfu.tcpPort, '127.0.0.1')
  const { promise, resolve } = Promise.withResolvers<StunMessage>()
  const reader = new FrameReader()
  socket.on('data', (bytes: Buffer) => {
    reader.add(bytes)
    for (let packet = reader.next(); typeof packet !== 'string'; packet = reader.next()) {
      const answer = answerIn(packet, request)
      if (answer !== undefined) resolve(answer)
    }
  })
  socket.write(frameOf(request))
  return promise.finally(() => socket.destroy())
}
