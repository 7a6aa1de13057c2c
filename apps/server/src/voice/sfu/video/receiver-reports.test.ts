import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { LayeredCamera } from '#test/voice/layered-camera.ts'
import { type PictureClient, PictureRoom } from '#test/voice/picture-room.ts'
import { soundPacket } from '#test/voice/sound-packet.ts'
import { writeSenderReport } from './rtcp.ts'

const MICROPHONE = 9
const RECEIVER_REPORT = 201
const BLOCK_BYTES = 24
const AT = { seconds: 3_980_000_000, fraction: 0x8000_0000 }
/** The middle 32 bits of that time. */
const LAST_REPORT = ((AT.seconds << 16) | (AT.fraction >>> 16)) >>> 0

interface Reported {
  readonly sources: readonly number[]
  readonly fractionLost: number
  readonly lost: number
  readonly highest: number
  readonly lastReport: number
  readonly delay: number
  /** True if a REMB follows. */
  readonly hasBandwidth: boolean
}

/** Keeps the receiver reports that the client is sent from now on. */
function keepReports({ member }: PictureClient): Reported[] {
  const kept: Reported[] = []
  const send = (packet: Buffer) => {
    const count = (packet[0] ?? 0) & 31
    // Others are before a request.
    if (packet[1] === RECEIVER_REPORT && count > 0) kept.push(read(packet))
    return true
  }
  if (member.peer) member.peer = { ...member.peer, send }
  return kept
}

/** Reads the sources, and the numbers of the last block. */
function read(packet: Buffer): Reported {
  const count = (packet[0] ?? 0) & 31
  const last = 8 + (count - 1) * BLOCK_BYTES
  return {
    sources: Array.from({ length: count }, (_, at) => packet.readUInt32BE(8 + at * BLOCK_BYTES)),
    fractionLost: packet.readUInt8(last + 4),
    lost: packet.readUIntBE(last + 5, 3),
    highest: packet.readUInt32BE(last + 8),
    lastReport: packet.readUInt32BE(last + 16),
    delay: packet.readUInt32BE(last + 20),
    hasBandwidth: packet.length > 8 + count * BLOCK_BYTES,
  }
}

/** Lets the client speak for a second. */
function speak(
  room: PictureRoom,
  client: PictureClient,
  { from, without }: { from: number; without?: number },
) {
  for (let at = from; at < from + 50; at += 1) {
    if (at !== without) room.sendSound(client, soundPacket(at, at * 960))
    if (at % 5 === 0) room.pass(100)
  }
}

suite('VIDEO-7: a client with lines for pictures gets a receiver report every second', () => {
  test('on its voice, from which it computes the round trip, without a bandwidth', () => {
    const room = new PictureRoom()
    const jonas = room.enter('jonas')
    const reports = keepReports(jonas)
    room.pass(2000)
    assert.deepEqual([...reports], [])
    speak(room, jonas, { from: 100, without: 120 })
    room.pass(500)
    room.report(jonas, writeSenderReport(MICROPHONE, { ...AT, timestamp: 0, packets: 0, octets: 0 }))
    room.pass(1000)
    const last = reports.at(-1)
    assert.ok(last && reports.length === 3, `${reports.length} reports in 2.5 s`)
    assert.deepEqual(
      { ...last, delay: 0 },
      {
        ...{ sources: [MICROPHONE], fractionLost: 0, lost: 1, highest: 149 },
        ...{ lastReport: LAST_REPORT, delay: 0, hasBandwidth: false },
      },
    )
    const delayMs = (1000 * last.delay) / 65_536
    assert.ok(delayMs > 0 && delayMs <= 1000, `${delayMs} ms`)
  })

  test('on a voice that may not be heard, without losses', () => {
    const room = new PictureRoom()
    const jonas = room.enter('jonas')
    const reports = keepReports(jonas)
    room.setRights(jonas, { ...jonas.member.rights, canSpeak: false })
    speak(room, jonas, { from: 100 })
    room.setRights(jonas, { ...jonas.member.rights, canSpeak: true })
    speak(room, jonas, { from: 150 })
    room.pass(1000)
    assert.equal(reports.at(-1)?.lost, 0)
    assert.equal(reports.at(-1)?.highest, 199)
  })

  test('on its pictures and its voice together, with a bandwidth that comes at once', () => {
    const room = new PictureRoom()
    const camera = new LayeredCamera(room)
    const reports = keepReports(camera.client)
    speak(room, camera.client, { from: 100 })
    room.pass(300)
    assert.ok(reports.length === 2 && reports.every(({ hasBandwidth }) => !hasBandwidth))
    camera.run(3)
    assert.equal(reports.at(-1)?.hasBandwidth, true)
    reports.length = 0
    camera.run(40)
    assert.ok(reports.length > 0 && reports.every(({ hasBandwidth }) => hasBandwidth))
    assert.ok(reports.every(({ sources }) => sources.length === 4 && sources.at(-1) === MICROPHONE))
  })
})
