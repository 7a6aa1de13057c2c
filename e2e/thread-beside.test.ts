import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { RoomType } from '@foyer/protocol/rooms'
import type { OwnThread } from '@foyer/protocol/thread-rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'
import { axeFindings, overflowingParts } from './screens/looks.ts'
import { gather, type Settled, settle } from './settled.ts'
import { playedNotes, watchNotes } from './sound.ts'
import { Stage } from './stage.ts'

const DESKTOP = { width: 1280, height: 800 }
/** The narrowest window in which a panel fits beside the room. */
const JUST_WIDE = { width: 1088, height: 700 }
const TABLET = { width: 1080, height: 800 }
const PHONE = { width: 320, height: 640 }
/** Longer than the tabs of a browser take to agree which one notifies. */
const DECIDED_MS = 600

describe('WEB-25: a thread beside its room', { skip: noBrowser }, () => {
  let stage: Stage
  let host: Settled
  let guest: Settled
  let mira: Person
  let space: string
  let general: string
  let starter: string
  let tents: OwnThread

  before(async () => {
    stage = await Stage.open()
    guest = await settle(stage, 'jonas')
    host = await settle(stage, 'mira')
    mira = host.person
    const made = await gather('Sunday hikers', [host, guest])
    space = made.space.id
    general = made.general.id
    const message = await guest.client.messages.create(general, { content: 'Who has a tent?' })
    starter = message.id
    // Nobody follows it but its creator, so that the client does not know it before it opens.
    tents = await guest.client
      .api(ThreadRooms)
      .create(general, { title: 'Tents', message_id: starter, content: 'Two are enough.' })
    for (let count = 1; count <= 30; count += 1)
      await guest.client.messages.create(general, { content: `Step ${count}` })
  })

  beforeEach(async () => {
    await mira.page.setViewportSize(DESKTOP)
    await mira.page.evaluate(() => window.localStorage.removeItem('foyer.whole-threads'))
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const pathOf = (id: string) => `/spaces/${space}/rooms/${id}`
  const here = () => new URL(mira.page.url()).pathname
  const panel = (name = 'Tents') => mira.page.getByRole('complementary', { name, exact: true })
  const inPanel = (text: string) => panel().getByRole('log').getByRole('listitem').filter({ hasText: text })
  const room = () => mira.page.getByRole('region', { name: 'general', exact: true })
  const inRoom = (text: string) => room().getByRole('log').getByRole('listitem').filter({ hasText: text })
  const own = () => mira.field('Message Tents')
  const hasFocus = (label: string) =>
    eventually(() => mira.page.evaluate(() => document.activeElement?.getAttribute('aria-label')), label)

  async function openBeside(address = pathOf(tents.id)): Promise<void> {
    await mira.page.goto(address)
    await panel().waitFor()
    await inPanel('Two are enough.').waitFor()
    await inRoom('Step 30').first().waitFor()
  }

  test('it opens from its message in the room, which stays as it is, and Escape leads back there', async () => {
    await mira.page.goto(`${pathOf(general)}/${starter}`)
    await mira.composer('general').fill('A draft of the room')
    const list = room().locator('.message-scroller')
    await inRoom('Who has a tent?').waitFor()
    const line = mira.page.locator('.starter-line').filter({ hasText: 'Tents' })
    await line.scrollIntoViewIfNeeded()
    await list.evaluate((element) => Object.assign(element, { isSame: true }))
    const top = await list.evaluate(({ scrollTop }) => scrollTop)
    await line.focus()
    await line.press('Enter')
    await inPanel('Two are enough.').waitFor()
    await hasFocus('Message Tents')
    assert.equal(here(), pathOf(tents.id))
    assert.match(await mira.page.title(), /Tents · Sunday hikers/)
    assert.equal(await list.evaluate((element) => 'isSame' in element), true)
    assert.equal(await list.evaluate(({ scrollTop }) => scrollTop), top)
    assert.equal(await mira.composer('general').inputValue(), 'A draft of the room')
    await own().fill('A draft of the thread')
    await own().press('Escape')
    await panel().waitFor({ state: 'detached' })
    assert.equal(here(), pathOf(general))
    assert.equal(await line.evaluate((element) => element === document.activeElement), true)
    await mira.page.goBack()
    await panel().waitFor()
    await eventually(() => own().inputValue(), 'A draft of the thread')
    await mira.page.goForward()
    await panel().waitFor({ state: 'detached' })
    assert.equal(await mira.composer('general').inputValue(), 'A draft of the room')
    await mira.composer('general').fill('')
  })

  test('the address opens both, also to a message, after a reload and for screen readers', async () => {
    await openBeside(`${pathOf(tents.id)}/${tents.last_message_id}`)
    await eventually(async () => here(), pathOf(tents.id))
    await mira.page.reload()
    await inPanel('Two are enough.').waitFor()
    assert.deepEqual(await axeFindings(mira.page, 'main'), [])
    await mira.picture('thread-beside')
    await mira.page.emulateMedia({ colorScheme: 'dark' })
    await mira.picture('thread-beside-dark')
    assert.deepEqual(await axeFindings(mira.page, 'main'), [])
    await mira.page.emulateMedia({ colorScheme: 'light' })
    await mira.page.setViewportSize(JUST_WIDE)
    await panel().waitFor()
    assert.deepEqual(await overflowingParts(mira.page), [])
    const title = await room().locator('.page-title span').boundingBox()
    assert.ok((title?.width ?? 0) > 40)
    await mira.picture('thread-beside-narrow')
  })

  test('the choice between page and panel is kept in this browser', async () => {
    await openBeside()
    await panel().getByRole('button', { name: 'Open as a page' }).click()
    await panel().waitFor({ state: 'detached' })
    await hasFocus('Message Tents')
    assert.equal(await mira.composer('general').count(), 0)
    assert.equal(here(), pathOf(tents.id))
    await mira.page.reload()
    await own().waitFor()
    assert.equal(await panel().count(), 0)
    await mira.picture('thread-whole')
    await mira.button('Show beside the room').click()
    await panel().waitFor()
    await mira.composer('general').waitFor()
  })

  test('narrower windows and phones show it as a page, without the choice', async () => {
    await openBeside()
    for (const size of [TABLET, PHONE]) {
      await mira.page.setViewportSize(size)
      await panel().waitFor({ state: 'detached' })
      await own().waitFor()
      assert.equal(await mira.button('Show beside the room').count(), 0)
      await mira.picture(`thread-whole-${size.width}`)
    }
  })

  test('both are read, and Escape in the room does not touch the thread', async () => {
    await openBeside()
    const unread = mira.page.getByRole('navigation', { name: 'Rooms' }).getByRole('link', { name: /unread/ })
    await guest.client.messages.create(general, { content: `<@${host.id}> In the room` })
    await guest.client.messages.create(tents.id, { content: `<@${host.id}> In the thread` })
    await inRoom('In the room').waitFor()
    await inPanel('In the thread').waitFor()
    await eventually(() => unread.count(), 0)
    const list = panel().locator('.message-scroller')
    for (let count = 1; count <= 20; count += 1)
      await guest.client.messages.create(tents.id, { content: `Peg ${count}` })
    await inPanel('Peg 20').waitFor()
    await list.evaluate((element) => element.scrollTo(0, 0))
    await mira.composer('general').press('Escape')
    await panel().waitFor()
    assert.ok((await list.evaluate(({ scrollTop }) => scrollTop)) < 100)
  })

  test('neither notifies while both are in view, and another room does', async () => {
    const { id: news } = await host.client.rooms.create(space, { name: 'news', type: RoomType.Text })
    const mention = (roomId: string, text: string) =>
      guest.client.messages.create(roomId, { content: `<@${host.id}> ${text}` })
    await watchNotes(mira.page)
    await mira.page.evaluate(() => window.localStorage.setItem('foyer.notifications', '{"hasSounds":true}'))
    await openBeside()
    // Browsers are silent until somebody has clicked.
    await own().click()
    await mention(general, 'Near')
    await mention(tents.id, 'Beside')
    await inRoom('Near').waitFor()
    await inPanel('Beside').waitFor()
    await delay(DECIDED_MS)
    assert.deepEqual(await playedNotes(mira.page), [])
    await mention(news, 'Elsewhere')
    await eventually(async () => (await playedNotes(mira.page)).length > 0, true)
  })

  test('a message of the room is shown beside the thread, which stays', async () => {
    await openBeside()
    await panel()
      .locator('.message-scroller')
      .evaluate((element) => element.scrollTo(0, 0))
    await panel().getByRole('link', { name: 'Go to original message' }).click()
    await inRoom('Who has a tent?').and(mira.page.locator('[data-target]')).waitFor()
    await eventually(async () => here(), pathOf(tents.id))
    await inPanel('Two are enough.').waitFor()
  })

  test('WEB-24: a dialog about the room is open beside the thread, and closes with the room', async () => {
    await openBeside()
    await inRoom('Step 30').first().click({ button: 'right' })
    await mira.page.getByRole('menuitem', { name: 'Start thread' }).click()
    const dialog = mira.page.getByRole('dialog', { name: 'Start a thread', exact: true })
    await dialog.getByLabel('Title').fill('Steps')
    await mira.page.evaluate(() => window.history.pushState(null, '', '/home'))
    await dialog.waitFor({ state: 'detached' })
  })

  test('members, search and replies take turns with it', async () => {
    await openBeside()
    const members = mira.page.getByRole('complementary', { name: 'Members' })
    assert.equal(await members.count(), 0)
    await room().getByRole('button', { name: 'Show members' }).click()
    await members.waitFor()
    assert.equal(await panel().count(), 0)
    assert.equal(here(), pathOf(general))
    await mira.page.goBack()
    await panel().waitFor()
    await members.waitFor({ state: 'detached' })
    await room().getByRole('button', { name: 'Search messages' }).click()
    await panel().waitFor({ state: 'detached' })
    await mira.page.goBack()
    await panel().waitFor()
    await eventually(() => mira.page.locator('.search-line').count(), 0)
    await guest.client.messages.create(tents.id, {
      content: 'A reply',
      reference: { message_id: tents.last_message_id ?? '' },
    })
    await inPanel('Two are enough.')
      .getByRole('button', { name: /1 reply/ })
      .click()
    const replies = mira.page.getByRole('complementary', { name: 'Replies', exact: true })
    await replies.waitFor()
    assert.equal(await panel().count(), 0)
    await mira.picture('thread-beside-replies')
    await mira.page.keyboard.press('Escape')
    await replies.waitFor({ state: 'detached' })
    await panel().waitFor()
  })

  test('a merged thread becomes the other one, and a deleted one says so', async () => {
    const api = guest.client.api(ThreadRooms)
    const owner = host.client.api(ThreadRooms)
    const poles = await api.create(general, { title: 'Poles', content: 'Four poles.' })
    const pegs = await api.create(general, { title: 'Pegs', content: 'Ten pegs.' })
    await mira.page.goto(pathOf(poles.id))
    await panel('Poles').waitFor()
    await owner.merge(poles.id, pegs.id)
    await panel('Pegs').waitFor()
    assert.equal(here(), pathOf(pegs.id))
    await owner.delete(pegs.id)
    await panel('Pegs').getByText('This thread was deleted.').waitFor()
    await mira.picture('thread-beside-deleted')
    await mira.composer('general').waitFor()
    await panel('Pegs').getByRole('button', { name: 'Close panel' }).click()
    await hasFocus('Message #general')
    assert.equal(here(), pathOf(general))
    mira.forgiveRefusals(404)
    assert.deepEqual(mira.complaints, [])
  })
})
