import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { LARGE_CAMERA, PicturePeer } from './picture-peer.ts'
import { gather, settle } from './settled.ts'
import { Stage } from './stage.ts'

const MAX_MS_TO_COME_BACK = 2000

/** The tests run in order: each continues where the previous one ended. */
describe('a camera in three layers', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: PicturePeer
  let jonas: PicturePeer
  let ada: PicturePeer

  before(async () => {
    stage = await Stage.openOwn({}, { microphone: true })
    const people = await Promise.all([
      settle(stage, 'mira'),
      settle(stage, 'jonas'),
      settle(stage, 'ada'),
    ] as const)
    const { rooms } = await gather('Sunday hikers', people)
    const lounge = rooms.find(({ type }) => type === RoomType.Voice)?.id ?? ''
    const [first, second, third] = people
    mira = new PicturePeer(first, lounge)
    jonas = new PicturePeer(second, lounge)
    ada = new PicturePeer(third, lounge)
    await Promise.all([mira.join({ hasLayers: true }), jonas.join(), ada.join()])
    mira.setSelf({ self_video: true })
    await mira.send('camera', LARGE_CAMERA)
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    for (const peer of [mira, jonas, ada]) peer?.leave()
    await stage?.close()
  })

  function look(viewer: PicturePeer, height?: number): void {
    viewer.watch([{ user_id: mira.id, source: 'camera', ...(height === undefined ? {} : { height }) }])
  }

  /** Waits until further frames of this height are decoded. A layer may be missing while the machine is busy. */
  async function sees(viewer: PicturePeer, height: number): Promise<void> {
    await eventually(async () => (await viewer.seen())[0]?.height, height)
    const from = (await viewer.seen())[0]?.frames ?? 0
    const further = async () => {
      const [seen] = await viewer.seen()
      return seen !== undefined && seen.frames > from + 10 && seen.height === height
    }
    await eventually(further, true)
  }

  test('LAYER-3: who gives no height sees the highest layer, and who shows it small the lowest that fills it', async () => {
    look(jonas)
    look(ada, 170)
    await Promise.all([sees(jonas, 720), sees(ada, 180)])
    look(ada, 200)
    await sees(ada, 360)
    await sees(jonas, 720)
  })

  test('LAYER-4: the layer changes while the picture goes on', async () => {
    for (const height of [180, 720, 360, 180]) {
      look(jonas, height)
      await sees(jonas, height)
    }
    assert.equal((await jonas.seen()).length, 1)
  })

  test('LAYER-5: a hidden picture costs nothing, and is back at once', async () => {
    look(ada, 0)
    look(jonas, 0)
    const isStill = async () => {
      const earlier = await jonas.pictureBytes()
      await eventually(async () => (await mira.frames()).sent > 0, true)
      await new Promise((resolve) => setTimeout(resolve, 500))
      return (await jonas.pictureBytes()) === earlier
    }
    await eventually(isStill, true)
    const from = (await jonas.seen())[0]?.frames ?? 0
    const began = performance.now()
    look(jonas, 360)
    await eventually(async () => ((await jonas.seen())[0]?.frames ?? 0) > from, true)
    assert.ok(performance.now() - began < MAX_MS_TO_COME_BACK, `${performance.now() - began} ms`)
    await sees(jonas, 360)
  })

  test('LAYER-6: only the layer that a viewer waits for is asked for a key frame', async () => {
    await sees(jonas, 360)
    // Her line has been measured by then: otherwise she would receive smaller layers first.
    look(ada, 720)
    await sees(ada, 720)
    look(ada, 170)
    await sees(ada, 180)
    const before = await mira.asked()
    assert.deepEqual([before.q?.height, before.h?.height, before.f?.height], [180, 360, 720])
    look(ada, 720)
    await sees(ada, 720)
    const now = await mira.asked()
    assert.ok((now.f?.keyFrames ?? 0) > (before.f?.keyFrames ?? 0))
    assert.equal(now.q?.keyFrames, before.q?.keyFrames)
    assert.equal(now.h?.keyFrames, before.h?.keyFrames)
  })
})
