import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LayeredCamera } from '#test/voice/layered-camera.ts'
import { EXTENSIONS, layeredLine, PictureRoom } from '#test/voice/picture-room.ts'
import { readVp8Packet, vp8Packet } from '#test/voice/vp8-packets.ts'
import { findExtension } from '../header-extensions.ts'

const NAMES = { [EXTENSIONS.mid]: 'cam', [EXTENSIONS.rid]: 'f' }

const SOURCES = { cam: 5, scr: 6, none: 7 }

function begin(height?: number) {
  const room = new PictureRoom()
  const camera = new LayeredCamera(room)
  const viewer = room.enter('jonas')
  room.watch(viewer, { userId: 'mira', source: 'camera', height })
  camera.run(20)
  return { room, camera, viewer, published: camera.client.member.pictures?.published[0] }
}

test('LAYER-2: sources are learned from their first packets, and stay known without the names', () => {
  const { camera, viewer, published } = begin()
  assert.deepEqual(
    published?.layers.map(({ ssrc, height }) => [ssrc, height]),
    [
      [101, 180],
      [102, 360],
      [103, 720],
    ],
  )
  const before = viewer.pictures.length
  camera.frame('f', { extensions: {} })
  assert.equal(viewer.pictures.length, before + 1)
})

test('LAYER-2: a camera and a screen have layers of the same names, told apart by their lines', () => {
  const room = new PictureRoom()
  const both = room.enter('mira', [layeredLine('cam', ['h', 'f']), layeredLine('scr', ['h', 'f'])])
  const viewer = room.enter('jonas')
  room.watch(viewer, { userId: 'mira', source: 'screen' })
  const names = (mid: string) => ({ [EXTENSIONS.mid]: mid, [EXTENSIONS.rid]: 'f' })
  const frame = (sequence: number, mid: keyof typeof SOURCES) =>
    room.send(both, {
      ...{ sequence, ssrc: SOURCES[mid], isKeyFrame: true, height: 720 },
      extensions: names(mid),
    })
  for (let at = 0; at < 10; at += 1) for (const mid of ['cam', 'scr', 'none'] as const) frame(at, mid)
  assert.equal(viewer.pictures.length, 9)
  assert.equal(room.counts.dropped, 10, 'the packets of no line')
})

test('LAYER-2: a thousand sources for one layer take no memory, and disturb nobody', () => {
  const { room, camera, viewer, published } = begin()
  const before = viewer.pictures.length
  for (let count = 0; count < 1000; count += 1) {
    room.send(camera.client, { sequence: count, ssrc: 5000 + count, isKeyFrame: true, extensions: NAMES })
    room.send(camera.client, {
      ...{ sequence: count, ssrc: 90_000 + count, payloadType: 97, repairs: count },
      extensions: { [EXTENSIONS.mid]: 'cam', [EXTENSIONS.repairedRid]: 'q' },
    })
    if (count % 20 === 0) camera.run(1)
  }
  assert.equal(viewer.pictures.length, before + 50)
  assert.equal(published?.layers.length, 3)
  assert.equal(room.counts.dropped, 1000)
})

test('LAYER-2: packets of layers that were not offered, of no layer, or with cut names are dropped', () => {
  const { room, camera, published } = begin()
  const unknown: Record<number, string>[] = [
    { [EXTENSIONS.mid]: 'cam', [EXTENSIONS.rid]: 'x' },
    { [EXTENSIONS.mid]: 'cam' },
    { [EXTENSIONS.rid]: 'f' },
    {},
  ]
  for (const extensions of unknown)
    room.send(camera.client, { sequence: 1, ssrc: 900, isKeyFrame: true, height: 720, extensions })
  assert.equal(room.counts.dropped, unknown.length)
  assert.equal(published?.layers.length, 3)
})

test('LAYER-2: a layer whose source is silent for a second takes another one', () => {
  const { room, camera, viewer, published } = begin()
  camera.ssrcs.f = 777
  camera.frame('f', { isKeyFrame: true })
  assert.equal(published?.layers[2]?.ssrc, 103, 'not at once')
  for (let seconds = 0; seconds < 2; seconds += 1) camera.run(30, ['q', 'h'])
  camera.run(20)
  assert.equal(published?.layers[2]?.ssrc, 777)
  const before = viewer.pictures.length
  camera.frame('f')
  assert.equal(viewer.pictures.length, before + 1)
  room.leave(camera.client)
})

test('LAYER-3: a layer that never sends a key frame does not keep the others from the viewers', () => {
  const room = new PictureRoom()
  const camera = new LayeredCamera(room)
  const viewer = room.enter('jonas')
  room.watch(viewer, { userId: 'mira', source: 'camera' })
  camera.frame('f', { isKeyFrame: true })
  for (let frames = 0; frames < 150; frames += 1) {
    camera.run(1, ['q', 'h'])
    camera.frame('f')
  }
  const before = viewer.pictures.length
  camera.run(10, ['q', 'h'])
  assert.equal(viewer.pictures.length, before + 10)
  const asked = camera.client.keyFrames.filter((ssrc) => ssrc === camera.ssrcs.f).length
  assert.ok(asked >= 4 && asked <= 11, `asked ${asked} times in five seconds`)
})

test('LAYER-3: layers that lie about their heights are never more than one for a viewer', () => {
  const { room, camera, viewer } = begin(360)
  const before = viewer.pictures.length
  for (let frames = 0; frames < 200; frames += 1) {
    const height = [0, 1, 180, 16_383][frames % 4] ?? 0
    camera.frame('q', { isKeyFrame: true, height })
    camera.frame('h', { isKeyFrame: true, height: 360 - (frames % 3) })
    camera.frame('f', { isKeyFrame: frames % 5 === 0, height: 2 })
    room.pass(50)
  }
  const arrived = viewer.pictures.slice(before).map(readVp8Packet)
  const sequences = new Set(arrived.map(({ sequence }) => sequence))
  assert.equal(sequences.size, arrived.length)
  assert.ok(arrived.length <= 600)
  assert.ok(camera.client.keyFrames.length < 200)
})

test('LAYER-3: a picture that is watched twice has the height of the first time', () => {
  const { room, camera, viewer, published } = begin()
  const twice = [180, 720].map((height) => ({ userId: 'mira', source: 'camera' as const, height }))
  room.watch(viewer, ...twice)
  camera.run(20)
  const before = viewer.pictures.length
  camera.frame('q')
  assert.equal(viewer.pictures.length, before + 1)
  const asked = camera.client.keyFrames.length
  room.pass(1000)
  assert.equal(camera.client.keyFrames.length, asked)
  assert.equal(published?.layers[2]?.routes.length, 0)
})

test('LAYER-2: 50,000 mutated packets break nothing, and the picture goes on afterwards', () => {
  const { room, camera, viewer, published } = begin()
  let state = 20_261_128
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  for (let count = 0; count < 50_000; count += 1) {
    const isRepair = random(3) === 0
    const layer = random(2) === 0 ? 'f' : 'q'
    const packet = vp8Packet({
      ...{ sequence: random(65_536), ssrc: random(200), isKeyFrame: random(9) === 0, height: random(900) },
      ...(isRepair ? { payloadType: 97, repairs: random(65_536) } : {}),
      extensions: {
        [EXTENSIONS.mid]: 'cam',
        [isRepair ? EXTENSIONS.repairedRid : EXTENSIONS.rid]: layer,
      },
    })
    for (let changes = random(4); changes > 0; changes -= 1) packet[random(packet.length)] = random(256)
    room.sendBytes(camera.client, random(5) === 0 ? packet.subarray(0, random(packet.length)) : packet)
    if (count % 100 === 0) room.pass(50)
  }
  assert.ok((published?.layers.length ?? 0) <= 3)
  assert.ok(viewer.pictures.every((packet) => packet.length <= 1400 && packet.readUInt32BE(8) > 200))
  room.pass(2000)
  camera.run(60)
  const before = viewer.pictures.length
  camera.run(10)
  assert.equal(viewer.pictures.length, before + 10)
})

test('LAYER-2: header extensions that lie about their lengths are not read', () => {
  const good = vp8Packet({ sequence: 1, extensions: NAMES })
  assert.equal(findExtension(good, EXTENSIONS.mid)?.toString(), 'cam')
  assert.equal(findExtension(good, EXTENSIONS.repairedRid), undefined)
  for (let length = 0; length < good.length; length += 1) {
    const cut = good.subarray(0, length)
    assert.ok(length >= 24 || findExtension(cut, EXTENSIONS.mid) === undefined)
  }
  for (const [at, value] of [
    [12, 0x10],
    [15, 200],
    [16, 0x4f],
  ] as const) {
    const bad = Buffer.from(good)
    bad[at] = value
    const found = findExtension(bad, EXTENSIONS.mid)
    assert.ok(found === undefined || found.length <= 16)
    assert.notEqual(found?.toString(), 'cam')
  }
})
