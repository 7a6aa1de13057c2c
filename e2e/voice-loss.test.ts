import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { LossyRelay } from './lossy-relay.ts'
import { PicturePeer } from './picture-peer.ts'
import { gather, settle } from './settled.ts'
import { Stage } from './stage.ts'

const LOSS = 0.05
const SEED = 20_261_128
const FRAMES = 300

/** A camera whose viewer loses one packet in twenty, in both directions. */
describe('pictures over a network that loses packets', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: PicturePeer
  let jonas: PicturePeer
  let relay: LossyRelay | undefined

  before(async () => {
    stage = await Stage.openOwn({}, { microphone: true })
    const [first, second] = await Promise.all([settle(stage, 'mira'), settle(stage, 'jonas')])
    const { rooms } = await gather('Sunday hikers', [first, second])
    const lounge = rooms.find(({ type }) => type === RoomType.Voice)?.id ?? ''
    mira = new PicturePeer(first, lounge)
    jonas = new PicturePeer(second, lounge)
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    for (const peer of [mira, jonas]) peer?.leave()
    await stage?.close()
    relay?.close()
  })

  /** Returns the answer with the port of a relay in place of the server's. */
  async function throughRelay(answer: string): Promise<string> {
    const [, port] = /^a=candidate:.* (\d+) typ host/m.exec(answer) ?? []
    const opened = await LossyRelay.open(Number(port), { loss: LOSS, seed: SEED })
    relay = opened
    return answer.replace(/^(a=candidate:.* )\d+( typ host)/gm, `$1${opened.port}$2`)
  }

  test('VIDEO-8: 98 percent of the frames are shown when 5 percent of the packets are lost', async () => {
    await Promise.all([mira.join(), jonas.join({ rewrite: throughRelay })])
    jonas.watch([{ user_id: mira.id, source: 'camera' }])
    mira.setSelf({ self_video: true })
    await mira.send('camera')
    const shown = async () => (await jonas.frames()).decoded
    const sent = async () => (await mira.frames()).sent
    await eventually(async () => (await shown()) > 20, true)
    const before = { sent: await sent(), shown: await shown() }
    await eventually(async () => (await sent()) >= before.sent + FRAMES, true)
    await mira.stop('camera')
    const total = (await sent()) - before.sent
    await eventually(async () => ((await shown()) - before.shown) / total >= 0.98, true)
    const { lost = 0, passed = 0 } = relay ?? {}
    assert.ok(lost > 50 && lost / (lost + passed) > 0.03, `${lost} of ${lost + passed} packets were lost`)
  })
})
