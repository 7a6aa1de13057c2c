import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ALL_SLOTS, CAMERA, ChangingCamera } from '#test/voice/changing-camera.ts'
import { withAllCodecs } from '#test/voice/codec-packets.ts'
import { PictureRoom, SLOT_LINES, videoRows } from '#test/voice/picture-room.ts'

suite('CODEC-4: a sender is told the codecs', () => {
  const ALL = 'VP8,VP9,H264,AV1'

  test('that everyone who watches can decode, when they change', () => {
    const { room } = new ChangingCamera()
    assert.deepEqual(room.toldCodecs.splice(0), [`mira ${ALL}`])
    const ada = room.enter('ada')
    assert.deepEqual(room.toldCodecs, [], 'she does not watch yet')
    room.watch(ada, { userId: 'mira', source: 'camera' })
    assert.deepEqual(room.toldCodecs.splice(0), ['mira VP8'])
    room.watch(ada)
    room.watch(ada, { userId: 'mira', source: 'camera' })
    assert.deepEqual(room.toldCodecs, [], 'she counts until she leaves')
    room.pass(20_000)
    room.leave(ada)
    room.pass(10_000)
    const again = room.enter('ada')
    room.watch(again, { userId: 'mira', source: 'camera' })
    room.leave(again)
    room.pass(14_000)
    assert.deepEqual(room.toldCodecs, [], 'coming and going changes nothing')
    room.pass(3000)
    assert.deepEqual(room.toldCodecs, [`mira ${ALL}`])
  })

  test('also when one viewer leaves, and another who lacks other codecs arrives', () => {
    const { room } = new ChangingCamera()
    room.toldCodecs.length = 0
    const enter = (name: string, lacking: string) => {
      const slots = ALL_SLOTS.map((rows) => rows.filter((row) => !row.includes(lacking)))
      const viewer = room.enter(name, [], slots)
      room.watch(viewer, { userId: 'mira', source: 'camera' })
      return viewer
    }
    const ada = enter('ada', 'AV1')
    room.leave(ada)
    enter('kim', 'H264')
    assert.deepEqual(room.toldCodecs.splice(0), ['mira VP8,VP9,H264', 'mira VP8,VP9'])
    room.pass(17_000)
    assert.deepEqual(room.toldCodecs, ['mira VP8,VP9,AV1'])
  })

  test('whatever a client watches that has no slot, or is not connected', () => {
    const { room } = new ChangingCamera()
    room.toldCodecs.length = 0
    const mallory = room.enter('mallory', [CAMERA], [])
    room.watch(mallory, { userId: 'mira', source: 'camera' })
    assert.deepEqual(room.toldCodecs.splice(0), [`mallory ${ALL}`])
    const late = room.enter('late')
    late.member.isConnected = false
    room.watch(late, { userId: 'mira', source: 'camera' })
    room.pass(2000)
    assert.deepEqual(room.toldCodecs, [])
  })

  test('of those that it has offered, and nothing if it begins with the only one', () => {
    const room = new PictureRoom()
    const withoutH264 = withAllCodecs(videoRows('cam', 'sendonly')).filter((row) => !row.includes('H264'))
    room.enter('mira', [[...withoutH264, 'a=ssrc:77 cname:x']], ALL_SLOTS)
    room.enter('jonas', [[...videoRows('cam', 'sendonly'), 'a=ssrc:77 cname:x']], ALL_SLOTS)
    room.enter('ada', [], ALL_SLOTS)
    assert.deepEqual(room.toldCodecs, ['mira VP8,VP9,AV1'])
  })

  test('that all its lines have in common, and counts only those that all slots of a viewer decode', () => {
    const room = new PictureRoom()
    const screen = [...videoRows('scr', 'sendonly'), 'a=ssrc:79 cname:x']
    room.enter('mira', [CAMERA, screen], ALL_SLOTS)
    assert.deepEqual(room.toldCodecs, [])
    room.enter('jonas', [CAMERA], ALL_SLOTS)
    assert.deepEqual(room.toldCodecs.splice(0), [`jonas ${ALL}`])
    const ada = room.enter('ada', [], [...SLOT_LINES.slice(0, 1), ...ALL_SLOTS.slice(1)])
    room.watch(ada, { userId: 'jonas', source: 'camera' })
    assert.deepEqual(room.toldCodecs, ['jonas VP8'])
  })
})
