import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import { type PictureCodec, pictureCodecs } from '@foyer/protocol/voice'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { LARGE_CAMERA, PicturePeer } from './picture-peer.ts'
import { gather, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('a camera in several codecs', { skip: noBrowser }, () => {
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
    await Promise.all([
      mira.join({ hasLayers: true, codecs: pictureCodecs }),
      jonas.join({ codecs: pictureCodecs }),
      ada.join(),
    ])
    mira.setSelf({ self_video: true })
    await mira.send('camera', LARGE_CAMERA)
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    for (const peer of [mira, jonas, ada]) peer?.leave()
    await stage?.close()
  })

  function look(viewer: PicturePeer, height: number): void {
    viewer.watch([{ user_id: mira.id, source: 'camera', height }])
  }

  /** Waits until further frames of this height are decoded, in this codec. */
  async function sees(viewer: PicturePeer, height: number, codec: PictureCodec): Promise<void> {
    await eventually(
      async () => [(await viewer.seen())[0]?.height, await viewer.receivedCodecs()],
      [height, [codec]],
    )
    const from = (await viewer.seen())[0]?.frames ?? 0
    await eventually(async () => ((await viewer.seen())[0]?.frames ?? 0) > from + 10, true)
  }

  for (const codec of ['VP9', 'H264', 'AV1', 'VP8'] as const)
    test(`CODEC-2: has three layers in ${codec}, of which a viewer receives the one that fits`, async () => {
      assert.deepEqual(mira.codecs, pictureCodecs)
      look(jonas, 360)
      await sees(jonas, 360, 'VP8')
      await mira.encodeAs(codec)
      await sees(jonas, 360, codec)
      look(jonas, 180)
      await sees(jonas, 180, codec)
      look(jonas, 720)
      await sees(jonas, 720, codec)
      await mira.encodeAs('VP8')
    })

  test('CODEC-3: its sender is told when somebody watches who can decode VP8 only', async () => {
    await mira.encodeAs('VP9')
    await sees(jonas, 720, 'VP9')
    look(ada, 180)
    await eventually(() => mira.codecs, ['VP8'])
    const [before] = await ada.seen()
    assert.equal(before?.frames, 0, 'nothing of a codec that she cannot decode')
    await mira.encodeAs('VP8')
    await Promise.all([sees(ada, 180, 'VP8'), sees(jonas, 720, 'VP8')])
  })
})
