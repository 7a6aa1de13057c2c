import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused, Keys } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** Number of messages, more than the first page of a chat holds. */
const LONG = 70
const DESK = { width: 1280, height: 800 }
const SMALL_PHONE = { width: 320, height: 640 }

/** The tests run in order: each continues where the previous one ended. */
describe('the chat of a voice room', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled
  let jonas: Settled
  let loungeId: string
  let lounge: string
  let general: string
  let webhook: { id: string; token: string | null }

  before(async () => {
    stage = await Stage.openOwn({}, { microphone: true })
    ;[mira, jonas] = await Promise.all([settle(stage, 'mira'), settle(stage, 'jonas')])
    const { space, rooms, general: text } = await gather('Sunday hikers', [mira, jonas])
    loungeId = rooms.find(({ type }) => type === RoomType.Voice)?.id ?? ''
    lounge = `/spaces/${space.id}/rooms/${loungeId}`
    general = `/spaces/${space.id}/rooms/${text.id}`
    webhook = await mira.client.webhooks.create(loungeId, { name: 'Hut keepers' })
    await Promise.all([mira.person.page.goto(lounge), jonas.person.page.goto(lounge)])
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const chat = ({ person }: Settled) => person.page.getByRole('region', { name: 'lounge chat' })
  const said = (settled: Settled, text: string) => chat(settled).getByRole('log').getByText(text)
  const composer = ({ person }: Settled) => person.field('Message lounge')
  const show = ({ person }: Settled, state = '') => person.button(`Show chat${state}`)
  const hide = ({ person }: Settled) => person.button('Hide chat')
  const wayIn = ({ person }: Settled) =>
    person.page.getByRole('main').getByRole('button', { name: 'Join lounge' })
  const members = ({ person }: Settled) => person.page.getByRole('complementary', { name: 'Members' })
  const unreadOf = ({ client }: Settled) =>
    client.messages.readState(loungeId).then(({ unread_count }) => unread_count)

  async function say(settled: Settled, text: string): Promise<void> {
    await composer(settled).fill(text)
    await composer(settled).press('Enter')
  }

  test('opens beside the people in the room, replaces the members, and focuses the composer', async () => {
    await wayIn(mira).waitFor()
    await members(mira).waitFor()
    assert.equal(await chat(mira).count(), 0)
    const keys = new Keys(mira.person.page)
    await show(mira).focus()
    await keys.press('Enter')
    await keys.isAt(composer(mira))
    await members(mira).waitFor({ state: 'detached' })
    await wayIn(mira).waitFor()
    await chat(mira).getByRole('heading', { name: 'This is the beginning of the lounge chat' }).waitFor()
    await keys.enter('Who brings the map?')
    await said(mira, 'Who brings the map?').waitFor()
    await mira.person.picture('voice-chat')
    assert.deepEqual(await namelessParts(mira.person.page), [])
  })

  test('WEB-10: leaves messages unread until it is opened', async () => {
    await show(jonas, ', unread').waitFor()
    await mira.client.webhooks.execute(webhook, { content: 'The hut is open' })
    await mira.client.messages.create(loungeId, { content: `<@${jonas.id}>, and the stove is lit` })
    await show(jonas, ', unread, 1 mention').waitFor()
    await jonas.person.picture('voice-chat-unread')
    await jonas.person.room('lounge, 1 mention, voice, unread').waitFor()
    assert.equal(await unreadOf(jonas), 3)
    await show(jonas, ', unread, 1 mention').click()
    await said(jonas, 'The hut is open').waitFor()
    await eventually(() => unreadOf(jonas), 0)
    await eventually(() => jonas.person.room('lounge').getAttribute('aria-label'), 'lounge, voice')
    await say(jonas, 'On our way')
    await said(mira, 'On our way').waitFor()
    await eventually(() => unreadOf(mira), 0)
  })

  test('closes by its button, which keeps the focus, and is restored when the user returns', async () => {
    const keys = new Keys(jonas.person.page)
    await jonas.person.page.goto(general)
    await jonas.person.composer('general').waitFor()
    await jonas.person.room('lounge').click()
    await show(jonas).click()
    await jonas.person.room('general').click()
    await jonas.person.composer('general').waitFor()
    await jonas.person.room('lounge').click()
    await composer(jonas).waitFor()
    await jonas.person.page.getByRole('main').getByText('jonas', { exact: true }).first().waitFor()
    await jonas.person.picture('voice-chat-in-voice')
    await jonas.person.page.emulateMedia({ colorScheme: 'dark' })
    await jonas.person.picture('voice-chat-in-voice-dark')
    await jonas.person.page.emulateMedia({ colorScheme: 'light' })
    await hide(jonas).focus()
    await keys.press('Enter')
    await chat(jonas).waitFor({ state: 'detached' })
    assert.ok(await isFocused(show(jonas)))
    await members(jonas).waitFor()
    await jonas.person.button('Leave voice').first().click()
    await wayIn(jonas).waitFor()
  })

  test('has a thread beside it, which leads back to it', async () => {
    const thread = mira.person.page.getByRole('complementary', { name: 'Replies' })
    const question = mira.person.message('Who brings the map?').first()
    const first = await jonas.client.messages.list(loungeId)
    const asked = first.find(({ content }) => content === 'Who brings the map?')
    await jonas.client.messages.create(loungeId, {
      content: 'I do',
      reference: { message_id: asked?.id ?? '' },
    })
    const line = question.getByRole('button', { name: /^1 reply/ })
    await line.click()
    await thread.waitFor()
    await mira.person.field('Write a reply').fill('And a compass?')
    await mira.person.field('Write a reply').press('Enter')
    await thread.getByText('2 replies').waitFor()
    await composer(mira).waitFor()
    await mira.person.picture('voice-chat-thread')
    await mira.person.page.keyboard.press('Escape')
    await thread.waitFor({ state: 'detached' })
    await eventually(() => isFocused(question.getByRole('button', { name: /^2 replies/ })), true)
    await wayIn(mira).waitFor()
  })

  test('opens for a link to one of its messages', async () => {
    const { client, person } = jonas
    const step = await client.messages.create(loungeId, { content: 'Mind the step at the door' })
    for (let number = 1; number <= LONG; number += 1)
      await mira.client.messages.create(loungeId, { content: `stone ${number}.` })
    await person.room('general').click()
    await person.composer('general').waitFor()
    await person.page.goto(`${lounge}/${step.id}`)
    const row = person.message('Mind the step')
    await eventually(() => isFocused(row), true)
    await row.getByText('Mind the step').waitFor()
    await eventually(() => new URL(person.page.url()).pathname, lounge)
    await person.room('general').click()
    await person.button('Search messages').click()
    await person.page.getByRole('combobox', { name: /^Search/ }).fill('in:lounge step')
    await person.page.keyboard.press('Enter')
    const hit = person.page.getByRole('link').filter({ hasText: 'Mind the step' })
    await hit.click()
    await said(jonas, 'Mind the step').waitFor()
    await person.picture('voice-chat-found')
    await person.button('Close search').click()
  })

  test('receives messages from a webhook created in the room’s settings, and forwarded ones', async () => {
    const { person } = mira
    await person.button('Room settings').click()
    const dialog = person.page.getByRole('dialog', { name: 'lounge' })
    await dialog.getByRole('button', { name: 'Webhooks' }).click()
    await dialog.getByText('Hut keepers').waitFor()
    await dialog.getByRole('button', { name: 'Edit Hut keepers' }).click()
    assert.deepEqual(
      await dialog.getByRole('combobox', { name: 'Posts to' }).locator('option').allInnerTexts(),
      ['#general', 'lounge'],
    )
    await person.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await mira.client.messages.create(general.split('/').at(-1) ?? '', { content: 'Snow above 2000 m' })
    await person.room('general').click()
    await person.message('Snow above').click({ button: 'right' })
    await person.page.getByRole('menuitem', { name: 'Forward' }).click()
    await person.page.getByRole('checkbox', { name: 'lounge' }).check()
    await person.button('Forward').click()
    await person.page.getByRole('dialog').waitFor({ state: 'detached' })
    await person.page.goto(lounge)
    await show(mira, ', unread').or(show(mira)).click()
    await said(mira, 'Snow above 2000 m').waitFor()
  })

  test('replaces the people on a phone, with a way back', async () => {
    const { person } = jonas
    await person.page.setViewportSize(SMALL_PHONE)
    await person.page.goto(lounge)
    await wayIn(jonas).click()
    await person.page.getByRole('main').getByText('jonas', { exact: true }).first().waitFor()
    const opener = person.button(/^Show chat/)
    await person.picture('voice-chat-phone-closed')
    await opener.click()
    await composer(jonas).waitFor()
    await person.picture('voice-chat-phone')
    await person.page.emulateMedia({ colorScheme: 'dark' })
    await person.picture('voice-chat-phone-dark')
    await person.page.emulateMedia({ colorScheme: 'light' })
    assert.deepEqual(await namelessParts(person.page), [])
    const width = await person.page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(width <= SMALL_PHONE.width, 'nothing scrolls sideways')
    await chat(jonas).getByRole('button', { name: 'Mute' }).waitFor()
    await person.button('Back to voice').click()
    await chat(jonas).waitFor({ state: 'detached' })
    await eventually(() => isFocused(opener), true)
    await person.page.setViewportSize(DESK)
  })

  test('opens from the room’s menu without joining voice', async () => {
    const { person } = mira
    await person.room('general').click()
    await person.composer('general').waitFor()
    await person.button('More options for lounge').click()
    await person.page.getByRole('menuitem', { name: 'Open chat' }).click()
    await eventually(() => isFocused(composer(mira)), true)
    await wayIn(mira).waitFor()
  })

  test('the consoles have no errors', () => {
    for (const person of [mira.person, jonas.person] satisfies Person[])
      assert.deepEqual(person.complaints, [], person.name)
  })
})
