import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { clientTime } from '#test/voice/extended-report.ts'
import { LayeredCamera } from '#test/voice/layered-camera.ts'
import { type PictureClient, PictureRoom } from '#test/voice/picture-room.ts'
import { soundPacket } from '#test/voice/sound-packet.ts'
import { partsOf, writeSenderReport } from './rtcp.ts'

const MICROPHONE = 9
const RECEIVER_REPORT = 201
const EXTENDED_REPORT = 207
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

/** Keeps the answers to the client's times that it is sent from now on. */
function keepAnswers({ member }: PictureClient): Buffer[] {
  const kept: Buffer[] = []
  const send = (packet: Buffer) => {
    kept.push(...partsOf(packet).filter((part) => part[1] === EXTENDED_REPORT))
    return true
  }
  if (member.peer) member.peer = { ...member.peer, send }
  return kept
}

suite('VIDEO-7: the time in a client’s extended report', () => {
  test('is answered at once, so that a viewer that sends nothing knows the round trip', () => {
    const room = new PictureRoom()
    const jonas = room.enter('jonas')
    const answers = keepAnswers(jonas)
    room.report(jonas, clientTime(0x1234_5678, 0xab_cd_01_23))
    assert.deepEqual(
      answers.map((answer) => answer.subarray(8).toString('hex')),
      ['05000003' + '12345678' + 'abcd0123' + '00000000'],
    )
  })

  test('is answered at most twice a second', () => {
    const room = new PictureRoom()
    const jonas = room.enter('jonas')
    const answers = keepAnswers(jonas)
    for (let at = 0; at < 10; at += 1) {
      for (let slot = 0; slot < 8; slot += 1) room.report(jonas, clientTime(7, at))
      room.pass(100)
    }
    assert.equal(answers.length, 2)
  })

  test('is not answered if it is cut off, of the wrong length, or not there', () => {
    const room = new PictureRoom()
    const jonas = room.enter('jonas')
    const answers = keepAnswers(jonas)
    const whole = clientTime(7, 9)
    const without = Buffer.from(whole.subarray(0, 16))
    without.writeUInt16BE(3, 2)
    const cut = Buffer.from(whole.subarray(0, 24))
    cut.writeUInt16BE(5, 2)
    const long = Buffer.from(whole)
    long.writeUInt16BE(3, 18)
    for (const packet of [without, cut, long, whole.subarray(0, 27)]) room.report(jonas, packet)
    assert.deepEqual(answers, [])
  })
})
