import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { soundPacket } from '#test/voice/sound-packet.ts'
import { vp8Only, vp8Packet } from '#test/voice/vp8-packets.ts'
import type { MediaLine } from '../offer-lines.ts'
import { Publisher } from '../publisher.ts'
import { Splice } from '../splice.ts'
import { PicturePublisher } from './picture-publisher.ts'
import { PictureSlot } from './picture-slot.ts'
import { PictureSplice } from './picture-splice.ts'
import type { SenderReport } from './reception.ts'
import { readFeedback, writeSenderReport } from './rtcp.ts'
import { ntpOf } from './sender-clock.ts'

const AT = { seconds: 3_980_000_000, fraction: 0x8000_0000 }
/** A time of the sender, whose clock is another one than ours. */
const atMs = (ms: number) => ({
  ...AT,
  seconds: AT.seconds + Math.floor(ms / 1000),
  fraction: Math.round(((ms % 1000) / 1000) * 2 ** 32),
})
const COUNTS = { forwarded: 0, dropped: 0 }
const STREAMS = {
  layers: [],
  extensions: {
    mid: undefined,
    rid: undefined,
    repairedRid: undefined,
    sentAt: undefined,
    sequence: undefined,
  },
}
const OWN = { userId: 'mira', source: 'camera', counts: COUNTS } as const

/** A viewer's connection, which keeps what it is sent. */
class Recorder {
  readonly packets: Buffer[] = []
  readonly reports: (SenderReport & { ssrc: number; packets: number; octets: number })[] = []

  send(packet: Buffer): boolean {
    const listener = { onMissing: () => undefined, onPictureLoss: () => undefined }
    const before = this.reports.length
    readFeedback(packet, {
      ...listener,
      onSenderReport: (ssrc, report) => {
        const counts = { packets: packet.readUInt32BE(20), octets: packet.readUInt32BE(24) }
        this.reports.push({ ssrc, ...report, ...counts })
      },
    })
    if (this.reports.length === before) this.packets.push(Buffer.from(packet))
    return true
  }
}

function line(kind: MediaLine['kind'], use: MediaLine['use']): MediaLine & { ssrc: number } {
  const numbers = { payloadType: kind === 'audio' ? 111 : 96, ssrc: 77, levelExtension: undefined }
  return {
    kind,
    use,
    mid: '0',
    protocol: 'UDP/TLS/RTP/SAVPF',
    codecs: kind === 'audio' ? [] : vp8Only(96),
    repairSsrc: undefined,
    feedback: [],
    ...numbers,
    ...STREAMS,
  }
}

function newSplice(at: number): PictureSplice {
  const numbers = { sequence: 100 * at, timestamp: 7_000_000 * (at + 1) }
  return new PictureSplice({ ssrc: 1000 + at, codecs: vp8Only(97), repair: undefined, ...numbers })
}

/** A camera in the slots of viewers. */
function camera(viewers: readonly Recorder[]) {
  const picture = new PicturePublisher(line('video', 'camera'), OWN)
  picture.setAllowed(true)
  const [layer] = picture.layers
  assert.ok(layer)
  const slots = viewers.map((_, at) => new PictureSlot(newSplice(at)))
  for (const slot of slots) slot.choose(layer)
  layer.routes = slots.flatMap((slot, at) => viewers.slice(at, at + 1).map((peer) => ({ slot, peer })))
  return {
    slots,
    receive: (received: Buffer, nowMs: number) =>
      picture.receive(received, { layer, isRepair: false, nowMs }),
    receiveReport: (report: SenderReport, nowMs: number) => layer.receiveReport(report, nowMs),
    report: (nowMs: number) => layer.report(nowMs),
    setAllowed: (isAllowed: boolean) => picture.setAllowed(isAllowed),
  }
}

function microphone(listeners: readonly { peer: Recorder; takesReports: boolean }[]) {
  const sound = new Publisher(line('audio', 'microphone'), COUNTS, { canSpeak: true })
  sound.routes = listeners.map((listener, at) => {
    const stream = { ssrc: 2000 + at, payloadType: 109, sequence: 0, timestamp: 2 ** 32 - 1000 }
    return { ...listener, splice: new Splice(stream) }
  })
  return sound
}

suite('VIDEO-11: the report of a sender', () => {
  test('is read as it is written', () => {
    const report = { ...AT, timestamp: 4_000_000_000 }
    const told: unknown[] = []
    readFeedback(writeSenderReport(9, { ...report, packets: 3, octets: 400 }), {
      onSenderReport: (...given) => told.push(given),
      onMissing: () => undefined,
      onPictureLoss: () => undefined,
    })
    assert.deepEqual(told, [[9, report]])
  })

  test('of a picture reaches each viewer with the numbers of its own stream, and the time of the server', () => {
    const viewers = [new Recorder(), new Recorder()]
    const picture = camera(viewers)
    picture.receive(vp8Packet({ sequence: 50, isKeyFrame: true, timestamp: 900_000 }), 1000)
    picture.receiveReport({ ...AT, timestamp: 900_000 }, 1000)
    picture.report(1500)
    for (const [at, { packets, reports }] of viewers.entries()) {
      const shown = packets[0]?.readUInt32BE(4) ?? 0
      const octets = (packets[0]?.length ?? 0) - 12
      const expected = { ssrc: 1000 + at, ...ntpOf(1500), timestamp: shown + 45_000, packets: 1, octets }
      assert.deepEqual(reports, [expected], 'half a second after the packet')
    }
    assert.notEqual(viewers[0]?.reports[0]?.timestamp, viewers[1]?.reports[0]?.timestamp)
  })

  test('waits for a packet, for the sender’s report and for the picture', () => {
    const viewer = new Recorder()
    const picture = camera([viewer])
    picture.receiveReport({ ...AT, timestamp: 900_000 }, 0)
    picture.report(0)
    assert.equal(viewer.reports.length, 0, 'the viewer has no packet yet')
    picture.receive(vp8Packet({ sequence: 50, isKeyFrame: true, timestamp: 900_000 }), 0)
    picture.slots[0]?.splice.restart()
    picture.report(100)
    assert.equal(viewer.reports.length, 0, 'its slot waits for a key frame')
    picture.receive(vp8Packet({ sequence: 51, isKeyFrame: true, timestamp: 1_080_000 }), 2000)
    picture.report(2000)
    assert.equal(viewer.reports[0]?.timestamp, viewer.packets[1]?.readUInt32BE(4))
    picture.setAllowed(false)
    picture.report(4000)
    assert.equal(viewer.reports.length, 1, 'what is not shown is not reported')
  })

  test('is sent once a second, however many arrive, and not while the sender sends nothing', () => {
    const viewers = [new Recorder(), new Recorder()]
    const picture = camera(viewers)
    for (let at = 0; at < 3000; at += 10) {
      const timestamp = 900_000 + at * 90
      picture.receive(vp8Packet({ sequence: at / 10, isKeyFrame: at === 0, timestamp }), at)
      picture.receiveReport({ ...atMs(at), timestamp }, at)
      picture.report(at)
    }
    for (let at = 4000; at < 9000; at += 50) picture.report(at)
    assert.deepEqual(
      viewers.map(({ reports }) => reports.length),
      [3, 3],
    )
  })

  test('that does not fit the packets is not used', () => {
    const viewer = new Recorder()
    const picture = camera([viewer])
    picture.receive(vp8Packet({ sequence: 50, isKeyFrame: true, timestamp: 900_000 }), 0)
    for (const seconds of [-1, 3, 1000]) {
      picture.receiveReport({ ...AT, timestamp: (900_000 + seconds * 90_000) >>> 0 }, 0)
      picture.report(0)
    }
    assert.equal(viewer.reports.length, 0)
    picture.receiveReport({ ...AT, timestamp: 900_000 }, 0)
    picture.report(0)
    assert.equal(viewer.reports.length, 1)
  })

  test('of a sound reaches those who also receive pictures, across the turn of the timestamps', () => {
    const [viewer, listener] = [new Recorder(), new Recorder()]
    const sound = microphone([
      { peer: viewer, takesReports: true },
      { peer: listener, takesReports: false },
    ])
    sound.receive(soundPacket(1, 480, 77), 0)
    sound.receiveReport({ ...AT, timestamp: 480 }, 0)
    sound.report(500)
    const shown = viewer.packets[0]?.readUInt32BE(4) ?? 0
    const expected = { ssrc: 2000, ...ntpOf(500), timestamp: (shown + 24_000) >>> 0, packets: 1, octets: 80 }
    assert.deepEqual(viewer.reports, [expected])
    assert.equal(listener.packets.length, 1)
    assert.deepEqual(listener.reports, [])
    sound.setCanSpeak(false, 600)
    sound.report(1600)
    assert.equal(viewer.reports.length, 1)
  })
})
