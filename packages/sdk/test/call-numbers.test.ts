import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KnownPictures, NumbersMeter } from '@foyer/sdk/voice/call-numbers'
import type { Stat } from '@foyer/sdk/voice/stats'
import { makeTrack } from './voice-fixture.ts'

const named = (id: string): MediaStreamTrack => Object.assign(makeTrack(), { id })
const known: KnownPictures = {
  received: [{ user_id: 'ada', source: 'camera', track: named('slot 0'), layer: { position: 2, count: 3 } }],
  sent: { camera: named('own camera'), screen: null, sound: null },
}
const line = { type: 'inbound-rtp', kind: 'video', frameWidth: 640, frameHeight: 360, framesPerSecond: 30 }
const out = { type: 'outbound-rtp', kind: 'video', mediaSourceId: 'source', active: true }

/** @param at seconds since the start, at steady rates */
function report(at: number): [string, Stat][] {
  const inbound = {
    timestamp: at * 1000,
    bytesReceived: 50_000 * at,
    packetsReceived: 90 * at,
    packetsLost: 10 * at,
    jitterBufferDelay: 1.5 * at,
    jitterBufferEmittedCount: 30 * at,
  }
  return [
    ['transport', { type: 'transport', selectedCandidatePairId: 'pair' }],
    ['other', { type: 'candidate-pair', state: 'succeeded', nominated: true, localCandidateId: 'wrong' }],
    ['pair', { type: 'candidate-pair', currentRoundTripTime: 0.025, localCandidateId: 'local' }],
    ['local', { type: 'local-candidate', protocol: 'tcp', candidateType: 'relay' }],
    ['in', { ...line, ...inbound, trackIdentifier: 'slot 0', codecId: 'av1' }],
    ['av1', { type: 'codec', mimeType: 'video/AV1' }],
    ['free', { ...line, trackIdentifier: 'slot 1' }],
    ['source', { type: 'media-source', kind: 'video', trackIdentifier: 'own camera' }],
    ['f', { ...out, rid: 'f', frameHeight: 720, bytesSent: 200_000 * at, timestamp: at * 1000 }],
    ['q', { ...out, rid: 'q', frameHeight: 180, qualityLimitationReason: 'bandwidth' }],
    ['h', { ...out, rid: 'h', active: false }],
  ]
}

test('CALLWINDOW-3: figures name the route, each picture that arrives, and each layer that is sent', () => {
  const meter = new NumbersMeter()
  assert.equal(
    meter.measure(report(1), known).received[0]?.bitsPerSecond,
    undefined,
    'there is nothing to compare with',
  )
  const { received, sent, ...route } = meter.measure(report(3), known)
  assert.deepEqual(route, { protocol: 'tcp', isRelayed: true, rttMs: 25 })
  assert.deepEqual(received, [
    {
      user_id: 'ada',
      layer: { position: 2, count: 3 },
      source: 'camera',
      width: 640,
      height: 360,
      codec: 'AV1',
      framesPerSecond: 30,
      bitsPerSecond: 400_000,
      lossPercent: 10,
      delayMs: 50,
    },
  ])
  assert.deepEqual(
    sent.map(({ rid, source, height, limit, bitsPerSecond }) => [rid, source, height, limit, bitsPerSecond]),
    [
      ['q', 'camera', 180, 'bandwidth', undefined],
      ['f', 'camera', 720, undefined, 1_600_000],
    ],
  )
})

test('CALLWINDOW-3: without a transport the nominated pair counts, and an empty report has no figures', () => {
  const rows = report(1).filter(([id]) => id !== 'transport' && id !== 'pair')
  const stats: [string, Stat][] = [...rows, ['wrong', { type: 'local-candidate', protocol: 'UDP' }]]
  assert.equal(new NumbersMeter().measure(stats, known).protocol, 'udp')
  assert.deepEqual(new NumbersMeter().measure([], known), {
    protocol: undefined,
    isRelayed: false,
    rttMs: undefined,
    received: [],
    sent: [],
  })
})
