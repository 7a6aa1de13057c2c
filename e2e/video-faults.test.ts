import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { killMedia } from './media-process.ts'
import { seesPicture } from './moving-pictures.ts'
import { gather, type Settled, settle } from './settled.ts'
import { screenSoundPackets, watchSound } from './sound.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('cameras and a screen when the server fails', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled
  let jonas: Settled

  before(async () => {
    stage = await Stage.openOwn({}, { microphone: true })
    mira = await settle(stage, 'mira')
    jonas = await settle(stage, 'jonas')
    await watchSound(jonas.person.page)
    const { space } = await gather('Sunday hikers', [mira, jonas])
    for (const { person } of [mira, jonas]) {
      await person.page.goto(`/spaces/${space.id}`)
      await person.room('lounge').click()
      await person.page.getByText('Voice connected').first().waitFor()
    }
    for (const one of [mira, jonas])
      await main(one).getByRole('button', { name: 'Camera', exact: true }).click()
    await main(mira).getByRole('button', { name: 'Share screen', exact: true }).click()
    await mira.person.button('Choose what to share').click()
    await main(jonas).getByRole('button', { name: 'Watch stream' }).click()
    await seesAll()
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    jonas?.client.gateway.close()
    await stage?.close()
  })

  const main = ({ person }: Settled) => person.page.getByRole('main')
  const tiles = (one: Settled) => main(one).getByRole('list', { name: 'In lounge' }).getByRole('listitem')
  const camera = (viewer: Settled, name: string) =>
    tiles(viewer)
      .filter({ hasText: new RegExp(`^${name}`) })
      .filter({ hasText: 'camera on' })

  /** Both cameras move, and the screen does. */
  async function seesAll(): Promise<void> {
    await seesPicture(camera(mira, 'jonas'))
    await seesPicture(camera(jonas, 'mira'))
    await seesPicture(tiles(jonas).filter({ hasText: 'mira’s screen' }))
  }

  /** Waits until the sound of Mira's screen arrives, and Jonas can change its volume. */
  async function hearsScreen(): Promise<void> {
    const { page } = jonas.person
    await page.getByRole('slider', { name: 'mira’s screen’s volume' }).waitFor()
    let start = await screenSoundPackets(page)
    await eventually(async () => {
      const count = await screenSoundPackets(page)
      // A new connection counts from 0.
      start = Math.min(start, count)
      return count > start
    }, true)
  }

  /** Breaks the media of a page, as a change of its network does, and waits until it shows its camera again in a new session. */
  async function newSession({ person: { page }, id }: Settled): Promise<void> {
    const { gateway } = jonas.client
    if (gateway.state === 'idle') gateway.connect()
    await eventually(() => gateway.state, 'ready')
    const sessions = new Set<string>()
    const isBack = Promise.withResolvers<void>()
    const stop = gateway.on('VOICE_STATE_UPDATE', ({ user_id, session_id, self_video }) => {
      if (user_id !== id) return
      if (self_video && sessions.has(session_id)) isBack.resolve()
      sessions.add(session_id)
    })
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await isBack.promise
    stop()
  }

  test('FAULT-5: the sound of a watched screen comes back by itself after the media process is killed', async () => {
    await hearsScreen()
    assert.equal(await killMedia(stage.program.pid), 1)
    await hearsScreen()
  })

  test('FAULT-5: cameras and a watched screen come back by themselves after the media process is killed', async () => {
    assert.equal(await killMedia(stage.program.pid), 1)
    await seesAll()
    await jonas.person.picture('video-after-kill')
  })

  test('FAULT-5: they come back a second time, when the next process is killed, too', async () => {
    assert.equal(await killMedia(stage.program.pid), 1)
    await seesAll()
  })

  test('FAULT-6: they come back by themselves after a restart of the server', async () => {
    await stage.program.stop()
    await jonas.person.page.getByText('Voice connected').first().waitFor({ state: 'detached' })
    await stage.restart()
    for (const { person } of [mira, jonas]) await person.page.getByText('Voice connected').first().waitFor()
    await seesAll()
    await hearsScreen()
  })

  test('FAULT-7: a watched screen goes on when its sender, and then its viewer, gets a new session', async () => {
    for (const one of [mira, jonas]) {
      await newSession(one)
      await seesPicture(tiles(jonas).filter({ hasText: 'mira’s screen' }))
    }
  })

  test('FAULT-7: a screen that its user has ended, and begins again, is offered and not watched', async () => {
    await main(mira).getByRole('button', { name: 'Share screen', pressed: true }).click()
    await tiles(jonas).filter({ hasText: 'mira’s screen' }).waitFor({ state: 'detached' })
    await main(mira).getByRole('button', { name: 'Share screen', exact: true }).click()
    await mira.person.button('Choose what to share').click()
    await main(jonas).getByRole('button', { name: 'Watch stream' }).click()
    await seesPicture(tiles(jonas).filter({ hasText: 'mira’s screen' }))
  })

  test('CAMERA-2: a camera that its system takes away ends for everyone, and the screen goes on', async () => {
    await mira.person.page.evaluate(() => {
      const videos = [...document.querySelectorAll('video')]
      const tracks = videos.flatMap(({ srcObject }) =>
        srcObject instanceof MediaStream ? srcObject.getVideoTracks() : [],
      )
      // As the browser does when the camera is unplugged. Only a track of a camera knows its device.
      for (const track of tracks.filter(({ label }) => label.startsWith('fake_device')))
        track.dispatchEvent(new Event('ended'))
    })
    await camera(jonas, 'mira').waitFor({ state: 'detached' })
    await seesPicture(tiles(jonas).filter({ hasText: 'mira’s screen' }))
    await seesPicture(camera(mira, 'jonas'))
  })
})
