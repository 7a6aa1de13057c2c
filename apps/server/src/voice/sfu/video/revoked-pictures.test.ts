import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LayeredCamera } from '#test/voice/layered-camera.ts'
import { PictureRoom, videoRows } from '#test/voice/picture-room.ts'

const FRAME_BYTES = 1000

/** A viewer with a slow line, and a camera of which more is waiting than the line carries. */
function begin() {
  const room = new PictureRoom()
  const camera = new LayeredCamera(room)
  const slot = [...videoRows('limited', 'recvonly'), 'a=rtcp-fb:96 goog-remb']
  const viewer = room.enter('jonas', [slot])
  room.watch(viewer, { userId: 'mira', source: 'camera' })
  for (let frames = 0; frames < 60; frames += 1)
    camera.frame('q', { isKeyFrame: frames < 2, size: FRAME_BYTES })
  return { room, camera, viewer }
}

/** Lets time pass until nothing more of what waits may be sent. */
function wait(room: PictureRoom, ms: number): void {
  const began = performance.now()
  for (let passed = 10; passed <= ms; passed += 10) room.pace(began + passed)
}

test('BUDGET-6: when the right to show a picture is taken away, packets that wait to be sent are dropped', () => {
  const { room, camera, viewer } = begin()
  const atOnce = viewer.pictures.length
  assert.ok(atOnce > 0 && atOnce < 60, `${atOnce} at once`)
  wait(room, 200)
  const before = viewer.pictures.length
  assert.ok(before > atOnce, 'the others wait')
  room.setRights(camera.client, { ...camera.client.member.rights, canUseVideo: false })
  wait(room, 600)
  assert.equal(viewer.pictures.length, before)
})

test('BUDGET-6: what waits of a picture that is no longer watched is dropped, too', () => {
  const { room, viewer } = begin()
  const before = viewer.pictures.length
  room.watch(viewer)
  wait(room, 600)
  assert.equal(viewer.pictures.length, before)
})
