import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Capability, DEFAULT_CAPABILITIES } from '@foyer/protocol/capabilities'
import { DEFAULT_PERMISSIONS, Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import type { Page } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { seesPicture } from './moving-pictures.ts'
import { namelessParts } from './names.ts'
import { takePicture } from './pictures.ts'
import { axeFindings, overflowingParts } from './screens/looks.ts'
import { ScriptedVoice } from './scripted-voice.ts'
import { befriend, gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('cameras and screens in the web client', { skip: noBrowser }, () => {
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
    voice = await ScriptedVoice.begin(page, { place, userId: mira.id, otherId: jonas.id })
    await page.goto(`/spaces/${space.id}`)
    await mira.person.room('lounge').click()
    await page.getByText('Voice connected').first().waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const main = () => page.getByRole('main')
  const grid = () => main().getByRole('list', { name: 'In lounge' })
  const tile = (name: string) => grid().getByRole('listitem').filter({ hasText: name })
  const list = () => page.getByRole('navigation').getByRole('list', { name: 'In lounge' })
  const pressed = (name: string, isOn: boolean) =>
    main().getByRole('button', { name, exact: true, pressed: isOn }).waitFor()
  const click = (name: string) => main().getByRole('button', { name, exact: true }).click()
  const note = (text: string | RegExp) => main().getByRole('alert').getByText(text).waitFor()

  /** Lets the browser refuse the next camera or screen with this error. */
  const refuseCapture = (kind: 'getUserMedia' | 'getDisplayMedia', name: string) =>
    page.evaluate(
      ([method, error]) => {
        const original = navigator.mediaDevices[method]
        navigator.mediaDevices[method] = () => {
          navigator.mediaDevices[method] = original
          return Promise.reject(new DOMException('refused', error))
        }
      },
      [kind, name] as const,
    )

  test('CAMERA-1: a click turns the camera on, everyone sees the mark, and the other’s camera arrives', async () => {
    await click('Camera')
    await pressed('Camera', true)
    await seesPicture(tile('mira'))
    await list().getByText('mira, camera on').waitFor()
    voice.setOther({ self_video: true })
    await seesPicture(tile('jonas'))
    assert.deepEqual(voice.watched.at(-1), [`camera ${jonas.id}`])
  })

  test('CAMERA-4: a stream is received from the click on, with its sound and a volume of its own', async () => {
    await page.keyboard.press('Alt+Shift+S')
    const dialog = page.getByRole('dialog', { name: 'Share your screen' })
    await dialog.getByRole('radio', { name: 'Motion' }).click()
    await mira.person.picture('video-screen-dialog')
    await dialog.getByRole('button', { name: 'Choose what to share' }).click()
    await main().getByText('You’re sharing your screen.').waitFor()
    await list().getByText('LIVE').waitFor()
    voice.setOther({ self_stream: true })
    assert.equal(
      voice.watched.flat().some((watched) => watched.startsWith('screen')),
      false,
    )
    await main().getByText('jonas is sharing their screen.').waitFor()
    await mira.person.picture('video-stream-offer')
    await click('Watch stream')
    const stream = grid().getByRole('listitem').filter({ hasText: 'jonas’s screen' })
    await seesPicture(stream)
    assert.equal(await main().getByRole('button', { name: 'Stop watching' }).evaluate(isFocused), true)
    await page.getByRole('slider', { name: 'jonas’s screen’s volume' }).fill('150')
  })

  test('CAMERA-4: a page that shows no tiles receives no cameras, and the stream goes on', async () => {
    const { person } = mira
    await person.room('general').click()
    await person.composer('general').waitFor()
    await eventually(() => voice.watched.at(-1), [`screen ${jonas.id}`])
    await person.room('lounge').click()
    await seesPicture(
      grid()
        .getByRole('listitem')
        .filter({ hasText: /^jonas/ })
        .filter({ hasText: 'camera on' }),
    )
  })

  test('it looks right on a desktop and a phone, in both themes, and axe finds nothing', async () => {
    for (const [width, height, colorScheme] of [
      [1280, 800, 'light'],
      [1280, 800, 'dark'],
      [360, 740, 'dark'],
      [360, 740, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      const name = `video-${width}-${colorScheme}`
      await mira.person.picture(name)
      assert.deepEqual(await axeFindings(page, 'html'), [], name)
      assert.deepEqual(await overflowingParts(page), [], name)
      assert.deepEqual(await namelessParts(page), [], name)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('CAMERA-4: a stream that ends is gone, and offered again when it begins again', async () => {
    await click('Stop watching')
    assert.equal(await main().getByRole('button', { name: 'Watch stream' }).evaluate(isFocused), true)
    await click('Watch stream')
    voice.setOther({ self_stream: false })
    await main().getByRole('button', { name: 'Stop watching' }).waitFor({ state: 'detached' })
    voice.setOther({ self_stream: true })
    await main().getByRole('button', { name: 'Watch stream' }).waitFor()
    voice.setOther({ self_stream: false })
  })

  test('CAMERA-3: what a moderator takes away is no longer captured, and the reason is shown', async () => {
    voice.takeAway({ self_video: false })
    await note(/^Your camera was turned off: you don’t have permission/)
    await pressed('Camera', false)
    await tile('mira').locator('video').waitFor({ state: 'detached' })
    voice.takeAway({ self_stream: false })
    await note(/^Your screen is no longer shared/)
    await click('Dismiss')
    await main().getByRole('alert').waitFor({ state: 'detached' })
  })

  test('CAMERA-3: a full room is explained, and the camera goes off', async () => {
    voice.refusal = 'camera_limit'
    await page.keyboard.press('Alt+Shift+V')
    await note(/^This room has reached its limit of cameras/)
    await pressed('Camera', false)
    assert.equal(await tile('mira').locator('video').count(), 0)
  })

  test('CAMERA-2: a camera that is blocked, missing or busy is explained, and a cancelled choice is not', async () => {
    for (const [name, words] of [
      ['NotAllowedError', /^Your browser blocks the camera/],
      ['NotFoundError', /^No camera found/],
      ['NotReadableError', /^The camera couldn’t be opened/],
    ] as const) {
      await refuseCapture('getUserMedia', name)
      await click('Camera')
      await note(words)
      await pressed('Camera', false)
    }
    await click('Dismiss')
    await refuseCapture('getDisplayMedia', 'NotAllowedError')
    await click('Share screen')
    await page.getByRole('button', { name: 'Choose what to share' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await pressed('Share screen', false)
    assert.equal(await main().getByRole('alert').count(), 0)
  })

  test('the settings show the camera before others see it', async () => {
    await click('Voice settings')
    await mira.person.button('Test camera').click()
    await seesPicture(page.getByRole('dialog'))
    await page.getByRole('combobox', { name: 'Camera' }).scrollIntoViewIfNeeded()
    await mira.person.picture('video-settings')
    await mira.person.button('Stop preview').click()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('CAMERA-1: leaving turns the camera off', async () => {
    await click('Camera')
    await seesPicture(tile('mira'))
    await click('Leave voice')
    await main().getByRole('button', { name: 'Join lounge' }).waitFor()
    assert.equal(await page.locator('video').count(), 0)
  })

  test('CAMERA-6: without the permission the buttons give the reason, and without video there are none', async () => {
    const { person } = jonas
    const capabilities = DEFAULT_CAPABILITIES & ~Capability.UseVideo
    await mira.client.roles.update(place.space_id, place.space_id, { capabilities })
    const script = { place, userId: jonas.id, otherId: mira.id }
    await ScriptedVoice.begin(person.page, script)
    await person.page.goto(`/spaces/${place.space_id}`)
    await person.room('lounge').click()
    const buttons = person.page.getByRole('main')
    const camera = buttons.getByRole('button', { name: 'Camera – not allowed here', disabled: true })
    await camera.focus()
    await person.page.keyboard.press('Enter')
    await buttons.getByRole('button', { name: 'Share screen', disabled: false }).waitFor()
    assert.equal(await camera.getAttribute('aria-pressed'), 'false')
    const bare = await person.context.newPage()
    await ScriptedVoice.begin(bare, { ...script, hasVideo: false })
    await bare.goto(`/spaces/${place.space_id}/rooms/${place.room_id}`)
    await bare.getByRole('main').getByRole('button', { name: 'Join lounge' }).click()
    await bare.getByText('Voice connected').first().waitFor()
    assert.equal(await bare.getByRole('button', { name: /^(Camera|Share screen)/ }).count(), 0)
  })

  test('CAMERA-6: who may not speak shares a screen without its sound, and is told so', async () => {
    const { page: his } = jonas.person
    const { space_id } = place
    const setPermissions = (permissions: number) =>
      mira.client.roles.update(space_id, space_id, { permissions })
    await his.getByRole('main').getByRole('button', { name: 'Share screen', exact: true }).click()
    const dialog = his.getByRole('dialog', { name: 'Share your screen' })
    const sound = dialog.getByRole('switch', { name: 'Share sound' })
    await sound.waitFor()
    await setPermissions(DEFAULT_PERMISSIONS & ~Permission.SpeakInVoice)
    await dialog.getByText(/^Your screen is shared without sound/).waitFor()
    assert.equal(await sound.count(), 0)
    await setPermissions(DEFAULT_PERMISSIONS)
    await sound.waitFor()
    await dialog.getByRole('button', { name: 'Choose what to share' }).click()
    const tile = his.getByRole('main').getByText('You’re sharing your screen.')
    await tile.waitFor()
    const silent = his.getByRole('main').getByText(/^Your screen is shared without sound/)
    assert.equal(await silent.count(), 0)
    await setPermissions(DEFAULT_PERMISSIONS & ~Permission.SpeakInVoice)
    await silent.waitFor()
    await setPermissions(DEFAULT_PERMISSIONS)
    await silent.waitFor({ state: 'detached' })
    await his.getByRole('main').getByRole('button', { name: 'Stop sharing' }).click()
    await tile.waitFor({ state: 'detached' })
  })

  test('a call shows cameras and screens above its messages, on a desktop and a phone', async () => {
    const { person } = mira
    await befriend(mira, jonas)
    const { id } = await mira.client.conversations.create({ recipient_ids: [jonas.id] })
    await page.close()
    const call = await person.context.newPage()
    const inCall = { space_id: null, room_id: null, conversation_id: id }
    const scripted = await ScriptedVoice.begin(call, { place: inCall, userId: mira.id, otherId: jonas.id })
    await call.goto(`/conversations/${id}`)
    await call.getByRole('button', { name: 'Start call' }).click()
    const bar = call.getByRole('region', { name: 'Call', exact: true })
    await bar.getByRole('button', { name: 'Camera' }).click()
    scripted.setOther({ self_video: true, self_stream: true })
    const tiles = bar.getByRole('list', { name: 'Video' }).getByRole('listitem')
    await seesPicture(tiles.filter({ hasText: /^mira/ }))
    await seesPicture(tiles.filter({ hasText: /^jonas/ }).filter({ hasText: 'camera on' }))
    for (const [width, height] of [
      [1280, 800],
      [360, 740],
    ] as const) {
      await call.setViewportSize({ width, height })
      await takePicture(call, `video-call-${width}`)
      assert.deepEqual(await axeFindings(call, 'html'), [])
      assert.deepEqual(await overflowingParts(call), [])
    }
    await call.setViewportSize({ width: 1280, height: 800 })
    await bar.getByRole('button', { name: 'Speaker view' }).click()
    const list = bar.getByRole('list', { name: 'Video' })
    const large = list.locator('[data-stage] > .voice-tile')
    await seesPicture(large)
    const [high, room] = await Promise.all([large.boundingBox(), list.boundingBox()])
    assert.ok(
      high && room && high.height > 150 && high.height < room.height,
      'the large picture is in sight as a whole',
    )
  })

  test('the console has no errors', () => {
    assert.deepEqual(mira.person.complaints, [])
  })
})

function isFocused(element: Element): boolean {
  return element === document.activeElement
}
