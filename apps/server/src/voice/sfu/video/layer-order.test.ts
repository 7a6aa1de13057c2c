import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LayeredCamera, RIDS, type Rid } from '#test/voice/layered-camera.ts'
import { PictureRoom } from '#test/voice/picture-room.ts'

const SIZES = { q: 100, h: 300, f: 1000 }

/** Sends a frame of each layer. */
function show(camera: LayeredCamera, isKeyFrame: boolean, rids: readonly Rid[] = RIDS): void {
  for (const rid of rids) camera.frame(rid, { size: SIZES[rid], isKeyFrame })
}

test('BUDGET-8: a picture that is lowered for a more important one rises as soon as both fit', () => {
  const room = new PictureRoom()
  const cameras = [new LayeredCamera(room), new LayeredCamera(room, 'ada')]
  const { pictures } = room.enter('jonas').member
  assert.ok(pictures)
  const { viewer } = pictures
  viewer.watched = ['mira', 'ada'].map((userId) => ({ userId, source: 'camera' as const }))
  for (let count = 0; count < 40; count += 1) {
    for (const camera of cameras) show(camera, count === 0)
    room.pass(50)
  }
  const [small = 0, middle = 0, large = 0] =
    viewer.slots[0]?.picture?.choices(room.nowMs).map(({ rate }) => rate.perSecond * 1.05) ?? []
  const choose = (budgetBps: number, nowMs: number) => {
    viewer.budgetBps = budgetBps
    viewer.chooseLayers(room.nowMs + nowMs)
    return viewer.slots.slice(0, 2).map(({ wanted }) => wanted?.height)
  }
  assert.deepEqual(choose(2 * middle, 0), [360, 360])
  assert.deepEqual(choose(2 * large, 100), [360, 360], 'their line could not carry the highest')
  assert.deepEqual(choose(large + small, 6000), [720, 180])
  assert.deepEqual(choose(2 * large, 6100), [720, 720])
})

test('BUDGET-8: a picture that is lowered for one that appears above it rises as soon as that one is gone', () => {
  const room = new PictureRoom()
  const cameras = [new LayeredCamera(room), new LayeredCamera(room, 'ada')]
  const jonas = room.enter('jonas')
  assert.ok(jonas.member.pictures)
  const { viewer } = jonas.member.pictures
  const run = () => {
    for (let count = 0; count < 40; count += 1) {
      for (const camera of cameras) show(camera, count === 0)
      room.pass(50)
    }
  }
  const watch = (...userIds: string[]) => {
    room.watch(jonas, ...userIds.map((userId) => ({ userId, source: 'camera' as const })))
    run()
  }
  const heightOf = (userId: string) =>
    viewer.slots.find(({ picture }) => picture?.userId === userId)?.wanted?.height
  watch('ada')
  const [small = 0, , large = 0] =
    viewer.slots[0]?.picture?.choices(room.nowMs).map(({ rate }) => rate.perSecond * 1.05) ?? []
  assert.equal(heightOf('ada'), 720)
  watch('mira', 'ada')
  for (const slot of viewer.slots) if (slot.picture?.userId === 'mira') slot.choose(undefined)
  viewer.budgetBps = large + small
  viewer.chooseLayers(room.nowMs)
  assert.deepEqual([heightOf('mira'), heightOf('ada')], [720, 180])
  viewer.watched = viewer.watched.slice(1)
  viewer.chooseLayers(room.nowMs + 100)
  assert.equal(heightOf('ada'), 720)
})

for (const paused of ['all layers', 'the highest layer'] as const)
  test(`BUDGET-1: after a pause of ${paused}, a rate is not taken for less than it is`, () => {
    const room = new PictureRoom()
    const camera = new LayeredCamera(room)
    const { pictures } = room.enter('jonas').member
    assert.ok(pictures)
    const { viewer } = pictures
    viewer.watched = [{ userId: 'mira', source: 'camera' }]
    const run = (frames: number, rids: readonly Rid[] = RIDS) => {
      for (let count = 0; count < frames; count += 1) {
        show(camera, count === 0, rids)
        room.pass(50)
      }
    }
    const highest = () => viewer.slots[0]?.picture?.choices(room.nowMs).at(-1)
    run(40)
    const before = highest()?.rate.perSecond ?? 0
    if (paused === 'all layers') room.pass(8000)
    else run(160, ['q', 'h'])
    run(6)
    const layer = highest()
    assert.equal(layer?.height, 720)
    const ratio = layer.rate.perSecond / before
    assert.ok(ratio > 0.8 && ratio < 1.2, `${ratio}`)
    assert.ok(layer.rate.isNew, 'it is not held back')
  })
