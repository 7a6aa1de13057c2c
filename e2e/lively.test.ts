import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import type { Bot } from '@foyer/sdk/bot'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { push } from './github.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { takeDocumentationPicture } from './pictures.ts'
import { picture } from './sample-files.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'
import { startWeatherBot } from './weather-bot.ts'

/** Two people, a bot and a webhook in one room. The tests run in order: each continues where the previous one ended. */
describe('a lively conversation', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Person
  let bot: Bot | undefined
  let webhookUrl: string
  let host: Settled
  let spaceId: string

  before(async () => {
    stage = await Stage.openOwn()
    host = await settle(stage, 'mira')
    const guest = await settle(stage, 'jonas')
    await introduce(host, 'Mira Lindqvist', [92, 150, 226])
    await introduce(guest, 'Jonas Weber', [232, 120, 70])
    const { space, general } = await gather('Sunday hikers', [host, guest])
    bot = await startWeatherBot(host, space.id, stage.program.url)
    const { url } = await host.client.webhooks.create(general.id, { name: 'Path keepers' })
    spaceId = space.id
    webhookUrl = new URL(`${url}/github`, stage.program.url).href
    mira = host.person
    jonas = guest.person
    for (const { page } of [mira, jonas]) await page.goto(`/spaces/${space.id}`)
    for (const person of [mira, jonas]) await person.composer('general').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    await bot?.stop()
    await stage?.close()
  })

  function faceOf(sky: [number, number, number]): Blob {
    const { buffer } = picture('face.png', { width: 200, height: 200, sky })
    return new Blob([new Uint8Array(buffer)], { type: 'image/png' })
  }

  async function introduce({ client }: Settled, alias: string, sky: [number, number, number]): Promise<void> {
    await client.users.updateMe({ alias, avatar: faceOf(sky) })
  }

  /** Waits until both see these messages, from top to bottom. */
  async function bothSee(expected: readonly string[]): Promise<void> {
    for (const person of [mira, jonas]) await eventually(() => person.history(), [...expected])
  }

  const said = ['Morning! Who comes up the ridge on Sunday?', 'Me. @Jonas Weber, how will the weather be?']
  const forecast = 'Bergen, 1 days: sunny, 21 °C'

  test('one user asks, and the other replies and mentions them', async () => {
    await jonas.composer('general').pressSequentially('Morning!')
    await mira.page.getByText('Jonas Weber is typing…').waitFor()
    await jonas.say('Morning! Who comes up the **ridge** on Sunday?')
    await mira.pointAt(mira.message('Morning!'))
    await mira.button('Reply').click()
    await mira.composer('general').pressSequentially('Me. @jon')
    await mira.page.getByRole('option', { name: /Jonas Weber/ }).waitFor()
    await mira.page.keyboard.press('Enter')
    await eventually(() => mira.composer('general').inputValue(), 'Me. @Jonas Weber ')
    await mira.page.keyboard.press('Backspace')
    await mira.composer('general').pressSequentially(', how will the weather be?')
    await mira.page.keyboard.press('Enter')
    await bothSee(said)
    await eventually(() => jonas.page.locator('.message[data-mention]').count(), 1)
  })

  test('one user asks the bot, and both see its answer', async () => {
    await jonas.composer('general').pressSequentially('/forecast ')
    await jonas.page.getByRole('combobox', { name: 'city' }).pressSequentially('bergen')
    await jonas.page.getByRole('option', { name: 'Bergen' }).click()
    await jonas.page.keyboard.press('Enter')
    await bothSee([...said, forecast])
    await mira.message('Bergen').getByText('/forecast').waitFor()
  })

  test('a webhook posts, and a reaction to it reaches the other user', async () => {
    await push(webhookUrl)
    for (const { page } of [mira, jonas]) await page.getByRole('log').getByText('Mend the gate').waitFor()
    await mira.message('Mend the gate').click({ button: 'right', position: { x: 300, y: 8 } })
    await mira.page.getByRole('menuitem', { name: 'React with 🎉' }).click()
    await jonas.button('🎉, 1 reaction').click()
    await mira.button('🎉, 2 reactions').waitFor()
  })

  test('a button of the bot changes the message for both', async () => {
    await mira.button('And then?').click()
    await bothSee([...said, 'Then it rains.'])
    await mira.say('Then let us start early.')
    await jonas.message('Then let us start early.').waitFor()
  })

  test('a message is pinned, and found again', async () => {
    await mira
      .message('Morning!')
      .first()
      .click({ button: 'right', position: { x: 300, y: 8 } })
    await mira.page.getByRole('menuitem', { name: 'Pin' }).click()
    await jonas.page.getByRole('log').getByText('Mira Lindqvist pinned a message.').waitFor()
    await jonas.button('Pinned messages').click()
    await jonas.page.getByRole('dialog', { name: 'Pinned messages' }).getByText('Morning!').waitFor()
    await jonas.page.keyboard.press('Escape')
  })

  test('both continue in a direct conversation', async () => {
    await jonas.page.getByRole('complementary', { name: 'Members' }).getByText('Mira Lindqvist').click()
    await jonas.button('Message').click()
    await jonas.field('Message Mira Lindqvist').fill('Shall I bring a surprise?')
    await jonas.page.keyboard.press('Enter')
    await mira.page.getByRole('link', { name: 'Home, 1 unread message' }).click()
    await mira.message('Shall I bring a surprise?').waitFor()
    await mira.page.goBack()
    await jonas.page.keyboard.press('Control+k')
    await jonas.page.getByRole('combobox', { name: 'Go to a room, person or space' }).fill('#gen')
    await jonas.page.keyboard.press('Enter')
    for (const person of [mira, jonas]) await person.message('Then let us start early.').waitFor()
  })

  test('it looks right on a desktop, in the dark theme and on a phone', async () => {
    const { page } = mira
    await mira.picture('lively')
    assert.deepEqual(await namelessParts(page), [])
    await page.emulateMedia({ colorScheme: 'dark' })
    await mira.picture('lively-dark')
    await mira.button(/^1 reply/).click()
    await page.getByText('Me. @Jonas Weber').nth(1).waitFor()
    await takeDocumentationPicture(page, 'thread-dark')
    await page.getByRole('complementary').getByRole('button', { name: 'Close' }).click()
    await page.setViewportSize({ width: 390, height: 844 })
    await mira.picture('lively-phone-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await takeDocumentationPicture(page, 'phone')
    assert.deepEqual(await namelessParts(page), [])
  })

  /** Posts messages in a room that nobody has opened: by a webhook with two names, and by a member who then leaves. */
  async function talkOfTheRope(): Promise<void> {
    const lena = await settle(stage, 'lena')
    const { id: roomId } = await host.client.rooms.create(spaceId, { name: 'gear', type: RoomType.Text })
    const { code } = await host.client.invites.create(spaceId, roomId)
    await introduce(lena, 'Lena Park', [120, 190, 130])
    await lena.client.invites.join(code)
    await lena.client.messages.create(roomId, { content: 'The rope is in the hut' })
    await host.client.messages.create(roomId, { content: `Tea for <@${lena.id}>` })
    await lena.client.members.leave(spaceId)
    await host.client.buckets.createIncluded(spaceId)
    const hut = await host.client.webhooks.create(roomId, { name: 'Hut keepers' })
    await host.client.webhooks.update(hut.id, { avatar: faceOf([200, 180, 90]) })
    await host.client.webhooks.execute(hut, { content: 'A rope was found' })
    await host.client.webhooks.execute(hut, { content: 'The rope is dry', username: 'Hut weather' })
    const content = `Who asks <@${lena.id}> for the rope?`
    await host.client.messages.create(roomId, { content, allowed_mentions: { parse: [] } })
  }

  test('search results have the names and avatars of their authors', async () => {
    const { page } = mira
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto('/home')
    await talkOfTheRope()
    await page.goto(`/spaces/${spaceId}`)
    await mira.message('Then let us start early.').waitFor()
    await mira.button('Search messages').click()
    const box = page.getByRole('combobox', { name: 'Search Sunday hikers' })
    const found = page.getByRole('complementary', { name: 'Search Sunday hikers' }).getByRole('link')
    await box.fill('tea')
    await page.keyboard.press('Enter')
    await found.filter({ hasText: 'Tea for @Lena Park' }).waitFor()
    await box.fill('rope')
    await page.keyboard.press('Enter')
    await eventually(
      () => found.locator('.search-hit-head strong').allInnerTexts(),
      ['Mira Lindqvist', 'Hut weather', 'Hut keepers', 'Lena Park'],
    )
    await eventually(() => found.locator('img[data-here]').count(), 4)
    await found.filter({ hasText: 'Who asks @Lena Park for the rope?' }).waitFor()
    await mira.picture('found')
    await box.fill('from:mira rope')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove filter from: Mira Lindqvist' }).waitFor()
    assert.equal(await box.inputValue(), 'rope')
    await eventually(() => found.locator('.search-hit-head strong').allInnerTexts(), ['Mira Lindqvist'])
    const alias = 'W'.repeat(32)
    await host.client.users.updateMe({ alias })
    await box.fill('from:')
    await page.getByRole('option', { name: alias }).waitFor()
    const suggestions = page.locator('.search-suggestions')
    const [width, needed] = await suggestions.evaluate((list) => [list.clientWidth, list.scrollWidth])
    assert.equal(needed, width, 'names are cut where the panel ends')
  })

  test('the consoles have no errors', () => {
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})
