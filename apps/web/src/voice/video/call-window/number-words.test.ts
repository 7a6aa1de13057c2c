import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receivedFacts, routeFacts, sentFacts } from './number-words.ts'

const picture = {
  source: 'camera',
  width: 640,
  height: 360,
  codec: 'AV1',
  framesPerSecond: 29.7,
  bitsPerSecond: 512_400,
} as const
const unisolated = (facts: string[]) => facts.map((fact) => fact.replaceAll(/[\u2068\u2069]/g, ''))

test('CALLWINDOW-3: the figures say the route, the size, the frames, the loss and the delay', () => {
  assert.deepEqual(unisolated(routeFacts({ protocol: 'tcp', isRelayed: true, rttMs: 20.4 })), [
    'Route: TCP',
    'through a TURN server',
    'Ping: 20 ms',
  ])
  assert.deepEqual(
    unisolated(
      receivedFacts({
        ...{ ...picture, user_id: 'ada', layer: { position: 2, count: 3 } },
        ...{ lossPercent: 1.25, delayMs: 48.6 },
      }),
    ),
    ['640 × 360', 'AV1', '30 frames/s', '512 kbit/s', 'Layer 2 of 3', 'Packet loss: 1.3%', 'Delay: 49 ms'],
  )
  assert.deepEqual(
    unisolated(sentFacts({ ...picture, rid: 'h', limit: 'cpu' })).at(-1),
    'limited by this device',
  )
  assert.equal(sentFacts({ ...picture, codec: 'H264', rid: 'h', limit: undefined })[1], 'H.264')
})

test('CALLWINDOW-3: what the browser does not measure is left out', () => {
  assert.deepEqual(routeFacts({ protocol: undefined, isRelayed: false, rttMs: undefined }), [])
  const hidden = {
    ...picture,
    width: undefined,
    height: undefined,
    codec: undefined,
    framesPerSecond: undefined,
    bitsPerSecond: undefined,
  }
  const facts = receivedFacts({
    ...hidden,
    user_id: 'ada',
    layer: undefined,
    lossPercent: 0,
    delayMs: undefined,
  })
  assert.deepEqual(unisolated(facts), ['0 frames/s', 'Packet loss: 0%'])
})
