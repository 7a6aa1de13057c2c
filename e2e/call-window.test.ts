import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Capability, DEFAULT_CAPABILITIES } from '@foyer/protocol/capabilities'
import { RoomType } from '@foyer/protocol/rooms'
import type { Locator, Page } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { Keys } from './keys.ts'
import { seesPicture } from './moving-pictures.ts'
import { namelessParts } from './names.ts'
import { axeFindings, overflowingParts } from './screens/looks.ts'
import { ScriptedVoice } from './scripted-voice.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('the window of a call', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled
  let jonas: Settled
  let voice: ScriptedVoice
  let page: Page
  let place: { space_id: string; room_id: string; conversation_id: null }

  before(async () => {
    stage = await Stage.openOwn({}, { microphone: true })
    mira = await settle(stage, 'mira')
    jonas = await settle(stage, 'jonas')
    const { space, rooms } = await gather('Sunday hikers', [mira, jonas])
    const lounge = rooms.find(({ type }) => type === RoomType.Voice)
    ;({ page } = mira.person)
    place = { space_id: space.id, room_id: lounge?.id ?? '', conversation_id: null }
    await page.addInitScript(recordMediaKeys)
    voice = await ScriptedVoice.begin(page, { place, userId: mira.id, otherId: jonas.id })
    await page.goto(`/spaces/${space.id}`)
    await mira.person.room('lounge').click()
    await page.getByText('Voice connected').first().waitFor()
    await main().getByRole('button', { name: 'Camera', exact: true }).click()
    voice.setOther({ self_video: true })
    await seesPicture(tile('jonas'))
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const main = () => page.getByRole('main')
  const tile = (name: string) =>
    main()
      .getByRole('list', { name: 'In lounge' })
      .getByRole('listitem')
      .filter({ hasText: new RegExp(`^${name}`) })
  const button = (name: string) => main().getByRole('button', { name, exact: true })
  const lastHeight = () => voice.heights.at(-1)?.[`camera ${jonas.id}`]

  test('CALLWINDOW-1: a camera is requested as large as its tile, and not at all while it is out of sight', async () => {
    const wide = lastHeight() ?? 0
    assert.ok(wide >= 180, String(wide))
    await page.setViewportSize({ width: 360, height: 300 })
    await eventually(lastHeight, 0)
    await page.setViewportSize({ width: 1280, height: 800 })
    await eventually(lastHeight, wide)
  })

  test('CALLWINDOW-2: the speaker view shows one user large, whom a key pins', async () => {
    const keys = new Keys(page)
    await button('Speaker view').click()
    await eventually(() => isLarger(tile('jonas'), tile('mira')), true)
    await eventually(async () => (lastHeight() ?? 0) >= 360, true)
    await mira.person.picture('call-speaker')
    await keys.use(tile('mira').getByRole('button', { name: 'Keep mira large' }))
    await eventually(() => isLarger(tile('mira'), tile('jonas')), true)
    await page.keyboard.press('Enter')
    await eventually(() => isLarger(tile('jonas'), tile('mira')), true)
  })

  test('CALLWINDOW-2: a picture in full screen fills the screen, also the large one of the speaker view', async () => {
    await tile('jonas').getByRole('button', { name: 'Show jonas in full screen' }).click()
    await tile('jonas').getByRole('button', { name: 'Exit full screen' }).waitFor()
    const part = () =>
      tile('jonas')
        .locator('.voice-tile')
        .evaluate((element) => element.clientHeight / window.innerHeight)
    await eventually(part, 1)
    await page.evaluate(() => document.exitFullscreen())
    await tile('jonas').getByRole('button', { name: 'Show jonas in full screen' }).waitFor()
  })

  test('CALLWINDOW-2: on phones held sideways the tools do not cover the button to leave', async () => {
    for (const width of [740, 844, 932]) {
      await page.setViewportSize({ width, height: 390 })
      await eventually(() => isOnTop(button('Leave voice')), true)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('CALLWINDOW-2: the view looks right on a desktop and a phone, in both themes, and axe finds nothing', async () => {
    for (const [width, height, colorScheme] of [
      [1280, 800, 'light'],
      [360, 740, 'dark'],
      [360, 740, 'light'],
      [740, 360, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      const name = `call-window-${width}-${colorScheme}`
      await mira.person.picture(name)
      assert.deepEqual(await axeFindings(page, 'html'), [], name)
      assert.deepEqual(await overflowingParts(page), [], name)
      assert.deepEqual(await namelessParts(page), [], name)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('CALLWINDOW-3: the figures name the route and each picture', async () => {
    await button('Connection statistics').click()
    const panel = page.getByRole('dialog', { name: 'Connection statistics' })
    await panel.getByText('Route: UDP').waitFor()
    const part = (title: string) => panel.locator('section').filter({ hasText: title })
    await part('jonas')
      .getByText(/^\d+ × \d+$/)
      .waitFor()
    await part('jonas')
      .getByText(/^[1-9]\d* frames\/s$/)
      .waitFor()
    await part('jonas')
      .getByText(/^Packet loss: /)
      .waitFor()
    await part('jonas')
      .getByText(/^Delay: \d+ ms$/)
      .waitFor()
    await part('Your camera')
      .first()
      .getByText(/^\d+ × \d+$/)
      .waitFor()
    await mira.person.picture('call-numbers')
    assert.deepEqual(await axeFindings(page, 'html'), [])
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
  })

  test('CALLWINDOW-4: a small window shows the call while one reads elsewhere, with its buttons', async () => {
    const opening = page.context().waitForEvent('page')
    await button('Picture-in-picture').click()
    const small = await opening
    await seesPicture(small.locator('.picture-window-stage'))
    await mira.person.room('general').click()
    await mira.person.composer('general').waitFor()
    await seesPicture(small.locator('.picture-window-stage'))
    assert.deepEqual(voice.watched.at(-1), [`camera ${jonas.id}`])
    await small.getByRole('button', { name: 'Mute' }).click()
    await small.getByRole('button', { name: 'Unmute' }).click()
    await small.getByRole('button', { name: 'Turn camera off' }).waitFor()
    await small.screenshot({ path: 'e2e/screenshots/call-small-window.png' })
    await mira.person.room('lounge').click()
    await button('Picture-in-picture').click()
    await eventually(() => small.isClosed(), true)
  })

  test('CALLWINDOW-4: without windows for documents the picture alone is shown, while one reads elsewhere', async () => {
    await page.evaluate(() => Object.defineProperty(window, 'documentPictureInPicture', { value: undefined }))
    const isShown = () => page.evaluate(() => document.pictureInPictureElement !== null)
    await button('Picture-in-picture').click()
    await main().getByRole('button', { name: 'Picture-in-picture', pressed: true }).waitFor()
    assert.equal(await isShown(), true)
    await mira.person.room('general').click()
    await mira.person.composer('general').waitFor()
    assert.deepEqual([await isShown(), voice.watched.at(-1)], [true, [`camera ${jonas.id}`]])
    // Without another camera the user's own is shown, which needs no way through the server.
    voice.setOther({ self_video: false })
    await eventually(() => voice.watched.at(-1), [])
    assert.equal(await isShown(), true)
    voice.setOther({ self_video: true })
    await eventually(() => voice.watched.at(-1), [`camera ${jonas.id}`])
    await mira.person.room('lounge').click()
    await button('Picture-in-picture').click()
    await eventually(isShown, false)
  })

  test('CALLWINDOW-5: keys of the system mute, turn the camera off and hang up, only in a room or call', async () => {
    const press = (action: string) => page.evaluate((name) => window.mediaKeys.get(name)?.(), action)
    await press('togglemicrophone')
    await button('Unmute').waitFor()
    await press('togglemicrophone')
    await button('Mute').waitFor()
    await press('togglecamera')
    await main().getByRole('button', { name: 'Camera', exact: true, pressed: false }).waitFor()
    await press('hangup')
    await button('Join lounge').waitFor()
    assert.deepEqual(await page.evaluate(() => [...window.mediaKeys.values()]), [null, null, null])
  })

  test('CALLWINDOW-5: the key of the system for the camera needs the permission', async () => {
    const { person } = jonas
    const capabilities = DEFAULT_CAPABILITIES & ~Capability.UseVideo
    await mira.client.roles.update(place.space_id, place.space_id, { capabilities })
    await person.page.addInitScript(recordMediaKeys)
    await ScriptedVoice.begin(person.page, { place, userId: jonas.id, otherId: mira.id })
    await person.page.goto(`/spaces/${place.space_id}`)
    await person.room('lounge').click()
    await person.page.getByText('Voice connected').first().waitFor()
    await eventually(
      () =>
        person.page.evaluate(() =>
          [...window.mediaKeys].flatMap(([name, handler]) => (handler ? [name] : [])).sort(),
        ),
      ['hangup', 'togglemicrophone'],
    )
  })

  test('the console has no errors', () => {
    assert.deepEqual(mira.person.complaints, [])
  })
})

declare global {
  interface Window {
    /** Handlers of the media session, by action. */
    mediaKeys: Map<string, (() => void) | null>
  }
}

/** Runs in the page: a browser without a screen has no keys of the system. */
function recordMediaKeys(): void {
  window.mediaKeys = new Map()
  navigator.mediaSession.setActionHandler = (action: string, handler: MediaSessionActionHandler | null) => {
    window.mediaKeys.set(action, handler && (() => handler({ action: 'stop' })))
  }
}

async function isLarger(one: Locator, other: Locator): Promise<boolean> {
  const [large, small] = await Promise.all([one.boundingBox(), other.boundingBox()])
  return (large?.height ?? 0) > 1.5 * (small?.height ?? Infinity)
}

/** True if a click into the middle of the element meets it. */
function isOnTop(element: Locator): Promise<boolean> {
  return element.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect()
    return node.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })
}
