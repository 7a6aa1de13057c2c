import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { blinkingGif, picture } from './sample-files.ts'
import { chooseFiles, chooseSection, closeSettings, openSpaceSettings } from './settings.ts'
import { meet } from './settled.ts'
import { Stage } from './stage.ts'

const SPACE = 'Sunday hikers'
const WIDE = picture('evening.png', { width: 900, height: 400, sky: [250, 160, 90] })
const TALL = picture('noon.png', { width: 400, height: 700, sky: [120, 190, 240] })

/** The tests run in order: each continues where the previous one ended. */
describe('the pictures of people and spaces', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Person

  before(async () => {
    stage = await Stage.open()
    mira = await stage.person('mira')
    jonas = await stage.person('jonas')
    await meet(mira, jonas)
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  async function openProfile(person: Person): Promise<void> {
    await person.button(/^Account: /).click()
    await person.button('User settings').click()
    await person.page.getByRole('heading', { level: 3, name: 'Profile' }).waitFor()
  }

  /** Returns width and height of the loaded pictures inside an element. */
  function sizesIn(place: Locator): Promise<string[]> {
    return place
      .locator('img[data-here]')
      .evaluateAll((images) =>
        images.map((image) =>
          image instanceof HTMLImageElement ? `${image.naturalWidth}×${image.naturalHeight}` : '',
        ),
      )
  }

  test('an avatar is cropped with the keyboard, and appears everywhere at once', async () => {
    await mira.say('Good morning!')
    await jonas.message('Good morning!').waitFor()
    await openProfile(mira)
    await chooseFiles(mira.button('Choose: Avatar'), [WIDE])
    const dialog = mira.page.getByRole('dialog', { name: 'Avatar' })
    await dialog.getByRole('slider', { name: 'Zoom' }).press('ArrowRight')
    await dialog.getByRole('group', { name: /^Crop area/ }).press('ArrowLeft')
    await mira.picture('crop-avatar')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.button('Use picture').click()
    await dialog.waitFor({ state: 'detached' })
    // The picture's height of 400 px, less one step of zoom.
    const square = '381×381'
    for (const place of [
      jonas.page.getByRole('complementary', { name: 'Members' }),
      jonas.page.getByRole('log'),
      mira.page.locator('.account-trigger'),
    ])
      await eventually(() => sizesIn(place), [square])
    await mira.picture('profile-avatar')
  })

  test('an animated picture is used whole, and stays animated', async () => {
    await chooseFiles(mira.button('Change: Avatar'), [blinkingGif('blink.gif')])
    const dialog = mira.page.getByRole('dialog', { name: 'Avatar' })
    await dialog.getByText('Animated pictures can’t be cropped.').waitFor()
    await mira.picture('crop-animated')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.button('Use picture').click()
    await dialog.waitFor({ state: 'detached' })
    await eventually(() => sizesIn(jonas.page.getByRole('log')), ['16×16'])
    const source = await jonas.page.getByRole('log').locator('img[data-here]').getAttribute('src')
    const answer = await jonas.page.request.get(`${source}?stream=1`)
    assert.equal(answer.headers()['content-type'], 'image/gif')
    assert.equal((await answer.body()).toString('latin1').split('\x21\xf9\x04').length, 3, 'of two frames')
  })

  test('a banner appears on the profile card', async () => {
    await chooseFiles(mira.button('Choose: Profile banner'), [TALL])
    await mira.button('Use picture').click()
    await mira.page.getByRole('dialog', { name: 'Profile banner' }).waitFor({ state: 'detached' })
    await jonas.page
      .getByRole('complementary', { name: 'Members' })
      .getByRole('button', { name: 'mira' })
      .click()
    const card = jonas.page.getByRole('dialog').filter({ hasText: '@mira' })
    await eventually(() => sizesIn(card), ['400×133', '16×16'])
    await jonas.picture('profile-card')
    await jonas.page.keyboard.press('Escape')
  })

  test('a file that is not a picture, or too large, is refused with a message', async () => {
    const dialog = mira.page.getByRole('dialog', { name: 'Profile banner' })
    const broken = { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }
    await chooseFiles(mira.button('Change: Profile banner'), [broken])
    await dialog.getByText('Can’t read broken.png as a picture.').waitFor()
    assert.equal(await mira.button('Use picture').isDisabled(), true)
    await mira.button('Cancel').click()
    const moving = blinkingGif('large.gif')
    const large = { ...moving, buffer: Buffer.concat([moving.buffer, Buffer.alloc(10 * 1024 * 1024)]) }
    await chooseFiles(mira.button('Change: Profile banner'), [large])
    await dialog.getByText('The picture is over 10 MB.').waitFor()
    await mira.button('Cancel').click()
    await closeSettings(mira, 'User settings')
  })

  test('an icon requires storage, and the refusal leads to its settings', async () => {
    const settings = await openSpaceSettings(mira, SPACE, 'Overview')
    await chooseFiles(mira.button('Choose: Space icon'), [WIDE])
    await mira.button('Use picture').click()
    await mira.page.getByText('Set up storage before adding pictures.').waitFor()
    await mira.picture('crop-no-storage')
    await mira.takeRefusals(422)
    await mira.button('Open storage').click()
    await settings.getByRole('heading', { level: 3, name: 'Storage' }).waitFor()
    await mira.button('Use the server’s storage').click()
    await settings.getByRole('switch', { name: 'In use' }).waitFor()
  })

  test('members and invitations show the icon and the banner of a space', async () => {
    await chooseSection(mira, SPACE, 'Overview')
    await chooseFiles(mira.button('Choose: Space icon'), [WIDE])
    await mira.button('Use picture').click()
    const rail = jonas.page.getByRole('navigation', { name: 'Spaces' })
    await eventually(() => sizesIn(rail), ['400×400'])
    await dropFile(mira.page.locator('.image-field-banner'), TALL)
    await mira.button('Use picture').click()
    await eventually(() => sizesIn(jonas.page.locator('.sidebar-banner')), ['400×133'])
    await mira.page.getByRole('dialog', { name: 'Space banner' }).waitFor({ state: 'detached' })
    await mira.picture('overview-pictures')
    assert.deepEqual(await namelessParts(mira.page), [])
    await closeSettings(mira, SPACE)
    await jonas.picture('space-pictures')
    const invite = await mira.makeInvite()
    const stranger = await stage.person('petra')
    await stranger.page.goto(invite)
    await eventually(() => sizesIn(stranger.page.locator('.invite-top')), ['400×133', '400×400'])
    await stranger.picture('invite-pictures')
    assert.deepEqual(stranger.complaints, [])
  })

  test('it looks right in the dark theme and on a phone', async () => {
    const { page } = mira
    await page.emulateMedia({ colorScheme: 'dark' })
    await openSpaceSettings(mira, SPACE, 'Overview')
    await mira.picture('overview-pictures-dark')
    await closeSettings(mira, SPACE)
    await page.setViewportSize({ width: 390, height: 844 })
    await mira.button('Open spaces and rooms').click()
    await mira.picture('space-pictures-phone-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await openSpaceSettings(mira, SPACE, 'Overview')
    await mira.picture('overview-pictures-phone')
    await chooseFiles(mira.button('Change: Space icon'), [TALL])
    await mira.page.getByRole('slider', { name: 'Zoom' }).waitFor()
    await mira.picture('crop-phone')
    await mira.button('Cancel').click()
    await closeSettings(mira, SPACE)
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('removing a picture shows the initials again', async () => {
    await openSpaceSettings(mira, SPACE, 'Overview')
    await mira.button('Remove: Space icon').click()
    await eventually(() => isFocused(mira.button('Choose: Space icon')), true)
    await mira.button('Remove: Space banner').click()
    const rail = jonas.page.getByRole('navigation', { name: 'Spaces' })
    await eventually(() => sizesIn(rail), [])
    await rail.locator('[data-initials=SH]').waitFor()
    await eventually(() => jonas.page.locator('.sidebar-banner').count(), 0)
    await closeSettings(mira, SPACE)
    await openProfile(mira)
    await mira.button('Remove: Avatar').click()
    await eventually(() => sizesIn(jonas.page.getByRole('log')), [])
  })

  test('the consoles have no errors', () => {
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})

async function dropFile(target: Locator, { name, mimeType, buffer }: typeof WIDE): Promise<void> {
  const data = { name, mimeType, bytes: [...buffer] }
  const dataTransfer = await target.page().evaluateHandle(({ name, mimeType, bytes }) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([new Uint8Array(bytes)], name, { type: mimeType }))
    return transfer
  }, data)
  for (const type of ['dragover', 'drop']) await target.dispatchEvent(type, { dataTransfer })
}
