import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withOpusOptions } from '@foyer/sdk/voice/answer'
import { linesOf, nativeAnswerOf, offerOf, slotStreamsOf } from '@foyer/sdk/voice/bundled-sdp'
import { opusDurationMs } from '@foyer/sdk/voice/opus'
import { OpusSender } from '@foyer/sdk/voice/opus-sender'
import { QualityMeter } from '@foyer/sdk/voice/quality'
import { type RtpPacket, readRtp, writeRtp } from '@foyer/sdk/voice/rtp'
import type { Stat } from '@foyer/sdk/voice/stats'

/** 20 ms of CELT. */
const FRAME = Uint8Array.of(0xf8, 1, 2)

const OWN = { microphone: 5, sound: 6, camera: 7, screen: 8 }

const ANSWER = [
  'v=0',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111',
  'a=rtpmap:111 opus/48000/2',
  'a=fmtp:111 minptime=10;useinbandfec=0',
  'a=rtpmap:0 PCMU/8000',
  'a=fmtp:0 x=1',
  'a=ice-ufrag:abcd',
  'a=ice-pwd:secret',
  'a=fingerprint:sha-256 AA:BB',
  'a=setup:passive',
  'a=candidate:1 1 udp 1 192.0.2.1 7882 typ host',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111',
  'a=ssrc:77 cname:foyer-1',
  'a=candidate:1 1 udp 1 192.0.2.1 7882 typ host',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111',
  'a=ssrc:78 cname:foyer-2',
  '',
].join('\r\n')

describe('SDP', () => {
  test('asks a browser for error correction and silence suppression', () => {
    const rows = withOpusOptions(ANSWER).split('\r\n')
    assert.ok(rows.includes('a=fmtp:111 minptime=10;useinbandfec=1;usedtx=1'))
    assert.ok(rows.includes('a=fmtp:0 x=1'), 'other codecs have no such options')
  })

  test('of the native library and of the server describes one transport', () => {
    const native = nativeAnswerOf(ANSWER)
    assert.equal(native.match(/^m=/gm)?.length, 1)
    assert.equal(native.match(/^a=candidate:/gm)?.length, 1)
    assert.match(native, /a=ice-pwd:secret\r\n/)
    const lines = linesOf({ slots: 2, video: null }, OWN)
    const offer = offerOf(native, lines)
    assert.deepEqual(offer.match(/^a=(sendonly|recvonly)/gm), ['a=sendonly', 'a=recvonly', 'a=recvonly'])
    assert.equal(offer.match(/^a=ssrc:5 /gm)?.length, 1)
    assert.deepEqual(
      [...slotStreamsOf(ANSWER, lines)].map(([ssrc, { use, slot }]) => [ssrc, use, slot]),
      [
        [77, 'voice', 0],
        [78, 'voice', 1],
      ],
    )
  })

  test('of a bot with pictures has its lines in the order in which the server reads them', () => {
    const offer = offerOf(nativeAnswerOf(ANSWER), linesOf({ slots: 1, video: { slots: 2, sounds: 1 } }, OWN))
    const kinds = offer.split(/^m=/m).slice(1)
    assert.deepEqual(
      kinds.map((line) => [
        /^\w+/.exec(line)?.[0],
        /sendonly|recvonly/.exec(line)?.[0],
        /ssrc:(\d)/.exec(line)?.[1],
      ]),
      [
        ['audio', 'sendonly', '5'],
        ['audio', 'recvonly', undefined],
        ['audio', 'sendonly', '6'],
        ['audio', 'recvonly', undefined],
        ['video', 'sendonly', '7'],
        ['video', 'sendonly', '8'],
        ['video', 'recvonly', undefined],
        ['video', 'recvonly', undefined],
      ],
    )
  })
})

describe('packets', () => {
  const packet: RtpPacket = {
    ssrc: 7,
    sequence: 65_535,
    timestamp: 2 ** 32 - 1,
    marker: true,
    payload: FRAME,
  }

  test('are parsed as they were written', () => {
    const read = readRtp(writeRtp(packet))
    assert.deepEqual({ ...read, payload: Uint8Array.from(read?.payload ?? []) }, packet)
  })

  test('are parsed without their other parts', () => {
    const extension = Buffer.from('bede000110ff0000', 'hex')
    const header = writeRtp({ ...packet, payload: new Uint8Array() })
    header[0] = 0x80 | 0x20 | 0x10 | 1
    const bytes = Buffer.concat([header, Buffer.alloc(4), extension, FRAME, Buffer.from([0, 0, 3])])
    assert.deepEqual(Uint8Array.from(readRtp(bytes)?.payload ?? []), FRAME)
  })

  test('that are not media, or have a wrong length, are not parsed', () => {
    const report = writeRtp(packet)
    report[1] = 200
    const short = writeRtp(packet)
    short[0] = 0x90
    const padded = writeRtp(packet)
    padded[0] = 0xa0
    padded[padded.length - 1] = 200
    for (const bytes of [report, short, padded, Buffer.alloc(0), Buffer.alloc(12)])
      assert.equal(readRtp(bytes), undefined)
  })

  test('of Opus have the duration of their first bytes', () => {
    const durations = [[0x18], [0x60], [0x80], [0xf8], [0xf9], [0xfb, 0x03]].map((bytes) =>
      opusDurationMs(Uint8Array.from(bytes)),
    )
    assert.deepEqual(durations, [60, 10, 2.5, 20, 40, 60])
  })
})

describe('a sender of frames', () => {
  test('sends each when the previous one has been played, numbered by their duration', async () => {
    const sent: { at: number; packet: RtpPacket }[] = []
    const sender = new OpusSender(7, (packet) => sent.push({ at: performance.now(), packet }) > 0)
    const began = performance.now()
    const results = await Promise.all([FRAME, FRAME, FRAME].map((frame) => sender.push(frame)))
    assert.deepEqual(results, [true, true, true])
    const [first, second, third] = sent
    assert.ok(first && second && third)
    assert.ok(third.at - began >= 39, 'they were sent in a burst')
    const passed = second.packet.timestamp - first.packet.timestamp
    // On a busy machine, the second one may be so late that it ends a pause.
    assert.ok(second.packet.marker ? passed > 960 : passed === 960, `${passed}`)
    assert.deepEqual([first.packet.marker, second.packet.sequence - first.packet.sequence], [true, 1])
  })

  test('refuses what will not be sent', async () => {
    const sender = new OpusSender(7, () => true)
    const waiting = Array.from({ length: 1600 }, () => sender.push(FRAME))
    assert.equal(await waiting.at(-1), false, 'half a minute is waiting')
    sender.clear()
    assert.equal((await Promise.all(waiting)).filter((isSent) => isSent).length, 1)
  })
})

test('quality is derived from packets lost since the last report, in the worse direction', () => {
  const meter = new QualityMeter()
  const report = (packetsReceived: number, packetsLost: number, fractionLost: number) =>
    new Map(
      Object.entries({
        pair: { type: 'candidate-pair', state: 'succeeded', nominated: true, currentRoundTripTime: 0.03 },
        other: { type: 'candidate-pair', state: 'failed', nominated: false, currentRoundTripTime: 9 },
        slot: { type: 'inbound-rtp', packetsReceived, packetsLost, jitter: 0.002 },
        quiet: { type: 'inbound-rtp', packetsReceived: 0, packetsLost: 0, jitter: 0 },
        sent: { type: 'remote-inbound-rtp', fractionLost },
      }),
    )
  assert.deepEqual(meter.measure(report(90, 10, 0)), { rttMs: 30, lossPercent: 10, jitterMs: 2 })
  assert.equal(meter.measure(report(190, 10, 0)).lossPercent, 0)
  assert.equal(meter.measure(report(290, 10, 0.25)).lossPercent, 25)
  assert.deepEqual(meter.measure(new Map()), { rttMs: undefined, lossPercent: 0, jitterMs: undefined })
})

test('the round trip is that of the pair in use, which Chromium names before it is nominated', () => {
  const report = new Map<string, Stat>([
    ['first', { type: 'candidate-pair', state: 'succeeded', currentRoundTripTime: 9 }],
    ['chosen', { type: 'candidate-pair', state: 'succeeded', nominated: false, currentRoundTripTime: 0.03 }],
    ['transport', { type: 'transport', selectedCandidatePairId: 'chosen' }],
  ])
  assert.equal(new QualityMeter().measure(report).rttMs, 30)
})
