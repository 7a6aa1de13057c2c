import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { isDrawn } from './attaching.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { holdAnswers } from './held-answers.ts'
import { isFocused, Keys, openAndEscape } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { photo, post } from './posted-files.ts'
import { sound, text, video } from './sample-files.ts'
import { befriend, gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const PHONE = { width: 390, height: 844 }
const DESK = { width: 1400, height: 900 }
/** More messages with pictures than one page of a search. */
const MANY = 30

/** The tests run in order: each continues where the previous one ended. */
describe('files of rooms and conversations', { skip: noBrowser }, () => {
  let stage: Stage
  let host: Settled
  let jonas: Settled
  let mira: Person
  let spaceId: string
  let general: string
  let hidden: string

  before(async () => {
    stage = await Stage.open()
    host = await settle(stage, 'mira')
    jonas = await settle(stage, 'jonas')
    mira = host.person
    const { space, general: room } = await gather('Sunday hikers', [host, jonas])
    spaceId = space.id
    general = room.id
    await host.client.buckets.createIncluded(space.id)
    hidden = (await host.client.rooms.create(space.id, { name: 'surprise', type: RoomType.Text })).id
    await post(host, hidden, 'For lena', [photo('cake.png', [200, 120, 160])])
    await post(host, general, 'From the weekend', [
      photo('ridge.png', [70, 120, 200]),
      photo('evening.png', [220, 120, 80]),
    ])
    await post(jonas, general, 'The list', [text('packing list.txt', 'tent'), sound('river.wav')])
    await jonas.client.messages.create(general, { content: 'See https://hikers.example/map' })
    for (const { page } of [mira, jonas.person]) {
      await page.setViewportSize(DESK)
      await page.goto(`/spaces/${spaceId}/rooms/${general}`)
      await page.getByText('See https').waitFor()
    }
    await post(host, general, 'And how we got there', [await video(mira.page, 'train.webm')])
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const panelOf = ({ page }: Person) => page.getByRole('complementary', { name: /^Files in/ })
  const panel = () => panelOf(mira)
  const tile = (name: string) => panel().getByRole('button', { name })
  const tab = (name: string) => panel().getByRole('tab', { name, exact: true })
  const namesOf = (person: Person) =>
    panelOf(person)
      .locator('.gallery-tile')
      .evaluateAll((tiles) =>
        tiles.map((one) => one.getAttribute('aria-label') ?? one.querySelector('img')?.alt ?? ''),
      )

  test('WEB-22: pictures and videos of the room are a grid, the newest first', async () => {
    await mira.button('Files').click()
    await eventually(() => namesOf(mira), ['Video train.webm', 'ridge.png', 'evening.png'])
    await eventually(() => isDrawn(tile('ridge.png').getByRole('img')), true)
    const width = () =>
      tile('Video train.webm')
        .locator('video')
        .evaluate((element: HTMLVideoElement) => element.videoWidth)
    await eventually(width, 320)
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.picture('shared-media')
  })

  test('WEB-22: the viewer says who sent a picture, plays a video, and leads to the message', async () => {
    const dialog = (name: string) => mira.page.getByRole('dialog', { name })
    await tile('Video train.webm').click()
    const film = dialog('train.webm').getByLabel('train.webm', { exact: true })
    await eventually(() => film.evaluate((element: HTMLVideoElement) => element.currentTime > 0), true)
    await dialog('train.webm')
      .getByText(/^mira · #general · Today/)
      .waitFor()
    await mira.picture('shared-video')
    await mira.page.keyboard.press('ArrowRight')
    await eventually(() => isDrawn(dialog('ridge.png').getByRole('img')), true)
    await mira.picture('shared-picture')
    await dialog('ridge.png').getByRole('link', { name: 'Go to message' }).click()
    await dialog('ridge.png').waitFor({ state: 'detached' })
    await eventually(() => mira.message('From the weekend').isVisible(), true)
    assert.equal(await panel().count(), 1)
  })

  test('WEB-22: other files are downloaded under their names, audio plays, and each leads to its message', async () => {
    await tab('Files').click()
    const rows = panel().getByRole('listitem')
    await eventually(() => rows.count(), 2)
    await panel().getByText('jonas · #general · Today').first().waitFor()
    const tone = panel().getByLabel('river.wav', { exact: true })
    await eventually(() => tone.evaluate((element: HTMLAudioElement) => Math.round(element.duration)), 1)
    await mira.picture('shared-files')
    const download = mira.page.waitForEvent('download')
    await panel().getByRole('link', { name: 'Download packing list.txt' }).click()
    assert.equal((await download).suggestedFilename(), 'packing list.txt')
    await rows.first().getByRole('link', { name: 'Go to message' }).click()
    await eventually(() => mira.message('The list').isVisible(), true)
    await tab('Links').click()
    await panel().getByRole('link', { name: 'https://hikers.example/map' }).waitFor()
    await mira.picture('shared-links')
  })

  test('WEB-22: all rooms are those that the user may view, and a room that is lost takes its files along', async () => {
    const show = async (person: Person) => {
      if ((await panelOf(person).count()) === 0) await person.button('Files').click()
      await panelOf(person).getByRole('tab', { name: 'Media' }).click()
      await panelOf(person).getByRole('combobox', { name: 'Show files of' }).selectOption('All rooms')
    }
    for (const person of [mira, jonas.person]) {
      await show(person)
      await eventually(async () => (await namesOf(person)).includes('cake.png'), true)
    }
    await host.client.overwrites.upsert(spaceId, hidden, {
      target_type: 0,
      target_id: spaceId,
      allow_flags: 0,
      deny_flags: Permission.ViewChannels,
    })
    await eventually(async () => (await namesOf(jonas.person)).includes('cake.png'), false)
    assert.ok((await namesOf(mira)).includes('cake.png'))
    await jonas.person.button('Close files').click()
    await show(jonas.person)
    await eventually(() => namesOf(jonas.person), ['Video train.webm', 'ridge.png', 'evening.png'])
    await panelOf(mira).getByRole('combobox').selectOption('#general')
  })

  test('WEB-22: new messages come first, and deleted ones leave', async () => {
    await eventually(() => namesOf(mira), ['Video train.webm', 'ridge.png', 'evening.png'])
    const message = await post(jonas, general, 'Fog', [photo('fog.png', [160, 160, 170])])
    await eventually(() => namesOf(mira), ['fog.png', 'Video train.webm', 'ridge.png', 'evening.png'])
    await jonas.client.messages.delete(general, message.id)
    await eventually(() => namesOf(mira), ['Video train.webm', 'ridge.png', 'evening.png'])
  })

  test('WEB-22: messages of blocked people are left out', async () => {
    const { id } = await post(jonas, general, 'Sun', [photo('sun.png', [240, 200, 90])])
    await eventually(async () => (await namesOf(mira)).includes('sun.png'), true)
    await host.client.friends.block(jonas.id)
    await eventually(async () => (await namesOf(mira)).includes('sun.png'), false)
    await host.client.friends.unblock(jonas.id)
    await eventually(() => isDrawn(tile('sun.png').getByRole('img')), true)
    await jonas.client.messages.delete(general, id)
  })

  test('WEB-22: the keyboard opens the list, moves in the grid, and returns to where it was', async () => {
    const keys = new Keys(mira.page)
    await mira.button('Close files').click()
    await keys.goTo(mira.button('Files'))
    await keys.press('Enter')
    await keys.isAt(panel().getByRole('heading', { name: 'Files' }))
    await tile('ridge.png').waitFor()
    await keys.goTo(tab('Media'))
    await keys.goTo(tile('train.webm'))
    await keys.press('ArrowRight')
    await keys.isAt(tile('ridge.png'))
    await keys.press('Enter')
    await mira.page.getByRole('dialog', { name: 'ridge.png' }).waitFor()
    await keys.press('Escape')
    await keys.isAt(tile('ridge.png'))
    await tile('ridge.png').evaluate(openAndEscape)
    await mira.page.getByRole('dialog', { name: 'ridge.png' }).waitFor({ state: 'detached' })
    await keys.isAt(tile('ridge.png'))
    await keys.press('Shift+Tab')
    assert.equal(await isFocused(panel().locator('.gallery-tile')), false, 'the grid is one tab stop')
    await keys.goTo(tab('Media'), 'Shift+Tab')
    await keys.press('ArrowRight')
    await keys.isAt(tab('Files'))
    await keys.press('Escape')
    await panel().waitFor({ state: 'detached' })
    await keys.isAt(mira.button('Files'))
  })

  test('WEB-22: what is posted and deleted during the first search is in the list, and not in it', async () => {
    const gone = await post(host, general, 'Fog', [text('fog.txt', 'grey')])
    await mira.page.goto(`/spaces/${spaceId}/rooms/${general}`)
    const held = await holdAnswers(mira.page, '**/messages/search?has=file&**')
    await mira.button('Files').click()
    await tab('Files').click()
    await held.given
    await host.client.messages.delete(general, gone.id)
    const { id } = await post(host, general, 'Dunes', [text('dunes.txt', 'sand')])
    await mira.message('Dunes').waitFor()
    await held.release()
    await panel().getByRole('link', { name: 'Download dunes.txt' }).waitFor()
    assert.equal(await panel().getByRole('link', { name: 'Download fog.txt' }).count(), 0)
    await host.client.messages.delete(general, id)
  })

  test('WEB-22: a conversation lists its own files, and says so when there are none or they cannot be loaded', async () => {
    await befriend(host, jonas)
    const { id } = await host.client.conversations.create({ recipient_ids: [jonas.id] })
    await mira.page.goto(`/conversations/${id}`)
    await mira.page.route('**/messages/search**', (route) => route.abort())
    await mira.button('Files').click()
    await panel().getByRole('alert').waitFor()
    await mira.page.unroute('**/messages/search**')
    await panel().getByRole('button', { name: 'Try again' }).click()
    await panel().getByText('No pictures or videos yet').waitFor()
    await mira.picture('shared-none')
    await post(jonas, { conversation: id }, 'Only for you', [photo('secret.png', [90, 60, 140])])
    await eventually(() => namesOf(mira), ['secret.png'])
    assert.equal(await panel().getByRole('combobox').count(), 0)
    mira.forgiveOutage()
  })

  test('WEB-22: on a phone the search leads to the files, in a drawer that a message closes', async () => {
    const { page } = mira
    await page.setViewportSize(PHONE)
    await page.goto(`/spaces/${spaceId}/rooms/${general}`)
    await mira.message('And how').waitFor()
    assert.equal(await mira.button('Files').count(), 0)
    await mira.button('Search messages').click()
    await mira.button('All pictures, videos and files').waitFor()
    await mira.picture('shared-search-phone')
    await mira.button('All pictures, videos and files').click()
    await eventually(() => isDrawn(tile('ridge.png').getByRole('img')), true)
    await mira.picture('shared-media-phone')
    await page.emulateMedia({ colorScheme: 'dark' })
    await mira.picture('shared-media-phone-dark')
    await tile('ridge.png').click()
    await page.getByRole('dialog', { name: 'ridge.png' }).waitFor()
    await page.locator('.lightbox-backdrop').waitFor()
    await mira.picture('shared-picture-phone')
    await page.keyboard.press('Escape')
    await tab('Files').click()
    await panel()
      .getByRole('link', { name: /^Download packing/ })
      .waitFor()
    await mira.picture('shared-files-phone-dark')
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    await panel().getByRole('link', { name: 'Go to message' }).first().click()
    await panel().waitFor({ state: 'detached' })
    await eventually(() => mira.message('The list').isVisible(), true)
    await page.setViewportSize(DESK)
  })

  test('WEB-23: results of a search have thumbnails of pictures and videos, and lose deleted messages', async () => {
    const { id } = await post(jonas, general, 'Clouds', [
      ...Array.from({ length: 6 }, (_, index) => photo(`cloud ${index}.png`, [90, 30 * index, 200])),
      text('clouds.txt', 'grey'),
    ])
    await mira.button('Search messages').click()
    const search = mira.page.getByRole('combobox', { name: /^Search/ })
    await search.fill('has:image')
    await search.press('Enter')
    await search.fill('has:video')
    await search.press('Enter')
    const hits = mira.page.locator('.search-hit')
    await eventually(() => hits.count(), 4)
    const clouds = hits.filter({ hasText: 'Clouds' })
    await eventually(() => isDrawn(clouds.getByRole('img', { name: 'cloud 0.png' })), true)
    assert.match(await clouds.innerText(), /1 file\s/)
    assert.match(await clouds.innerText(), /\+2/)
    await hits.getByRole('img', { name: 'train.webm' }).waitFor()
    assert.ok(!(await mira.page.locator('.search-panel').innerText()).includes('2 pictures'))
    await mira.picture('search-thumbnails-dark')
    await jonas.client.messages.delete(general, id)
    await eventually(() => hits.count(), 3)
  })

  test('WEB-22: further pages are loaded while scrolling', async () => {
    const { id } = await host.client.rooms.create(spaceId, { name: 'album', type: RoomType.Text })
    for (let index = 0; index < MANY; index += 1)
      await post(host, id, '', [photo(`day ${index}.png`, [(index * 37) % 255, 120, 160])])
    await mira.page.goto(`/spaces/${spaceId}/rooms/${id}`)
    await mira.button('Files').click()
    await tile(`day ${MANY - 1}.png`).waitFor()
    await mira.picture('shared-media-many')
    await panel().getByText('At least 25 pictures and videos').waitFor()
    await tile(`day ${MANY - 1}.png`).click()
    await mira.page.getByText('1 of 25+ ·').waitFor()
    await mira.page.keyboard.press('Escape')
    await panel()
      .locator('.files-list')
      .evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await eventually(async () => (await namesOf(mira)).length, MANY)
    await panel().getByText(`${MANY} pictures and videos`, { exact: true }).waitFor()
  })

  test('the consoles have no errors', () => {
    assert.deepEqual([...mira.complaints, ...jonas.person.complaints], [])
  })
})
