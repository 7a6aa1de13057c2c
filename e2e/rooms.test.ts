import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { meet } from './settled.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('the rooms of a space', { skip: noBrowser }, () => {
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

  const list = ({ page }: Person) => page.getByRole('navigation', { name: 'Rooms' })

  /** Returns the names of categories and rooms, from top to bottom. */
  function outline(person: Person): Promise<string[]> {
    return list(person).locator('h2, a').allInnerTexts()
  }

  async function bothSee(...expected: string[]): Promise<void> {
    for (const person of [mira, jonas]) await eventually(() => outline(person), expected)
  }

  async function openCreateRoom(): Promise<Locator> {
    await mira.button('Sunday hikers, space menu').click()
    await mira.page.getByRole('menuitem', { name: 'Create room' }).click()
    return mira.page.getByRole('dialog')
  }

  async function chooseOfMenu(room: string, item: string): Promise<void> {
    await list(mira)
      .getByRole('button', { name: `More options for ${room}` })
      .click()
    await mira.page.getByRole('menuitem', { name: item }).click()
  }

  /** Drags with the mouse, from the middle of one element into another. Height 0 is its upper edge, 1 its lower. */
  async function drag(from: Locator, to: Locator, height: number): Promise<void> {
    const [start, end] = [await from.boundingBox(), await to.boundingBox()]
    assert.ok(start !== null && end !== null)
    const { mouse } = mira.page
    await mouse.move(start.x + 60, start.y + start.height / 2)
    await mouse.down()
    await mouse.move(end.x + 60, end.y + end.height * height, { steps: 6 })
  }

  test('a user who may not manage rooms finds no controls for it', async () => {
    await jonas.room('general').hover()
    await list(jonas).getByRole('button', { name: 'More options for general' }).click()
    await jonas.page.getByRole('menuitem', { name: 'Notifications…' }).waitFor()
    assert.equal(await jonas.page.getByRole('menuitem', { name: 'Room settings' }).count(), 0)
    await jonas.page.keyboard.press('Escape')
    await jonas.button('Sunday hikers, space menu').click()
    await jonas.page.getByRole('menuitem', { name: 'Leave space' }).waitFor()
    assert.equal(await jonas.page.getByRole('menuitem', { name: 'Create room' }).count(), 0)
    await jonas.page.keyboard.press('Escape')
  })

  test('a room created from the space menu appears below the current one, for others at once', async () => {
    const dialog = await openCreateRoom()
    assert.equal(await dialog.getByLabel('Category').locator('option:checked').innerText(), 'Text rooms')
    await mira.button('Create room').click()
    await dialog.getByText('Enter a name.').waitFor()
    await mira.field('Name').fill('tours')
    await mira.picture('create-room')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.button('Create room').click()
    await mira.composer('tours').waitFor()
    await bothSee('Text rooms', 'general', 'tours', 'Voice rooms', 'lounge')
  })

  test('a category is visible to others once it has a room', async () => {
    const dialog = await openCreateRoom()
    await mira.field('Name').fill('Archive')
    await dialog.getByRole('radio', { name: /^Category/ }).click()
    await mira.button('Create category').click()
    await list(mira).getByRole('heading', { name: 'Archive' }).waitFor()
    await list(mira).getByRole('button', { name: 'Create a room in Archive' }).click()
    await mira.field('Name').fill('stories')
    await dialog.getByRole('radio', { name: /^Voice/ }).click()
    assert.deepEqual(await outline(jonas), ['Text rooms', 'general', 'tours', 'Voice rooms', 'lounge'])
    await mira.button('Create room').click()
    await jonas.room('stories, voice').waitFor()
    await bothSee('Text rooms', 'general', 'tours', 'Voice rooms', 'lounge', 'Archive', 'stories')
  })

  test('a room is dragged into another category, and stays there after Escape', async () => {
    await drag(mira.room('tours'), mira.room('lounge'), 0.2)
    await mira.picture('drag-room')
    await mira.page.keyboard.press('Escape')
    await mira.page.mouse.up()
    await mira.page.getByRole('heading', { level: 1, name: 'stories' }).waitFor()
    await drag(mira.room('tours'), mira.room('stories'), 0.8)
    await mira.page.mouse.up()
    await bothSee('Text rooms', 'general', 'Voice rooms', 'lounge', 'Archive', 'stories', 'tours')
    await mira.page.getByRole('heading', { level: 1, name: 'stories' }).waitFor()
  })

  test('a category is dragged with its rooms', async () => {
    const heading = (name: string) => list(mira).getByRole('heading', { name })
    await drag(heading('Archive'), heading('Voice rooms'), 0.2)
    await mira.page.mouse.up()
    await bothSee('Text rooms', 'general', 'Archive', 'stories', 'tours', 'Voice rooms', 'lounge')
  })

  test('keys move a room any number of steps', async () => {
    await mira.room('tours').focus()
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp']) await mira.page.keyboard.press(`Alt+${key}`)
    await list(mira).getByText('tours is now before general in Text rooms.').waitFor()
    await bothSee('Text rooms', 'tours', 'general', 'Archive', 'stories', 'Voice rooms', 'lounge')
    const focused = await mira.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    assert.equal(focused, 'tours', 'the next key moves it on')
    await chooseOfMenu('tours', 'Move down')
    await bothSee('Text rooms', 'general', 'tours', 'Archive', 'stories', 'Voice rooms', 'lounge')
    await mira.page.reload()
    await bothSee('Text rooms', 'general', 'tours', 'Archive', 'stories', 'Voice rooms', 'lounge')
  })

  test('messages sent while a room is hidden arrive once it is shown again', async () => {
    const { page } = mira
    const view = page.getByRole('radiogroup', { name: 'View rooms' })
    const set = async (choice: 'Deny' | 'Inherit') => {
      await chooseOfMenu('general', 'Room settings')
      await page.getByRole('dialog').getByRole('button', { name: 'Permissions' }).click()
      await view.getByRole('radio', { name: choice }).click()
      await mira.button('Save changes').click()
      await page.getByText('You have unsaved changes.').waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await mira.room('general').click()
    await mira.composer('general').waitFor()
    await jonas.room('tours').click()
    await set('Deny')
    await jonas.room('general').waitFor({ state: 'detached' })
    await mira.say('Between us.')
    await mira.room('tours').click()
    await mira.composer('tours').fill('For everybody.')
    await mira.composer('tours').press('Enter')
    await jonas.message('For everybody.').waitFor()
    assert.equal(await jonas.room('general').count(), 0)
    assert.notEqual(await jonas.titleMark(), '•', 'nothing is unread anywhere')
    await set('Inherit')
    await jonas.room('general, unread').click()
    await jonas.message('Between us.').waitFor()
  })

  test('the description of a room is shown in one line, and in full on a click, or on a click on the name on a phone', async () => {
    const { page } = jonas
    await chooseOfMenu('general', 'Room settings')
    await mira.field('Description').fill(`**Where** we meet. ${'Bring what you need. '.repeat(20)}`)
    await mira.button('Save changes').click()
    await mira.button('Save changes').waitFor({ state: 'detached' })
    await mira.page.keyboard.press('Escape')
    const line = page.getByRole('button', { name: /^Where we meet\. Bring/ })
    await line.click()
    const whole = page.getByRole('dialog', { name: 'general' })
    await whole.locator('strong', { hasText: 'Where' }).waitFor()
    await jonas.picture('room-topic')
    assert.deepEqual(await namelessParts(page), [])
    await page.keyboard.press('Escape')
    await whole.waitFor({ state: 'detached' })
    await eventually(() => isFocused(line), true)
    await page.setViewportSize({ width: 320, height: 640 })
    await line.waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 1, name: 'general' }).getByRole('button').click()
    await whole.getByText('Bring what you need.').waitFor()
    await jonas.picture('room-topic-narrow')
    await jonas.page.keyboard.press('Escape')
    await whole.waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 1280, height: 800 })
    await line.click()
    await whole.waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'tours' }).waitFor()
    assert.equal(
      await page.locator('.topic-popover').count(),
      0,
      'it is about a room that is not open any more',
    )
    await page.goForward()
    await line.waitFor()
  })

  test('a deleted room disappears for both, even while it is open', async () => {
    await chooseOfMenu('general', 'Delete room')
    const dialog = mira.page.getByRole('alertdialog', { name: 'Delete general?' })
    await mira.picture('delete-room')
    await dialog.getByRole('button', { name: 'Delete room' }).click()
    await jonas.page.getByText('This room doesn’t exist or you don’t have access.').waitFor()
    await chooseOfMenu('Archive', 'Delete category')
    await mira.button('Delete category').click()
    await bothSee('stories', 'Text rooms', 'tours', 'Voice rooms', 'lounge')
  })

  test('the consoles have no errors', () => {
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})
