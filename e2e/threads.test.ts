import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { requestAs } from './as-person.ts'
import { drag, isDrawn } from './attaching.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { picture } from './sample-files.ts'
import { Stage } from './stage.ts'

/** Number of replies in a thread that loads in three pages. */
const PACKED = 110
const ON_THREAD = { x: 1150, y: 300 }
const ridge = picture('ridge.png', { width: 600, height: 400, sky: [70, 120, 200] })

/** The tests run in order: each continues where the previous one ended. */
describe('threads', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Person
  let folder: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'foyer-threads-'))
    stage = await Stage.openOwn()
    mira = await stage.person('mira')
    jonas = await stage.person('jonas')
    await mira.page.goto('/')
    await mira.signUp()
    await mira.createSpace('Sunday hikers')
    const invite = await mira.makeInvite()
    await jonas.page.goto(invite)
    await jonas.signUp()
    await jonas.composer('general').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    await stage?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const panel = (person: Person) => person.page.getByRole('complementary', { name: 'Replies' })
  /** Locates a message in the thread that Mira has open. */
  const said = (text: string) => panel(mira).locator('.message-text').getByText(text, { exact: true })
  const texts = (inside: Locator) => inside.locator('.message-text').allInnerTexts()

  async function reply(person: Person, to: string, text: string): Promise<void> {
    await person.pointAt(person.message(to))
    await person.message(to).getByRole('button', { name: 'Reply', exact: true }).click()
    await person.say(text)
  }

  test('a message with replies shows their number, and opens its thread', async () => {
    await mira.say('The ridge or the lake?')
    await reply(jonas, 'The ridge or the lake?', 'The ridge!')
    const line = mira
      .message('The ridge or the lake?')
      .first()
      .getByRole('button', { name: /^1 reply/ })
    await line.waitFor()
    await mira.picture('thread-line')
    await line.click()
    await eventually(() => texts(panel(mira)), ['The ridge or the lake?', 'The ridge!'])
  })

  test('both users continue in it, and see each other’s replies at once', async () => {
    await mira.field('Write a reply').fill('It is steep, though.')
    await mira.field('Write a reply').press('Enter')
    await eventually(
      () => texts(panel(mira)),
      ['The ridge or the lake?', 'The ridge!', 'It is steep, though.'],
    )
    // A reply to a reply continues the thread.
    await reply(jonas, 'It is steep, though.', 'We have all day.')
    const all = ['The ridge or the lake?', 'The ridge!', 'It is steep, though.', 'We have all day.']
    await eventually(() => texts(panel(mira)), all)
    await jonas
      .message('The ridge or the lake?')
      .first()
      .getByRole('button', { name: /^3 replies/ })
      .waitFor()
    await mira.picture('thread-panel')
    await mira.page.emulateMedia({ colorScheme: 'dark' })
    await mira.picture('thread-panel-dark')
    await mira.page.emulateMedia({ colorScheme: 'light' })
    assert.deepEqual(await namelessParts(mira.page), [])
  })

  test('COMMAND-8: a command in a thread stays in its field', async () => {
    const field = mira.field('Write a reply')
    await field.fill('/poll Which way?')
    await field.press('Enter')
    await panel(mira).getByText('Commands don’t work in replies.').waitFor()
    await mira.picture('thread-command-held')
    assert.equal(await field.inputValue(), '/poll Which way?')
    await field.fill('')
  })

  test('a reply has files, chosen or dropped on the thread, and the room’s draft has none of them', async () => {
    const tiles = (inside: string) => mira.page.locator(`${inside} .upload-tile`)
    const chooser = mira.page.waitForEvent('filechooser')
    await panel(mira).getByRole('button', { name: 'Attach files' }).click()
    await (await chooser).setFiles([ridge])
    const dropped = join(folder, 'route.gpx')
    await writeFile(dropped, '<gpx/>')
    await drag(mira, [dropped], ['dragEnter', 'dragOver'], ON_THREAD)
    await panel(mira).getByText('Drop to attach').waitFor()
    await drag(mira, [dropped], ['drop'], ON_THREAD)
    await eventually(() => tiles('.thread').count(), 2)
    assert.equal(await tiles('.page').count(), 0)
    await mira.field('Write a reply').fill('The way up')
    await mira.picture('thread-files')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.field('Write a reply').press('Enter')
    await eventually(() => isDrawn(panel(mira).getByRole('img', { name: ridge.name })), true)
    const theirs = jonas.message('The way up')
    await eventually(() => isDrawn(theirs.getByRole('img', { name: ridge.name })), true)
    await theirs.getByText('route.gpx').waitFor()
    await theirs.locator('.reply-line').waitFor()
    await eventually(() => tiles('.thread').count(), 0)
    await panel(mira).getByText('4 replies').waitFor()
    const row = panel(mira).getByRole('listitem').filter({ hasText: 'The way up' }).first()
    await mira.pointAt(row)
    await row.getByRole('button', { name: 'Delete message' }).click()
    await mira.page.getByRole('alertdialog').getByRole('button', { name: 'Delete message' }).click()
    await panel(mira).getByText('3 replies').waitFor()
  })

  test('the keyboard opens the thread of a reply, and Escape leads back to it', async () => {
    await mira.button('Close replies').click()
    await panel(mira).waitFor({ state: 'detached' })
    const row = mira.message('We have all day.')
    await mira.message('It is steep, though.').first().focus()
    await mira.page.keyboard.press('ArrowDown')
    await row.press('t')
    await eventually(() => texts(panel(mira)).then((found) => found.length), 4)
    await mira.page.keyboard.press('Escape')
    await panel(mira).waitFor({ state: 'detached' })
    await eventually(() => row.evaluate((element) => element.contains(document.activeElement)), true)
  })

  test('a thread and the search replace each other where only one panel fits', async () => {
    const search = mira.page.getByRole('complementary', { name: /^Search / })
    const line = mira.page
      .getByRole('log')
      .first()
      .getByRole('button', { name: /^3 replies/ })
    await line.click()
    await panel(mira).waitFor()
    await mira.button('Search messages').click()
    await search.waitFor()
    await panel(mira).waitFor({ state: 'detached' })
    await line.click()
    await panel(mira).waitFor()
    await search.waitFor({ state: 'detached' })
    await mira.page.setViewportSize({ width: 1700, height: 800 })
    await mira.button('Search messages').click()
    await search.waitFor()
    assert.equal(await panel(mira).count(), 1)
    await mira.page.setViewportSize({ width: 1280, height: 800 })
    await search.waitFor({ state: 'detached' })
    await mira.button('Close replies').click()
    await panel(mira).waitFor({ state: 'detached' })
  })

  test('the members replace a thread, and the focus stays on their button', async () => {
    await mira.page
      .getByRole('log')
      .getByRole('button', { name: /^3 replies/ })
      .click()
    await panel(mira).waitFor()
    await mira.button('Show members').click()
    await panel(mira).waitFor({ state: 'detached' })
    await mira.button('Hide members').waitFor()
    assert.ok(await isFocused(mira.button('Hide members')))
  })

  test('a deleted message disappears from the thread, on a phone, too', async () => {
    await jonas.page.setViewportSize({ width: 390, height: 844 })
    await jonas.page
      .getByRole('log')
      .getByRole('button', { name: /^3 replies/ })
      .click()
    await eventually(() => texts(panel(jonas)).then((found) => found.length), 4)
    await jonas.picture('thread-phone')
    await mira.pointAt(mira.message('It is steep').first())
    await mira.message('It is steep').first().getByRole('button', { name: 'Delete message' }).click()
    await mira.page.getByRole('alertdialog').getByRole('button', { name: 'Delete message' }).click()
    await eventually(() => texts(panel(jonas)), ['The ridge or the lake?', 'The ridge!', 'We have all day.'])
    await panel(jonas).getByText('2 replies').waitFor()
    const width = await jonas.page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(width <= 390, 'nothing scrolls sideways')
  })

  test('a long thread opens at its end, and shows own replies at once', async () => {
    const room = new URL(mira.page.url()).pathname.split('/')[4]
    const say = async (content: string, message_id?: string) => {
      const body = message_id === undefined ? { content } : { content, reference: { message_id } }
      const answer = await requestAs(jonas, `/api/rooms/${room}/messages`, { method: 'POST', body })
      const { id }: Record<string, string> = await answer.json()
      return id
    }
    const list = await say('What do we pack?')
    for (let number = 1; number <= PACKED; number += 1) await say(`thing ${number}.`, list)
    await mira.message(`thing ${PACKED}.`).click({ button: 'right' })
    await mira.page.getByRole('menuitem', { name: 'View replies' }).click()
    await eventually(() => texts(panel(mira)).then((found) => found.length), 51)
    await eventually(() => isInView(said('thing 110.')), true)
    await mira.picture('thread-end')
    await mira.field('Write a reply').fill('And a torch')
    await mira.field('Write a reply').press('Enter')
    await eventually(() => isInView(said('And a torch')), true)
    await eventually(() => texts(panel(mira)).then((found) => found.length), 52)
  })

  test('earlier replies are loaded above without moving the view', async () => {
    const more = mira.button('Show earlier replies')
    await more.scrollIntoViewIfNeeded()
    await mira.picture('thread-earlier')
    const place = await topOf(said('thing 61.'))
    await more.click()
    await said('thing 11.').waitFor({ state: 'attached' })
    assert.ok(Math.abs((await topOf(said('thing 61.'))) - place) < 2, 'what one reads stays where it is')
    await more.press('Enter')
    await said('thing 1.').waitFor({ state: 'attached' })
    const all = panel(mira).getByText(`${PACKED + 1} replies`)
    await all.waitFor({ state: 'attached' })
    assert.equal(await more.count(), 0)
    const row = panel(mira).getByRole('listitem').filter({ hasText: 'thing 11.' })
    await eventually(() => isFocused(row), true)
    assert.deepEqual(await namelessParts(mira.page), [])
  })

  test('the consoles have no errors', () => {
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})

async function topOf(shown: Locator): Promise<number> {
  return shown.evaluate((element) => element.getBoundingClientRect().top)
}

/** Returns true if the whole element is in the visible part of the list. */
async function isInView(shown: Locator): Promise<boolean> {
  if ((await shown.count()) === 0) return false
  return shown.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    const list = element.closest('.thread-scroller')?.getBoundingClientRect()
    return list !== undefined && top >= list.top && bottom <= list.bottom
  })
}
