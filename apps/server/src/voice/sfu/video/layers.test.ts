import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { HEIGHTS, LayeredCamera, RIDS } from '#test/voice/layered-camera.ts'
import { type PictureClient, PictureRoom } from '#test/voice/picture-room.ts'
import { type readVp8Packet, vp8Packet } from '#test/voice/vp8-packets.ts'
import { PicturePacket } from './picture-packet.ts'
import { writeMissing, writePictureLoss, writeSenderReport } from './rtcp.ts'
import { ntpOf } from './sender-clock.ts'

type Packet = ReturnType<typeof readVp8Packet>

/** A camera in three layers that has begun, and who watches it. */
function begin(heights: readonly (number | undefined)[] = []) {
  const room = new PictureRoom()
  const camera = new LayeredCamera(room)
  const viewers = heights.map((height, at) => {
    const viewer = room.enter(`viewer ${at}`)
    look(room, viewer, height)
    return viewer
  })
  camera.run(20)
  return { room, camera, viewers }
}

function look(room: PictureRoom, viewer: PictureClient, height?: number): void {
  room.watch(viewer, { userId: 'mira', source: 'camera', height })
}

/** Returns the height of the layer that a client receives; undefined if nothing arrives. */
function received(viewer: PictureClient, camera: LayeredCamera): number | undefined {
  const before = viewer.pictures.length
  const arrived = RIDS.filter((rid) => {
    const earlier = viewer.pictures.length
    camera.frame(rid)
    return viewer.pictures.length > earlier
  })
  assert.ok(viewer.pictures.length - before <= 1, 'never more than one layer')
  return arrived[0] && HEIGHTS[arrived[0]]
}

/** Checks that the stream of a viewer has no gap and no jump back. */
function checkContinuous(packets: readonly Packet[]): void {
  for (const [at, { sequence, timestamp, pictureId, baseIndex = 0, ssrc }] of packets.entries()) {
    const before = packets[at - 1]
    if (before === undefined) continue
    assert.equal(ssrc, before.ssrc)
    assert.equal(sequence, (before.sequence + 1) & 0xffff)
    assert.equal(pictureId, (before.pictureId + 1) & 0x7fff)
    assert.equal(baseIndex, ((before.baseIndex ?? 0) + 1) & 0xff)
    const ticks = (timestamp - before.timestamp) >>> 0
    assert.ok(ticks > 0 && ticks <= 90_000, `${ticks} ticks`)
  }
}

test('a test packet says its height, and a viewer’s packet has no header extensions', () => {
  const packet = new PicturePacket()
  const wanted = { sequence: 1, isKeyFrame: true, height: 720, extensions: { 4: 'cam', 10: 'f' } }
  assert.ok(packet.read(vp8Packet(wanted), 'VP8', false))
  assert.deepEqual([packet.height, packet.bytes.length], [720, 38])
})

suite('LAYER-3: the layer of a viewer', () => {
  test('is the lowest that fills the height, and the highest for who gives none', () => {
    const { camera, viewers } = begin([undefined, 1, 180, 181, 360, 361, 4000])
    assert.deepEqual(
      viewers.map((viewer) => received(viewer, camera)),
      [720, 180, 180, 360, 360, 720, 720],
    )
  })

  test('is another one while the sender has turned it off', () => {
    const { camera, viewers } = begin([undefined])
    const [viewer] = viewers
    assert.ok(viewer)
    camera.run(30, ['q', 'h'])
    const before = viewer.pictures.length
    camera.run(5, ['q', 'h'])
    assert.equal(viewer.pictures.length, before + 5, 'the layer of 360')
    camera.frame('f', { isKeyFrame: true })
    camera.run(20)
    assert.equal(received(viewer, camera), 720)
    checkContinuous(viewer.streams)
  })

  test('goes on if all layers pause together, as with a still screen', () => {
    const { room, camera, viewers } = begin([undefined])
    room.pass(8000)
    camera.run(1)
    const [viewer] = viewers
    assert.ok(viewer)
    assert.equal(received(viewer, camera), 720)
  })

  test('BUDGET-8: is one that fits into the budget of its viewer alone', () => {
    const { room, camera, viewers } = begin([undefined, undefined])
    const [slow, fast] = viewers
    assert.ok(slow?.member.pictures && fast)
    camera.run(20)
    slow.member.pictures.viewer.budgetBps = 1
    look(room, slow, 720)
    assert.deepEqual([received(slow, camera), received(fast, camera)], [undefined, 720])
    // Its line is measured again, and has no limit. The layer that was too much waits.
    room.pass(200)
    camera.run(20)
    assert.equal(received(slow, camera), 360)
    room.pass(5000)
    camera.run(20)
    assert.equal(received(slow, camera), 720)
  })

  test('BUDGET-8: comes back at once if it was too much in its first second, when its rate was not known', () => {
    const room = new PictureRoom()
    const camera = new LayeredCamera(room)
    const viewer = room.enter('viewer')
    look(room, viewer)
    camera.run(10)
    assert.ok(viewer.member.pictures)
    viewer.member.pictures.viewer.budgetBps = 1
    look(room, viewer, 720)
    assert.equal(received(viewer, camera), undefined)
    // Its line is measured again, and has no limit.
    room.pass(200)
    camera.run(20)
    assert.equal(received(viewer, camera), 720)
  })
})

suite('LAYER-4: a change of the layer', () => {
  test('waits for a key frame of the new one, and forwards the old one until then', () => {
    const { room, camera, viewers } = begin([180])
    const [viewer] = viewers
    assert.ok(viewer)
    look(room, viewer, 720)
    assert.equal(received(viewer, camera), 180)
    assert.equal(received(viewer, camera), 180)
    const before = viewer.pictures.length
    camera.frame('f', { isKeyFrame: true })
    assert.equal(viewer.pictures.length, before + 1)
    assert.equal(received(viewer, camera), 720)
  })

  test('is continuous up and down, in sequence, time, picture id and index of the base layer', () => {
    const { room, camera, viewers } = begin([180])
    const [viewer] = viewers
    assert.ok(viewer)
    for (const height of [720, 360, 180, 360, undefined, 180]) {
      look(room, viewer, height)
      camera.run(20)
      assert.equal(received(viewer, camera), height ?? 720)
    }
    assert.ok(viewer.pictures.length > 120)
    checkContinuous(viewer.streams)
  })

  test('puts the viewer’s clock no more than 10 ms ahead, for two frames of one moment', () => {
    const { room, camera, viewers } = begin([180])
    const [viewer] = viewers
    assert.ok(viewer)
    look(room, viewer, 720)
    camera.frame('q')
    camera.frame('f', { isKeyFrame: true })
    const [low, high] = viewer.streams.slice(-2)
    assert.equal(((high?.timestamp ?? 0) - (low?.timestamp ?? 0)) >>> 0, 900)
  })

  test('keeps the slot', () => {
    const { room, camera, viewers } = begin([180])
    const [viewer] = viewers
    assert.ok(viewer)
    for (const height of [720, 0, 360]) {
      look(room, viewer, height)
      camera.run(10)
    }
    assert.deepEqual(new Set(room.told.flatMap(({ slots }) => slots)), new Set([0]))
  })

  test('that is taken back before its key frame changes nothing', () => {
    const { room, camera, viewers } = begin([180])
    const [viewer] = viewers
    assert.ok(viewer)
    look(room, viewer, 720)
    look(room, viewer, 180)
    camera.frame('f', { isKeyFrame: true })
    assert.equal(received(viewer, camera), 180)
    checkContinuous(viewer.streams)
  })
})

suite('LAYER-5: a picture at height 0', () => {
  test('has its slot but no packet, and no layer is asked for a key frame', () => {
    const { room, camera, viewers } = begin([0])
    const [viewer] = viewers
    assert.ok(viewer)
    assert.deepEqual(
      room.told.map(({ sessionId }) => sessionId),
      ['viewer 0'],
    )
    const asked = camera.client.keyFrames.length
    for (let frames = 0; frames < 100; frames += 1) assert.equal(received(viewer, camera), undefined)
    room.pass(2000)
    assert.equal(camera.client.keyFrames.length, asked)
    assert.equal(room.counts.forwarded, 0)
  })

  test('is asked for at once when it is shown again', () => {
    const { room, camera, viewers } = begin([undefined])
    const [viewer] = viewers
    assert.ok(viewer)
    look(room, viewer, 0)
    camera.run(40)
    const before = viewer.pictures.length
    camera.client.keyFrames.length = 0
    look(room, viewer, 360)
    room.pass(50)
    assert.deepEqual(camera.client.keyFrames, [camera.ssrcs.h])
    camera.frame('h', { isKeyFrame: true })
    assert.equal(viewer.pictures.length, before + 1)
    assert.equal(viewer.streams.at(-1)?.sequence, ((viewer.streams.at(-2)?.sequence ?? 0) + 1) & 0xffff)
  })
})

suite('LAYER-6: key frames and lost packets', () => {
  test('are asked of the layer that is waited for, and of no other', () => {
    const { room, camera, viewers } = begin([180, 720])
    const [low, high] = viewers
    assert.ok(low && high)
    room.pass(1000)
    camera.client.keyFrames.length = 0
    const [ssrc = 0] = high.streams.map((packet) => packet.ssrc)
    room.report(high, writePictureLoss(1, ssrc))
    room.pass(100)
    assert.deepEqual(camera.client.keyFrames, [camera.ssrcs.f])
  })

  test('of a layer are asked of its sender in its own stream, also those that nobody receives', () => {
    const { room, camera, viewers } = begin([180])
    const [viewer] = viewers
    assert.ok(viewer)
    const lost = camera.lose('h')
    camera.frame('h')
    room.pass(100)
    assert.deepEqual(camera.client.missing[0], [camera.ssrcs.h, [lost.sequence]])
    camera.repair('h', lost)
    const asked = camera.client.missing.length
    room.pass(1000)
    assert.equal(camera.client.missing.length, asked)
  })

  test('of a sender are repaired for the viewers of its layer', () => {
    const { camera, viewers } = begin([180, 720])
    const [low, high] = viewers
    assert.ok(low && high)
    const last = high.streams.at(-1)?.sequence ?? 0
    const lost = camera.lose('f')
    camera.frame('f')
    const before = [low.pictures.length, high.pictures.length]
    camera.repair('f', lost)
    assert.deepEqual([low.pictures.length, high.pictures.length], [before[0], (before[1] ?? 0) + 1])
    assert.equal(high.streams.at(-1)?.sequence, (last + 1) & 0xffff)
  })

  test('of a viewer are sent again from its layer', () => {
    const { room, camera, viewers } = begin([720])
    const [viewer] = viewers
    assert.ok(viewer)
    camera.frame('f', { body: 5 })
    const missed = viewer.pictures.at(-1) ?? Buffer.alloc(0)
    room.report(viewer, writeMissing(1, missed.readUInt32BE(8), [missed.readUInt16BE(2)]))
    const again = viewer.pictures.at(-1) ?? Buffer.alloc(0)
    assert.equal(again.length, missed.length + 2)
    assert.equal(again.readUInt16BE(12), missed.readUInt16BE(2))
    assert.deepEqual(again.subarray(14), missed.subarray(12))
  })
})

test('LAYER-7: a viewer has the sender’s reports of its layer, with the numbers of its own stream', () => {
  const { room, camera, viewers } = begin([180, 720])
  const [low, high] = viewers
  assert.ok(low && high)
  const { timestamp = 0 } = camera.frame('f')
  const shown = high.streams.at(-1)
  const report = { seconds: 3_980_000_000, fraction: 0, timestamp: timestamp + 4500, packets: 1, octets: 2 }
  room.report(camera.client, writeSenderReport(camera.ssrcs.f, report))
  const told = { ssrc: shown?.ssrc, ...ntpOf(room.nowMs), timestamp: ((shown?.timestamp ?? 0) + 4500) >>> 0 }
  room.pass(50)
  assert.deepEqual(high.reports, [told])
  assert.deepEqual(low.reports, [])
})
