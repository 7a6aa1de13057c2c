import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import type { OwnThread, ThreadPage } from '@foyer/protocol/thread-rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { holdAnswers } from './held-answers.ts'
import type { Person } from './person.ts'
import { axeFindings } from './screens/looks.ts'
import { Centre, lookAway, workerReady } from './service-worker.ts'
import { gather, type Settled, settle, settlePerson } from './settled.ts'
import { Stage } from './stage.ts'

const FOLLOWED = '**/api/users/@me/threads*'

/** The tests run in order: each continues where the previous one ended. */
describe('threads that the client does not know yet', { skip: noBrowser }, () => {
  let stage: Stage
  let host: Settled
  let guest: Settled
  let jonas: Person
  let centre: Centre
  let space: string
  let general: string
  let plans: string
  let thread: OwnThread

  before(async () => {
    stage = await Stage.open()
    jonas = await stage.person('jonas', stage.program.url, true)
    centre = await Centre.of(jonas)
    guest = await settlePerson(jonas)
    host = await settle(stage, 'mira')
    const made = await gather('Sunday hikers', [host, guest])
    space = made.space.id
    general = made.general.id
    const room = await host.client.rooms.create(space, { name: 'plans', type: RoomType.Text })
    plans = room.id
    thread = await host.client.api(ThreadRooms).create(plans, { title: 'Tents', content: 'Two are enough.' })
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const pathOf = (id: string) => `/spaces/${space}/rooms/${id}`
  const rooms = () => jonas.page.getByRole('navigation', { name: 'Rooms' })
  const listed = (name: string) =>
    jonas.page.getByRole('list', { name: 'Threads' }).getByRole('link', { name, exact: true })

  test('the room of an open thread shows its new messages, and only the thread is the current page', async () => {
    await jonas.page.goto(pathOf(thread.id))
    await jonas.button('Open as a page').click()
    await jonas.message('Two are enough.').waitFor()
    await listed('Tents').waitFor()
    await host.client.messages.create(plans, { content: `<@${guest.id}> Which day?` })
    await rooms().getByRole('link', { name: 'plans, 1 mention, unread', exact: true }).waitFor()
    await jonas.picture('thread-open-room-unread')
    const current = rooms().locator('[aria-current]')
    assert.deepEqual(await current.evaluateAll((links) => links.map((link) => link.textContent)), ['Tents'])
    await jonas.button('Show beside the room').click()
    await rooms().getByRole('link', { name: 'plans', exact: true }).waitFor()
  })

  test('TROOM-5: an open thread that the user does not follow returns with its room, even one without messages', async () => {
    const empty = await host.client.rooms.create(space, { name: 'empty', type: RoomType.Text })
    const lone = await host.client
      .api(ThreadRooms)
      .create(empty.id, { title: 'Lone', content: 'Still here.' })
    await jonas.page.goto(pathOf(lone.id))
    await jonas.message('Still here.').waitFor()
    await host.client.overwrites.upsert(space, empty.id, {
      ...{ target_id: space, target_type: 0, allow_flags: 0 },
      deny_flags: Permission.ViewChannels,
    })
    await jonas.page.getByText('This room doesn’t exist or you don’t have access.').waitFor()
    await host.client.overwrites.delete(space, empty.id, space)
    await jonas.message('Still here.').waitFor()
  })

  test('a thread that the server refused for a time opens later', async () => {
    const { promise: refused, resolve } = Promise.withResolvers<void>()
    // A longer wait than one request takes upon itself.
    const busy = { status: 429, headers: { 'retry-after': '100' }, body: '' }
    await jonas.page.route(`**/api/threads/${thread.id}`, (route) => route.fulfill(busy).then(resolve))
    await jonas.page.goto(pathOf(thread.id))
    await refused
    await jonas.page.unroute(`**/api/threads/${thread.id}`)
    await jonas.message('Two are enough.').waitFor()
    jonas.complaints = jonas.complaints.filter((complaint) => !complaint.includes('429'))
  })

  test('TROOM-10: a mention in a muted thread does not notify while the followed threads are not known', async () => {
    await guest.client.api(ThreadRooms).follow(thread.id, 'muted')
    const followed = await holdAnswers(jonas.page, FOLLOWED)
    await jonas.page.goto(pathOf(general))
    await jonas.composer('general').waitFor()
    await followed.given
    await workerReady(jonas)
    await allowNotices()
    await lookAway(jonas)
    await eventually(() => jonas.page.evaluate(leads), true)
    await host.client.messages.create(thread.id, { content: `<@${guest.id}> in the thread` })
    await host.client.messages.create(plans, { content: `<@${guest.id}> in the room` })
    await eventually(() => centre.ofPage(), ['mira (#plans, Sunday hikers): @jonas in the room'])
    const other = await host.client.api(ThreadRooms).create(plans, { title: 'Stoves' })
    await host.client.messages.create(other.id, { content: `<@${guest.id}> in another thread` })
    await eventually(
      async () => (await centre.ofPage()).map((text) => text.split(': ')[1]),
      ['@jonas in the room', '@jonas in another thread'],
    )
    await followed.release()
  })

  test('TROOM-10: a followed thread beyond those loaded is listed as unread once it has a message', async () => {
    const late = await host.client.api(ThreadRooms).create(plans, { title: 'Late' })
    await guest.client.api(ThreadRooms).follow(late.id, 'all')
    await jonas.page.route(FOLLOWED, async (route) => {
      const response = await route.fetch()
      const page: ThreadPage = await response.json()
      const [known] = page.threads.filter(({ id }) => id === thread.id)
      const threads =
        known === undefined ? [] : Array.from({ length: 200 }, () => ({ ...known, id: randomUUID() }))
      await route.fulfill({ response, json: { threads, next: 'more' } })
    })
    await jonas.page.reload()
    await jonas.composer('general').waitFor()
    await jonas.page.waitForTimeout(500)
    await host.client.messages.create(late.id, { content: 'One more thing.' })
    await listed('Late, unread').waitFor()
    const [later, other] = await Promise.all(
      ['Later', 'Other'].map((title) => host.client.api(ThreadRooms).create(plans, { title })),
    )
    await guest.client.api(ThreadRooms).follow(later?.id ?? '', 'all')
    // Following puts it in use. A new start of the page does not, as its list is full.
    await jonas.page.reload()
    await jonas.composer('general').waitFor()
    await workerReady(jonas)
    await allowNotices()
    await lookAway(jonas)
    await eventually(() => jonas.page.evaluate(leads), true)
    await jonas.page.waitForTimeout(500)
    await host.client.messages.create(other?.id ?? '', { content: 'Not followed.' })
    await host.client.messages.create(later?.id ?? '', { content: 'The first one.' })
    await eventually(
      async () => (await centre.ofPage()).some((text) => text.endsWith(': The first one.')),
      true,
    )
    assert.equal((await centre.ofPage()).join().includes('Not followed.'), false)
    await jonas.page.unroute(FOLLOWED)
    jonas.forgiveWorker()
    assert.deepEqual(jonas.complaints, [])
  })

  test('TROOM-16: the list of followed threads shows only unread ones if the user wants', async () => {
    const api = guest.client.api(ThreadRooms)
    const { threads: all } = await api.listFollowed()
    const unread = await api.listFollowed({ unread: true })
    assert.ok(unread.threads.length > 0 && unread.threads.length < all.length)
    await jonas.page.goto(pathOf(general))
    await jonas.button('Mentions').click()
    const inbox = jonas.page.getByRole('dialog', { name: 'Mentions', exact: true })
    await inbox.getByRole('tab', { name: 'Threads' }).click()
    await eventually(() => inbox.getByRole('link').count(), all.length)
    await inbox.getByLabel('Unread only').check()
    await eventually(() => inbox.getByRole('link').count(), unread.threads.length)
    await jonas.picture('threads-unread')
    assert.deepEqual(await axeFindings(jonas.page, '[role=dialog]'), [])
    for (const { id, last_message_id } of unread.threads)
      await guest.client.messages.ack(id, last_message_id ?? '')
    await inbox.getByText('No unread threads').waitFor()
    const [first] = unread.threads
    await host.client.messages.create(first?.id ?? '', { content: 'Unread again.' })
    await inbox.getByRole('link', { name: first?.title ?? '' }).waitFor()
    await jonas.page.keyboard.press('Escape')
  })

  test('TROOM-16: a message shows the thread that began from it, also if many threads are newer', async () => {
    const starter = await host.client.messages.create(plans, { content: 'Where to?' })
    const body = { title: 'Destination', message_id: starter.id }
    const old = await host.client.api(ThreadRooms).create(plans, body)
    const lists = '**/api/rooms/*/threads?*'
    await jonas.page.route(lists, (route) =>
      route.request().url().includes('starter_id')
        ? route.continue()
        : route.fulfill({ json: { threads: [], next: 'more' } }),
    )
    await jonas.page.goto(pathOf(plans))
    const line = jonas.page.locator('.starter-line').filter({ hasText: 'Destination' })
    await line.getByText('0 messages').waitFor()
    await host.client.messages.create(old.id, { content: 'North.' })
    await line.getByText('1 message', { exact: true }).waitFor()
    await host.client.api(ThreadRooms).delete(old.id)
    await line.waitFor({ state: 'detached' })
    await jonas.page.unroute(lists)
  })

  async function allowNotices(): Promise<void> {
    await jonas.button(/^Account: /).click()
    await jonas.button('User settings').click()
    const settings = jonas.page.getByRole('dialog', { name: 'User settings' })
    await settings.getByRole('button', { name: 'Notifications', exact: true }).click()
    await settings.getByRole('switch', { name: 'Desktop notifications' }).click()
    await eventually(() => settings.getByRole('switch', { name: 'Desktop notifications' }).isChecked(), true)
    await jonas.page.keyboard.press('Escape')
    await settings.waitFor({ state: 'detached' })
  }
})

/** True once the page is the one that notifies. */
async function leads(): Promise<boolean> {
  const { held = [] } = await navigator.locks.query()
  return held.some(({ name }) => name === 'foyer.attention')
}
