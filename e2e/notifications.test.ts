import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { PushPayload } from '@foyer/protocol/notifications'
import { RoomType } from '@foyer/protocol/rooms'
import type { Page } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'
import { Centre, lookAway, PushService, workerReady } from './service-worker.ts'
import { gather, type Settled, settle, settlePerson, signIn } from './settled.ts'
import { playedNotes, watchNotes } from './sound.ts'
import { Stage } from './stage.ts'

/** Notes of the sound for notifications, in hertz. */
const CHIME = [587, 880]
const PHONE = { width: 390, height: 844 }

/** The tests run in order: each continues where the previous one ended. */
describe('notifications', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  /** Mira in another browser. */
  let phone: Person
  let jonas: Settled
  let centre: Centre
  let miraId: string
  let space: string
  let general: string
  let news: string

  before(async () => {
    stage = await Stage.open()
    mira = await stage.person('mira', stage.program.url, true)
    centre = await Centre.of(mira)
    const host = await settlePerson(mira)
    jonas = await settle(stage, 'jonas')
    const place = await gather('Sunday hikers', [host, jonas])
    miraId = host.id
    space = place.space.id
    general = place.general.id
    const room = await host.client.rooms.create(space, { name: 'news', type: RoomType.Text })
    news = room.id
    phone = await stage.person('mira-phone')
    await signIn(phone, 'mira')
    await phone.page.setViewportSize(PHONE)
    for (const person of [mira, phone]) await person.page.goto(`/spaces/${space}/rooms/${general}`)
    await Promise.all([mira, phone].map((person) => person.composer('general').waitFor()))
    await workerReady(mira)
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const sayIn = (room: string, content: string) => jonas.client.messages.create(room, { content })
  const roomLabel = ({ page }: Person) =>
    page.getByRole('navigation', { name: 'Rooms' }).locator(`a[href$="${news}"]`).getAttribute('aria-label')

  test('a room muted in one browser is muted in the other at once', async () => {
    await sayIn(news, 'A plain word')
    await phone.button('Open spaces and rooms').click()
    for (const person of [mira, phone]) await eventually(() => roomLabel(person), 'news, unread')
    await eventually(() => mira.titleMark(), '•')
    await mira.room('news').hover()
    await mira.button('More options for news').click()
    await mira.page.getByRole('menuitem', { name: 'Notifications…' }).click()
    await mira.button('1 hour').waitFor()
    await mira.picture('notification-choices')
    await mira.button('Until I unmute it').click()
    await mira.page.getByText('Muted until you unmute it.').waitFor()
    await mira.picture('notification-choices-muted')
    await mira.page.keyboard.press('Escape')
    for (const person of [mira, phone]) await eventually(() => roomLabel(person), 'news, muted')
    await eventually(() => mira.titleMark(), 'general')
  })

  test('a mention in a muted room is counted, without a notification', async () => {
    await sayIn(news, `<@${miraId}> look`)
    for (const person of [mira, phone]) await eventually(() => roomLabel(person), 'news, 1 mention, muted')
    await eventually(() => mira.titleMark(), 'general')
    await phone.picture('muted-room-phone')
    await mira.picture('muted-room')
    await mira.page.emulateMedia({ colorScheme: 'dark' })
    await mira.picture('muted-room-dark')
    await mira.page.emulateMedia({ colorScheme: null })
    await phone.page.getByRole('button', { name: 'More options for news' }).click()
    await phone.page.getByRole('menuitem', { name: 'Unmute' }).click()
    for (const person of [mira, phone]) await eventually(() => roomLabel(person), 'news, 1 mention, unread')
    await eventually(() => mira.titleMark(), '(1)')
  })

  test('right-click opens the menu of a room and of a space, which can be marked as read', async () => {
    const item = (name: string) => mira.page.getByRole('menuitem', { name })
    await mira.room('news').click({ button: 'right' })
    await item('Notifications…').waitFor()
    await mira.picture('room-menu')
    await mira.page.keyboard.press('Escape')
    await item('Notifications…').waitFor({ state: 'detached' })
    await mira.page.getByRole('link', { name: /^Sunday hikers/ }).click({ button: 'right' })
    await item('Mark as read').waitFor()
    await mira.picture('space-menu-in-rail')
    await item('Mark as read').click()
    for (const person of [mira, phone]) await eventually(() => roomLabel(person), 'news')
    await eventually(() => mira.titleMark(), 'general')
  })

  test('the settings turn notifications on, and show a test one', async () => {
    await mira.button(/^Account: /).click()
    await mira.button('User settings').click()
    const settings = mira.page.getByRole('dialog', { name: 'User settings' })
    await settings.getByRole('button', { name: 'Notifications', exact: true }).click()
    const onDevice = settings.getByRole('switch', { name: 'Desktop notifications' })
    assert.equal(await onDevice.isChecked(), false)
    await onDevice.click()
    await eventually(() => onDevice.isChecked(), true)
    assert.equal(await settings.getByRole('switch', { name: 'Sounds' }).isChecked(), true)
    await mira.picture('notification-settings')
    await mira.page.emulateMedia({ colorScheme: 'dark' })
    await mira.picture('notification-settings-dark')
    await mira.page.emulateMedia({ colorScheme: null })
    await settings.getByRole('button', { name: 'Send a test notification' }).click()
    await eventually(() => centre.ofPage(), ['Foyer: This is how Foyer notifies you about messages.'])
    await mira.page.keyboard.press('Escape')
    await settings.waitFor({ state: 'detached' })
  })

  test('an unfocused page notifies about its user’s messages, until they are read', async () => {
    await lookAway(mira)
    await sayIn(news, 'not for her')
    await sayIn(news, `<@${miraId}> tea?`)
    const test = 'Foyer: This is how Foyer notifies you about messages.'
    await eventually(() => centre.ofPage(), [test, 'jonas (#news, Sunday hikers): @mira tea?'])
    await phone.page.goto(`/spaces/${space}/rooms/${news}`)
    await eventually(() => centre.ofPage(), [test])
  })

  test('a push is shown when no page is focused, in the user’s language, and a click opens the message', async () => {
    const service = await PushService.of(mira)
    assert.deepEqual(await centre.ofWorker(), [])
    await service.deliver(push({ message_id: 'one', text: 'while she looks' }))
    const { page } = mira
    const address = page.url()
    await page.goto('about:blank')
    await service.deliver(push({ message_id: 'two', text: 'tea?', tag: general }))
    await eventually(() => centre.ofWorker(), ['jonas (#news, Sunday hikers): tea?'])
    await service.deliver(push({ message_id: 'three', attachment_count: 2, tag: general }))
    await eventually(() => centre.ofWorker(), ['jonas (#news, Sunday hikers): Sent 2 files'])
    await page.goto(address)
    await mira.composer('general').waitFor()
    await workerReady(mira)
    await centre.click()
    await mira.composer('news').waitFor()
    await eventually(() => centre.ofWorker(), [])
  })

  test('DOOR-43: a push about a raid names the space, has no author, and is shown once', async () => {
    const service = await PushService.of(mira)
    const { page } = mira
    const address = page.url()
    const raid = {
      ...{ type: 'raid', kind: 'raid', title: 'English', body: 'English', text: '', attachment_count: 0 },
      ...{ space_id: space, space_name: 'Sunday hikers', url: `/spaces/${space}`, tag: `raid-${space}` },
    }
    await service.deliver(raid)
    await page.goto('about:blank')
    const shown = ['Sunday hikers: the door is closed: This looks like a raid. Decide who may stay.']
    await service.deliver(raid)
    await eventually(() => centre.ofWorker(), shown)
    await service.deliver({ ...raid, space_name: 'Shown already' })
    await service.deliver(push({ message_id: 'four', text: 'tea?' }))
    await eventually(() => centre.ofWorker(), [...shown, 'jonas (#news, Sunday hikers): tea?'])
    await page.goto(address)
    await mira.composer('news').waitFor()
    await workerReady(mira)
    await centre.click()
    await eventually(async () => (await centre.ofWorker()).length, 1)
  })

  test('TAB-2: one of several tabs notifies and sounds, and another once that one is closed', async () => {
    // In the room it would read the messages, which closes their notifications.
    await phone.page.goto('/home')
    let tabs: Page[] = await Promise.all([openTab(), openTab()])
    await mira.page.close()
    const notices = async () => (await Promise.all(tabs.map((tab) => centre.ofPage(tab)))).flat()
    const notes = async () => (await Promise.all(tabs.map(playedNotes))).flat()
    for (const text of ['coffee?', 'cake?']) {
      await eventually(() => countLeaders(tabs), 1)
      await sayIn(news, `<@${miraId}> ${text}`)
      await eventually(notices, [`jonas (#news, Sunday hikers): @mira ${text}`])
      assert.deepEqual(await notes(), CHIME)
      tabs = await closeNotifying(tabs)
    }
    assert.equal(tabs.length, 0)
  })

  /** Counts the tabs that would notify: at most one. A closed tab hands that over a moment later. */
  async function countLeaders(tabs: readonly Page[]): Promise<number | undefined> {
    return tabs[0]?.evaluate(async () => {
      const { held = [] } = await navigator.locks.query()
      return held.filter(({ name }) => name === 'foyer.attention').length
    })
  }

  /** Closes the tabs that have shown a notification. Returns the other ones. */
  async function closeNotifying(tabs: readonly Page[]): Promise<Page[]> {
    const counts = await Promise.all(tabs.map(async (tab) => (await centre.ofPage(tab)).length))
    for (const tab of tabs.filter((_tab, index) => counts[index] !== 0)) await tab.close()
    return tabs.filter((_tab, index) => counts[index] === 0)
  }

  /** Opens a tab, clicks in it so that it may play sounds, and moves the focus away. */
  async function openTab(): Promise<Page> {
    const page = await mira.context.newPage()
    await watchNotes(page)
    await page.goto(`/spaces/${space}/rooms/${general}`)
    await page.getByRole('textbox', { name: 'Message #general', exact: true }).click()
    await page.evaluate(() => Notification.requestPermission())
    await lookAway({ page })
    return page
  }

  test('the consoles have no errors', () => {
    for (const person of [mira, phone]) {
      person.forgiveWorker()
      assert.deepEqual(person.complaints, [])
    }
  })

  function push(change: Partial<PushPayload>): PushPayload {
    return {
      type: 'message',
      title: 'English',
      body: 'English',
      url: `/spaces/${space}/rooms/${news}`,
      tag: news,
      kind: 'mention',
      author_id: jonas.id,
      author_name: 'jonas',
      author_avatar: null,
      room_name: 'news',
      space_name: 'Sunday hikers',
      text: '',
      attachment_count: 0,
      ...change,
    }
  }
})
