import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Message } from '@foyer/protocol/messages'
import type { Locator } from 'playwright-core'
import { requestAs } from './as-person.ts'
import { choose, isDrawn, send, shown, stored } from './attaching.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { blinkingGif, picture, sound, text, video } from './sample-files.ts'
import { meet } from './settled.ts'
import { Stage } from './stage.ts'

const PHONE = { width: 390, height: 844 }
const DESK = { width: 1280, height: 800 }

const pictures = [
  picture('ridge.png', { width: 1600, height: 1000, sky: [70, 120, 200] }),
  picture('evening.png', { width: 800, height: 800, sky: [220, 120, 80] }),
  picture('tall.png', { width: 600, height: 1200, sky: [90, 60, 140] }),
]

/** The tests run in order: each continues where the previous one ended. */
describe('viewing files', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Person

  before(async () => {
    stage = await Stage.open()
    mira = await stage.person('mira')
    jonas = await stage.person('jonas')
    await meet(mira, jonas)
    await choose(mira, pictures)
    await eventually(() => stored(mira), 3)
    await send(mira, 'From the weekend')
    await eventually(() => isDrawn(shown(jonas, 'tall.png')), true)
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const press = (key: string) => jonas.page.keyboard.press(key)
  const dialog = (name: string) => jonas.page.getByRole('dialog', { name })
  const large = (name: string) => dialog(name).getByRole('img', { name })
  const holdsFocus = () =>
    jonas.page.evaluate(() => Boolean(document.activeElement?.closest('[role="dialog"]')))
  const widthOf = async (image: Locator) => Math.round((await image.boundingBox())?.width ?? 0)

  test('a click opens a picture large, and wheel, mouse and buttons zoom it', async () => {
    await shown(jonas, 'ridge.png').click()
    await eventually(() => isDrawn(large('ridge.png')), true)
    await jonas.page.getByText('1 of 3 · 1600 × 1000').waitFor()
    await jonas.picture('lightbox')
    assert.deepEqual(await namelessParts(jonas.page), [])
    const whole = await widthOf(large('ridge.png'))
    await jonas.page.mouse.move(640, 400)
    await jonas.page.mouse.wheel(0, -300)
    await eventually(async () => (await widthOf(large('ridge.png'))) > whole * 1.5, true)
    const [before, scaled] = [await large('ridge.png').boundingBox(), await widthOf(large('ridge.png'))]
    await jonas.page.mouse.down()
    await jonas.page.mouse.move(740, 450, { steps: 4 })
    await jonas.page.mouse.up()
    const after = await large('ridge.png').boundingBox()
    assert.equal(Math.round((after?.x ?? 0) - (before?.x ?? 0)), 100)
    await jonas.button('Zoom out').click()
    await eventually(async () => (await widthOf(large('ridge.png'))) < scaled, true)
    await jonas.page.mouse.dblclick(640, 400)
    await eventually(() => widthOf(large('ridge.png')), whole)
    await jonas.button('Next picture').click()
    await dialog('evening.png').waitFor()
    await jonas.button('Close').click()
    await dialog('evening.png').waitFor({ state: 'detached' })
  })

  test('the keyboard alone opens, browses, zooms and closes, and the focus returns', async () => {
    await jonas.message('From the weekend').focus()
    await press('Tab')
    await press('Tab')
    const tile = jonas.page.getByRole('button', { name: 'evening.png' })
    await eventually(() => isFocused(tile), true)
    await press('Enter')
    await eventually(holdsFocus, true)
    await press('ArrowRight')
    await eventually(() => isDrawn(large('tall.png')), true)
    await press('ArrowRight')
    await dialog('tall.png').waitFor()
    const whole = await widthOf(large('tall.png'))
    await press('+')
    await eventually(async () => (await widthOf(large('tall.png'))) > whole, true)
    await press('0')
    await eventually(() => widthOf(large('tall.png')), whole)
    await press('ArrowLeft')
    await dialog('evening.png').waitFor()
    for (let stops = 0; stops < 12; stops += 1) {
      await press('Tab')
      await eventually(holdsFocus, true)
    }
    await press('Escape')
    await dialog('evening.png').waitFor({ state: 'detached' })
    await eventually(() => isFocused(tile), true)
  })

  test('a swipe browses the pictures, and a pinch zooms', async () => {
    const devtools = await jonas.context.newCDPSession(jonas.page)
    const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', ...xs: number[]) => {
      const touchPoints = xs.map((x, id) => ({ x, y: 400, id }))
      await devtools.send('Input.dispatchTouchEvent', { type, touchPoints })
    }
    await shown(jonas, 'ridge.png').click()
    await eventually(() => isDrawn(large('ridge.png')), true)
    await touch('touchStart', 700)
    for (const x of [660, 600, 540]) await touch('touchMove', x)
    await touch('touchEnd')
    await eventually(() => isDrawn(large('evening.png')), true)
    const whole = await widthOf(large('evening.png'))
    await touch('touchStart', 600, 700)
    for (const x of [560, 500, 440]) await touch('touchMove', x, 1300 - x)
    await touch('touchEnd')
    await eventually(async () => (await widthOf(large('evening.png'))) > whole * 2, true)
    await dialog('evening.png').waitFor()
    await press('Escape')
    await dialog('evening.png').waitFor({ state: 'detached' })
    await devtools.detach()
  })

  test('the original is saved under its name', async () => {
    await shown(jonas, 'ridge.png').click()
    const download = jonas.page.waitForEvent('download')
    await dialog('ridge.png').getByRole('link', { name: 'Download ridge.png' }).click()
    assert.equal((await download).suggestedFilename(), 'ridge.png')
    const opened = jonas.context.waitForEvent('page')
    await dialog('ridge.png').getByRole('link', { name: 'Open original' }).click()
    const page = await opened
    await page.waitForLoadState()
    assert.equal(await page.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth), 1600)
    await page.close()
    await press('Escape')
    await dialog('ridge.png').waitFor({ state: 'detached' })
  })

  test('animations play only while pointed at with reduced motion', async () => {
    await jonas.page.emulateMedia({ reducedMotion: 'reduce' })
    await choose(mira, blinkingGif('blink.gif'))
    await eventually(() => stored(mira), 1)
    await send(mira)
    const moving = shown(jonas, 'blink.gif')
    const opacity = () => moving.evaluate((element) => getComputedStyle(element).opacity)
    await eventually(() => isDrawn(moving), true)
    await jonas.page.mouse.move(0, 0)
    await eventually(opacity, '0')
    await jonas.page.getByRole('button', { name: 'blink.gif' }).hover()
    await eventually(opacity, '1')
    await jonas.page.mouse.move(0, 0)
    await jonas.page.emulateMedia({ reducedMotion: 'no-preference' })
    await eventually(opacity, '1')
  })

  test('it looks right on a desktop, in the dark theme and on a phone', async () => {
    const others = [await video(mira.page, 'train.webm'), sound('bell.wav'), text('notes.txt', 'Bring tea.')]
    await choose(mira, others)
    await eventually(() => stored(mira), 3)
    await mira.composer('general').fill('And how we got there')
    await mira.picture('files-desk')
    const { page } = mira
    await page.emulateMedia({ colorScheme: 'dark' })
    await mira.picture('files-desk-dark')
    await page.setViewportSize(PHONE)
    await mira.picture('files-phone-composer-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await mira.picture('files-phone-composer')
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      'nothing is cut off',
    )
    await mira.button('Send message').click()
    await eventually(() => mira.outgoing(), 0)
    await mira.picture('files-phone')
    await shown(mira, 'ridge.png').scrollIntoViewIfNeeded()
    await mira.picture('files-phone-gallery')
    assert.deepEqual(await namelessParts(page), [])
    await shown(mira, 'ridge.png').click()
    await page.getByRole('dialog', { name: 'ridge.png' }).waitFor()
    await mira.picture('lightbox-phone')
    await page.keyboard.press('Escape')
    await page.setViewportSize(DESK)
  })

  test('a deleted message removes its pictures, even one that is open', async () => {
    await shown(jonas, 'ridge.png').click()
    await dialog('ridge.png').waitFor()
    await mira.pointAt(mira.message('From the weekend'))
    await mira.message('From the weekend').getByRole('button', { name: 'Delete message' }).click()
    await mira.picture('files-delete')
    await mira.page.getByRole('alertdialog').getByRole('button', { name: 'Delete message' }).click()
    await dialog('ridge.png').waitFor({ state: 'detached' })
    await eventually(() => shown(jonas, 'ridge.png').count(), 0)
  })

  test('a removed member gets no new URL, and the old ones end with their signatures', async () => {
    const [, , spaceId, , roomId] = new URL(jonas.page.url()).pathname.split('/')
    const listed = await requestAs(jonas, `/api/rooms/${roomId}/messages`)
    const messages: Message[] = JSON.parse(await listed.text())
    const { id = '', url = '' } = messages[0]?.attachments[0] ?? {}
    const resign = () => requestAs(jonas, `/attachments/${id}/resign`, { method: 'POST' })
    assert.equal((await resign()).status, 200)
    const me = await requestAs(jonas, '/api/users/@me')
    const { id: jonasId }: { id: string } = JSON.parse(await me.text())
    await requestAs(mira, `/api/spaces/${spaceId}/members/${jonasId}`, { method: 'DELETE' })
    await eventually(async () => (await resign()).status, 403)
    assert.equal((await requestAs(jonas, url)).status, 307)
    const late = url.replace(/exp=(\d+)/, (_all, exp) => `exp=${Number(exp) + 1}`)
    assert.equal((await requestAs(jonas, late)).status, 403)
  })

  test('the consoles have no errors', () => {
    // The client of a removed member may still ask for what is on its page.
    for (const status of [403, 404]) jonas.forgiveRefusals(status)
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})
