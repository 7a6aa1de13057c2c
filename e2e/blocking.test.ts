import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { befriend, gather, type Settled, settle, signIn } from './settled.ts'
import { Stage } from './stage.ts'

/** Number of messages, more than the newest page holds. */
const LATER = 120

/** The tests run in order: each continues where the previous one ended. */
describe('FRIEND-17: a blocked user', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let host: Settled
  let jonas: Settled
  let lena: Settled
  let room: string
  let path: string
  let first: string
  let alone: string

  before(async () => {
    stage = await Stage.open()
    host = await settle(stage, 'mira')
    jonas = await settle(stage, 'jonas')
    lena = await settle(stage, 'lena')
    mira = host.person
    await befriend(host, jonas)
    await befriend(host, lena)
    alone = (await jonas.client.conversations.create({ recipient_ids: [host.id] })).id
    await jonas.client.messages.create({ conversation: alone }, { content: 'Hello' })
    const { space, general } = await gather('Sunday hikers', [host, jonas, lena])
    room = general.id
    path = `/spaces/${space.id}/rooms/${room}`
    first = await say(jonas, 'You all walk like snails')
    await say(jonas, 'Snails, I say')
    await say(lena, 'Be nice', first)
    await mira.page.goto(path)
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  async function say({ client }: Settled, content: string, answered?: string): Promise<string> {
    const reference = answered === undefined ? {} : { reference: { message_id: answered } }
    const { id } = await client.messages.create(room, { content, ...reference })
    return id
  }

  const line = (words: string) => mira.page.getByRole('log').getByRole('listitem', { name: words })

  test('is hidden at once, including in replies to them', async () => {
    await eventually(() => mira.history(), ['You all walk like snails', 'Snails, I say', 'Be nice'])
    await mira.page.getByRole('log').getByText('You all walk like snails').nth(1).waitFor()
    await host.client.friends.block(jonas.id)
    await line('2 messages from someone you blocked').waitFor()
    await eventually(() => mira.history(), ['Be nice'])
    assert.equal(await mira.page.getByText('snails').count(), 0)
    await mira.button('In reply to someone you blocked').waitFor()
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.picture('blocked')
  })

  test('is shown and hidden by the keyboard, which keeps the focus', async () => {
    const button = line('2 messages from someone you blocked').getByRole('button')
    await mira.message('Be nice').focus()
    await mira.page.keyboard.press('ArrowUp')
    await eventually(() => isFocused(line('2 messages from someone you blocked')), true)
    await mira.page.keyboard.press('Tab')
    await mira.page.keyboard.press('Enter')
    await eventually(() => mira.history(), ['You all walk like snails', 'Snails, I say', 'Be nice'])
    assert.ok(await isFocused(button))
    assert.equal(await button.getAttribute('aria-expanded'), 'true')
    await mira.picture('blocked-shown')
    await mira.page.keyboard.press('Enter')
    await eventually(() => mira.history(), ['Be nice'])
    assert.ok(await isFocused(button))
  })

  test('causes no typing indicator and no notification, unlike others', async () => {
    const announced = mira.page.locator('.visually-hidden[aria-live="polite"]')
    await jonas.client.messages.typing(room)
    await lena.client.messages.typing(room)
    await mira.page.getByText('lena is typing…', { exact: true }).waitFor()
    await say(lena, 'We start at nine')
    await announced.getByText('lena: We start at nine').waitFor()
    await say(jonas, 'At noon')
    await line('1 message from someone you blocked').waitFor()
    assert.equal(await announced.getByText('At noon').count(), 0)
  })

  test('is shown when the user follows a reply to them, or a link', async () => {
    await mira.button('In reply to someone you blocked').click()
    const target = mira.page.locator(`[data-row="${first}"]`)
    await eventually(() => isFocused(target), true)
    for (let number = 1; number <= LATER; number += 1) await say(lena, `step ${number}.`)
    await mira.page.goto('/home')
    await mira.page.goto(`${path}/${first}`)
    await eventually(() => isFocused(target), true)
    await eventually(
      async () => (await mira.history()).slice(0, 3),
      ['You all walk like snails', 'Snails, I say', 'Be nice'],
    )
  })

  test('is hidden in threads', async () => {
    await say(jonas, 'I am nice', first)
    await mira.message('Be nice').first().focus()
    await mira.page.keyboard.press('t')
    const thread = mira.page.getByRole('complementary', { name: 'Replies' })
    await eventually(() => thread.locator('.message-text').allInnerTexts(), ['Be nice'])
    await eventually(() => thread.locator('.blocked-line').count(), 2)
    await thread.getByRole('button', { name: 'Show' }).first().click()
    await eventually(
      () => thread.locator('.message-text').allInnerTexts(),
      ['You all walk like snails', 'Be nice'],
    )
    await mira.picture('blocked-thread')
    await host.client.friends.unblock(jonas.id)
    const reply = thread.locator('[data-row]').filter({ hasText: 'I am nice' })
    await reply.focus()
    await host.client.friends.block(jonas.id)
    await reply.waitFor({ state: 'detached' })
    assert.equal(await thread.locator('[data-row][tabindex="0"]').count(), 1)
    await mira.button('Close replies').click()
    // Two users replied in the thread. Only the avatar of Lena, who is not blocked, is left.
    assert.equal(await mira.page.locator('.thread-faces .avatar').count(), 1)
  })

  test('is hidden in pins and search results, and has no avatar at a thread', async () => {
    await mira.page.getByRole('button', { name: /^Jump to latest/ }).click()
    const answered = await say(lena, 'Who brings the map?')
    await say(jonas, 'The map is for snails', answered)
    const theirs = await say(jonas, 'No map for snails')
    await host.client.pins.add(room, theirs)
    const question = mira.message('Who brings the map?')
    await question.getByRole('button', { name: '1 reply' }).waitFor()
    assert.equal(await question.locator('.thread-faces .avatar').count(), 0)
    await mira.button('Pinned messages').click()
    const pin = mira.page.getByRole('dialog', { name: 'Pinned messages' }).getByRole('listitem')
    await pin.waitFor()
    assert.equal(await pin.innerText(), '1 message from someone you blocked\nGo to message\nUnpin')
    await mira.picture('blocked-pinned')
    await pin.getByRole('button', { name: 'Unpin' }).click()
    await pin.waitFor({ state: 'detached' })
    await mira.page.keyboard.press('Escape')
    await mira.page.keyboard.press('Control+f')
    await eventually(() => isFocused(mira.page.getByRole('combobox', { name: 'Search Sunday hikers' })), true)
    await mira.page.keyboard.type('snails')
    await mira.page.keyboard.press('Enter')
    const found = mira.page.getByRole('complementary', { name: 'Search Sunday hikers' })
    const hits = found.getByRole('link')
    await hits.first().waitFor()
    assert.deepEqual(new Set(await hits.allInnerTexts()), new Set(['1 message from someone you blocked']))
    await mira.picture('blocked-found')
    await hits.first().click()
    await mira.page.locator(`[data-row="${theirs}"]`).getByText('No map for snails').waitFor()
    await mira.button('Close search').click()
  })

  test('is hidden in groups, and shown in a direct conversation', async () => {
    const { id } = await lena.client.conversations.create({ recipient_ids: [host.id, jonas.id] })
    await jonas.client.messages.create({ conversation: id }, { content: 'Not you again' })
    await mira.page.goto(`/conversations/${id}`)
    await line('1 message from someone you blocked').waitFor()
    assert.equal(await mira.page.getByText('Not you again').count(), 0)
    await mira.page.goto(`/conversations/${alone}`)
    await eventually(() => mira.history(), ['Hello'])
  })

  test('is shown again once unblocked, in German and on a phone', async () => {
    const small = await stage.speaker('mira', 'de-DE')
    await signIn(small, 'mira')
    await small.page.setViewportSize({ width: 320, height: 640 })
    await small.page.goto(path)
    const folded = small.page.getByText('1 Nachricht von jemandem, den du blockiert hast')
    await folded.first().waitFor()
    await small.picture('blocked-phone-german')
    assert.ok((await small.page.evaluate(() => document.documentElement.scrollWidth)) <= 320)
    await small.button('Anzeigen').last().click()
    await small.message('No map for snails').first().waitFor()
    await host.client.friends.unblock(jonas.id)
    await folded.first().waitFor({ state: 'detached' })
    await small.message('No map for snails').first().waitFor()
    assert.deepEqual([...mira.complaints, ...small.complaints], [])
  })
})
