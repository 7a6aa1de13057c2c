import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LayeredCamera } from '#test/voice/layered-camera.ts'
import { PictureRoom } from '#test/voice/picture-room.ts'

test('VIDEOBOT-10: a slot says with which packet its picture begins, also before it, and again with its layer', () => {
  const room = new PictureRoom()
  const [mira, ada] = [new LayeredCamera(room), new LayeredCamera(room, 'ada')]
  const viewer = room.enter('jonas')
  for (const camera of [mira, ada]) camera.run(5)
  const told = () => room.toldSlots.get('jonas 0')
  for (const camera of [mira, ada, mira]) {
    const { userId } = camera.client.member
    room.watch(viewer, { userId, source: 'camera' })
    viewer.pictures.length = 0
    const { firstSequence } = told() ?? {}
    camera.run(40)
    assert.equal(viewer.streams[0]?.sequence, firstSequence)
    assert.deepEqual(told(), {
      slot: 0,
      userId,
      source: 'camera',
      firstSequence,
      layer: { position: 3, count: 3 },
    })
    const last = viewer.streams.at(-1)?.sequence ?? 0
    room.watch(viewer)
    assert.equal(told()?.firstSequence, (last + 1) & 0xffff, 'nothing comes in a free slot before this')
  }
})
