import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { LayeredCamera } from '#test/voice/layered-camera.ts'
import { type PictureClient, PictureRoom } from '#test/voice/picture-room.ts'

/** A camera in three layers that has begun, and its viewer. */
function begin(height: number) {
  const room = new PictureRoom()
  const camera = new LayeredCamera(room)
  const viewer = room.enter('jonas')
  look(room, viewer, height)
  camera.run(40)
  const told = () => {
    const { userId, layer } = room.toldSlots.get('jonas 0') ?? {}
    return { userId, layer: layer && `${layer.position}/${layer.count}` }
  }
  return { room, camera, viewer, told }
}

function look(room: PictureRoom, viewer: PictureClient, height: number): void {
  room.watch(viewer, { userId: 'mira', source: 'camera', height })
}

suite('LAYER-8: a viewer is told', () => {
  test('which layer it receives, once for each change', () => {
    const { room, camera, viewer } = begin(180)
    assert.equal(room.toldLayers.at(-1), 'jonas 1/3')
    room.toldLayers.length = 0
    camera.run(40)
    look(room, viewer, 720)
    camera.run(40)
    assert.deepEqual(room.toldLayers, ['jonas 3/3'])
  })

  test('again when it watches the same picture later', () => {
    const { room, camera, viewer } = begin(180)
    room.watch(viewer)
    room.toldLayers.length = 0
    look(room, viewer, 180)
    camera.run(40)
    assert.deepEqual(room.toldLayers, ['jonas 1/3'])
  })

  test('that it receives none once the picture is hidden, and which one when it is back', () => {
    const { room, camera, viewer, told } = begin(360)
    assert.deepEqual(told(), { userId: 'mira', layer: '2/3' })
    look(room, viewer, 0)
    camera.run(40)
    assert.deepEqual(told(), { userId: 'mira', layer: undefined })
    look(room, viewer, 360)
    camera.run(40)
    assert.deepEqual(told(), { userId: 'mira', layer: '2/3' })
  })

  test('that it receives none while nobody sends, once, and not for a pause as long as those of a still screen', () => {
    const { room, camera, told } = begin(720)
    room.pass(1500)
    assert.equal(told().layer, '3/3')
    room.pass(2500)
    assert.deepEqual(told(), { userId: 'mira', layer: undefined })
    room.told.length = 0
    room.pass(5000)
    assert.deepEqual(room.told, [])
    camera.run(40)
    assert.equal(told().layer, '3/3')
  })

  test('that the slot is free when the camera may not be shown any more', () => {
    const { room, camera, told } = begin(720)
    room.setRights(camera.client, { ...camera.client.member.rights, canUseVideo: false })
    assert.deepEqual(told(), { userId: undefined, layer: undefined })
  })
})
