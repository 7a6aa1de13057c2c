import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Capability, DEFAULT_CAPABILITIES } from '@foyer/protocol/capabilities'
import { DEFAULT_PERMISSIONS, Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { CAMERA, PicturePeer, SCREEN } from './picture-peer.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('pictures in a voice room', { skip: noBrowser }, () => {
  let stage: Stage
  let host: Settled
  let spaceId: string
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
    const { rooms, space } = await gather('Sunday hikers', people)
    spaceId = space.id
    host = people[0]
    const lounge = rooms.find(({ type }) => type === RoomType.Voice)?.id ?? ''
    const [first, second, third] = people
    mira = new PicturePeer(first, lounge)
    jonas = new PicturePeer(second, lounge)
    ada = new PicturePeer(third, lounge)
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    for (const peer of [mira, jonas, ada]) peer?.leave()
    await stage?.close()
  })

  async function setCapabilities(capabilities: number): Promise<void> {
    await host.client.roles.update(spaceId, spaceId, { capabilities })
  }

  async function setPermissions(permissions: number): Promise<void> {
    await host.client.roles.update(spaceId, spaceId, { permissions })
  }

  /** Waits until the viewer decodes further frames of the picture, of this size. */
  async function sees(viewer: PicturePeer, wanted: object, { width, height } = CAMERA): Promise<void> {
    const find = async () =>
      (await viewer.seen()).find((seen) =>
        Object.entries(wanted).every(([key, value]) => Object(seen)[key] === value),
      )
    await eventually(async () => (await find())?.frames !== undefined, true)
    const from = (await find())?.frames ?? 0
    await eventually(async () => ((await find())?.frames ?? 0) > from + 20, true)
    const size = async () => [(await find())?.width, (await find())?.height]
    await eventually(size, [width, height])
  }

  test('VIDEO-1 and VIDEO-3: a camera is seen by who watches it', async () => {
    await Promise.all([mira.join(), jonas.join()])
    jonas.watch([{ user_id: mira.id, source: 'camera' }])
    mira.setSelf({ self_video: true })
    await mira.send('camera')
    await sees(jonas, { user_id: mira.id, source: 'camera' })
  })

  test('VIDEO-7: the sender is told how much it may send', async () => {
    await eventually(async () => (await mira.bandwidth()) > 1_500_000, true)
  })

  test('VIDEO-3: a screen takes another slot, and its sound comes with it', async () => {
    jonas.watch([
      { user_id: mira.id, source: 'screen' },
      { user_id: mira.id, source: 'camera' },
    ])
    mira.setSelf({ self_video: true, self_stream: true })
    await mira.sendScreen()
    await mira.send('sound')
    await Promise.all([
      sees(jonas, { user_id: mira.id, source: 'screen' }, SCREEN),
      sees(jonas, { user_id: mira.id, source: 'camera' }),
    ])
    await eventually(() => jonas.heard('sounds'), 1)
  })

  test('VIDEO-11: each sound and picture is reported on, so that a browser aligns a voice and a face', async () => {
    await Promise.all([mira.send('microphone'), jonas.playVoice()])
    const timed = () =>
      Promise.all((['voices', 'sounds', 'pictures'] as const).map((slots) => jonas.timed(slots)))
    await eventually(timed, [
      { reported: 1, aligned: 1 },
      { reported: 1, aligned: 0 },
      { reported: 2, aligned: 1 },
    ])
  })

  test('VIDEO-2: a client with lines for sound only hears the others, and gets no picture', async () => {
    await ada.join({ hasVideo: false })
    ada.watch([{ user_id: mira.id, source: 'camera' }])
    await Promise.all([mira.send('microphone'), ada.send('microphone')])
    await Promise.all([eventually(() => ada.heard('voices'), 1), eventually(() => jonas.heard('voices'), 2)])
    assert.deepEqual(await ada.seen(), [])
    assert.deepEqual(ada.errors, [])
  })

  test('VIDEO-3: what is no longer watched is not forwarded, and a slot shows the next picture at once', async () => {
    jonas.watch([])
    await eventually(() => jonas.seen(), [])
    await Promise.all([jonas.send('camera'), mira.send('camera')])
    mira.watch([{ user_id: jonas.id, source: 'camera' }])
    jonas.setSelf({ self_video: true })
    await sees(mira, { user_id: jonas.id, source: 'camera' })
    jonas.watch([{ user_id: mira.id, source: 'camera' }])
    await sees(jonas, { user_id: mira.id, source: 'camera' })
  })

  test('VIDEO-5: a picture ends for everyone when its user may not show it any more', async () => {
    await setCapabilities(DEFAULT_CAPABILITIES & ~Capability.UseVideo)
    await eventually(() => mira.seen(), [])
    await sees(jonas, { user_id: mira.id, source: 'camera' })
    jonas.setSelf({ self_video: true })
    await eventually(() => jonas.errors.at(-1), 'missing_permission')
    await setCapabilities(DEFAULT_CAPABILITIES)
    jonas.setSelf({ self_video: true })
    await sees(mira, { user_id: jonas.id, source: 'camera' })
  })

  test('VIDEO-5: the sound of a screen is heard only while its user may speak', async () => {
    const screen = { user_id: jonas.id, source: 'screen' } as const
    await setPermissions(DEFAULT_PERMISSIONS & ~Permission.SpeakInVoice)
    jonas.setSelf({ self_stream: true })
    await jonas.sendScreen()
    await jonas.send('sound')
    mira.watch([screen])
    await sees(mira, screen, SCREEN)
    assert.equal(await mira.arrived('sounds'), 0)
    await setPermissions(DEFAULT_PERMISSIONS)
    await eventually(async () => (await mira.arrived('sounds')) > 50, true)
    await setPermissions(DEFAULT_PERMISSIONS & ~Permission.SpeakInVoice)
    const isSilent = async () => {
      const before = await mira.arrived('sounds')
      await sees(mira, screen, SCREEN)
      return (await mira.arrived('sounds')) === before
    }
    await eventually(isSilent, true)
    await setPermissions(DEFAULT_PERMISSIONS)
  })
})
