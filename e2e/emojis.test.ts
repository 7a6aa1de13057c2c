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
const SUNRISE = picture('sunrise.png', { width: 200, height: 120, sky: [255, 170, 110] })
const MOUNTAIN = picture('mountain sun.png', { width: 400, height: 400, sky: [120, 180, 240] })

/** The tests run in order: each continues where the previous one ended. */
describe('the emojis and stickers of a space', { skip: noBrowser }, () => {
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

  function picker(person: Person): Locator {
    return person.page.getByRole('dialog', { name: 'Emoji' })
  }

  async function openPicker(person: Person): Promise<Locator> {
    await person.button('Emoji and stickers').click()
    await picker(person).getByRole('button', { name: 'grinning face', exact: true }).waitFor()
    return picker(person)
  }

  /** Returns the names of the space's own emojis in the picker. */
  function ownNames(person: Person): Promise<string[]> {
    return picker(person)
      .getByRole('region', { name: SPACE })
      .getByRole('button')
      .evaluateAll((tiles) => tiles.map((tile) => tile.getAttribute('aria-label') ?? ''))
  }

  function loadedPictures(place: Locator): Promise<number> {
    return place
      .locator('img')
      .evaluateAll(
        (images) =>
          images.filter((image) => 'naturalWidth' in image && Number(image.naturalWidth) > 0).length,
      )
  }

  test('a space without storage shows a note with a button that adds it', async () => {
    const dialog = await openSpaceSettings(mira, SPACE, 'Emoji')
    await dialog.getByText('Set up storage before adding pictures.').waitFor()
    await mira.picture('emojis-no-storage')
    assert.deepEqual(await namelessParts(mira.page), [])
    await chooseFiles(mira.button('Add emoji'), [SUNRISE, MOUNTAIN])
    const refusals = dialog.getByRole('alert').filter({ hasText: 'Set up storage before adding pictures.' })
    await eventually(() => refusals.count(), 2)
    // An error that would fail every picture stops the queue after one request.
    await mira.takeRefusals(422)
    await mira.button('Dismiss all').click()
    await mira.button('Set up storage').click()
    await dialog.getByRole('heading', { level: 3, name: 'Storage' }).waitFor()
    await chooseSection(mira, SPACE, 'Emoji')
    await mira.button('Use the server’s storage').press('Enter')
    await mira.button('Set up storage').waitFor({ state: 'detached' })
    await eventually(() => isFocused(dialog.getByRole('heading', { level: 3, name: 'Emoji' })), true)
    await chooseSection(mira, SPACE, 'Storage')
    await dialog.getByRole('switch', { name: 'In use' }).waitFor()
    await mira.picture('storage-included')
    assert.deepEqual(await namelessParts(mira.page), [])
  })

  test('several files become emojis at once, named after them, and others receive them at once', async () => {
    const dialog = await chooseSection(mira, SPACE, 'Emoji')
    await openPicker(jonas)
    await chooseFiles(mira.button('Add emoji'), [
      blinkingGif('party parrot!.gif'),
      SUNRISE,
      { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
    ])
    await eventually(() => ownNames(jonas), [':party_parrot:', ':sunrise:'])
    const list = dialog.getByRole('list', { name: 'All emoji' })
    await eventually(() => loadedPictures(list), 2)
    await list.getByText('animated').waitFor()
    const failed = dialog.getByRole('list', { name: 'Uploads' })
    await failed.getByText('Can’t read this picture. Choose a PNG, JPEG, WebP, GIF or AVIF.').waitFor()
    await dialog.getByText('2 of 500 emoji').waitFor()
    await mira.picture('emojis')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.button('Dismiss broken.png').click()
    await mira.takeRefusals(400)
    await eventually(() => loadedPictures(picker(jonas)), 2)
    await jonas.picture('picker')
    assert.deepEqual(await namelessParts(jonas.page), [])
  })

  test('a new name is visible at once, and an invalid or taken one is not saved', async () => {
    const field = mira.field('Name of party_parrot')
    await field.fill('sunrise')
    await field.press('Enter')
    await mira.page.getByText('That name is already taken.').waitFor()
    await mira.takeRefusals(400)
    await field.fill('p')
    await field.press('Enter')
    await mira.page.getByText('Use 2–32 letters, numbers or underscores.').waitFor()
    await field.fill('parrot')
    await field.press('Enter')
    await eventually(() => ownNames(jonas), [':parrot:', ':sunrise:'])
  })

  test('emojis are found by typing and chosen with the keyboard', async () => {
    const { page } = jonas
    const search = page.getByRole('searchbox', { name: 'Search emoji' })
    await search.fill('waving ha')
    await picker(jonas).getByRole('button', { name: 'waving hand', exact: true }).waitFor()
    await search.press('Enter')
    await eventually(() => jonas.composer('general').inputValue(), '👋')
    await openPicker(jonas)
    await picker(jonas).getByRole('region', { name: 'Recently used' }).waitFor()
    await search.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const focused = page.locator('.tile:focus')
    await eventually(() => focused.getAttribute('aria-label'), ':parrot:')
    await page.keyboard.press('Enter')
    await eventually(() => picker(jonas).count(), 0)
    await eventually(async () => /^👋\s*:parrot:$/.test(await jonas.composer('general').inputValue()), true)
    await jonas.composer('general').press('Enter')
    const parrots = mira.page.getByRole('log').getByRole('img', { name: ':parrot:' })
    await eventually(() => parrots.count(), 1)
    await jonas.composer('general').press('ArrowUp')
    const editor = jonas.field('Edit message')
    assert.match(await editor.inputValue(), /^👋\s*:parrot:$/)
    await editor.press('End')
    await editor.pressSequentially(':parrot:')
    await editor.press('Enter')
    await eventually(() => parrots.count(), 2)
  })

  test('a fully typed standard name becomes its emoji, and the space’s own keep theirs', async () => {
    const composer = jonas.composer('general')
    await composer.pressSequentially('so :thumbsup')
    await jonas.page.getByRole('option', { name: 'thumbs up' }).waitFor()
    await composer.pressSequentially(': or')
    await eventually(() => composer.inputValue(), 'so 👍️ or')
    await composer.pressSequentially(' :parrot: or :nothing: else')
    await eventually(() => composer.inputValue(), 'so 👍️ or :parrot: or :nothing: else')
    await composer.fill('')
  })

  test('the skin tone is remembered', async () => {
    await openPicker(jonas)
    await jonas.button('Skin tone: Yellow').click()
    await picker(jonas).getByRole('button', { name: 'Medium-dark', exact: true }).click()
    await jonas.page.keyboard.press('Escape')
    await openPicker(jonas)
    await jonas.button('Skin tone: Medium-dark').waitFor()
    await jonas.page.getByRole('searchbox', { name: 'Search emoji' }).fill('thumbs up')
    await picker(jonas).getByRole('button', { name: 'thumbs up', exact: true }).click()
    await eventually(async () => (await jonas.composer('general').inputValue()).trim(), '👍🏾')
    await jonas.composer('general').fill('')
  })

  test('a new sticker is offered to other members, and sent', async () => {
    await chooseSection(mira, SPACE, 'Stickers')
    await chooseFiles(mira.button('Add stickers'), [MOUNTAIN])
    await mira.field('Name of mountain_sun').waitFor()
    await openPicker(jonas)
    await jonas.page.getByRole('tab', { name: 'Stickers' }).click()
    const sticker = picker(jonas).getByRole('button', { name: ':mountain_sun:' })
    await sticker.waitFor()
    await eventually(() => loadedPictures(picker(jonas)), 1)
    await jonas.picture('picker-stickers')
    assert.deepEqual(await namelessParts(jonas.page), [])
    await sticker.click()
    await eventually(() => picker(jonas).count(), 0)
  })

  test('a sticker is sent silently after @silent, which stays if there is more text', async () => {
    const sticker = picker(jonas).getByRole('button', { name: ':mountain_sun:' })
    const silent = () => mira.page.getByRole('log').getByRole('img', { name: 'Sent silently' }).count()
    for (const [index, [written, left]] of [
      ['@silent', ''],
      ['@silent Good morning', '@silent Good morning'],
    ].entries()) {
      await jonas.composer('general').fill(written ?? '')
      await jonas.button('Emoji and stickers').click()
      await jonas.page.getByRole('tab', { name: 'Stickers' }).click()
      await sticker.click()
      await eventually(silent, index + 1)
      await eventually(() => jonas.composer('general').inputValue(), left)
    }
    await jonas.composer('general').fill('')
  })

  test('it looks right in the dark theme and on a phone', async () => {
    await closeSettings(mira, SPACE)
    await mira.page.emulateMedia({ colorScheme: 'dark' })
    await openPicker(mira)
    await mira.picture('picker-dark')
    await mira.page.keyboard.press('Escape')
    await openSpaceSettings(mira, SPACE, 'Emoji')
    await mira.picture('emojis-dark')
    await closeSettings(mira, SPACE)
    await mira.page.setViewportSize({ width: 390, height: 844 })
    await openPicker(mira)
    await mira.picture('picker-phone-dark')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.page.emulateMedia({ colorScheme: 'light' })
    await mira.picture('picker-phone')
    await mira.page.keyboard.press('Escape')
    await mira.button('Open spaces and rooms').click()
    await openSpaceSettings(mira, SPACE, 'Emoji')
    await mira.picture('emojis-phone')
    assert.deepEqual(await namelessParts(mira.page), [])
    await closeSettings(mira, SPACE)
    await mira.page.setViewportSize({ width: 1280, height: 800 })
  })

  test('deleted emojis are gone for everyone: first one, then all pictures of the space', async () => {
    await openPicker(jonas)
    await openSpaceSettings(mira, SPACE, 'Emoji')
    await mira.button('Delete sunrise').click()
    await mira.page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await eventually(() => ownNames(jonas), [':parrot:'])
    await eventually(() => isFocused(mira.page.getByRole('list', { name: 'All emoji' })), true)
    const dialog = await chooseSection(mira, SPACE, 'Files')
    const list = dialog.getByRole('list', { name: 'Space pictures' })
    await eventually(() => list.getByRole('listitem').count(), 2)
    await eventually(() => loadedPictures(list), 2)
    await mira.picture('files')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.button('Delete all').click()
    await mira.button('Delete all emoji and stickers').click()
    await mira.page.getByText(`That doesn’t match. Type “${SPACE}” exactly as shown.`).waitFor()
    await mira.field(`Type “${SPACE}” to confirm`).fill(SPACE)
    await mira.button('Delete all emoji and stickers').click()
    await dialog.getByRole('heading', { name: 'No pictures yet' }).waitFor()
    await eventually(() => ownNames(jonas), [])
    await jonas.page.getByRole('tab', { name: 'Stickers' }).click()
    await picker(jonas).getByRole('heading', { name: 'No stickers yet' }).waitFor()
  })

  test('the consoles have no errors', () => {
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})
