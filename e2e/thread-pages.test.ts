import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { axeFindings, overflowingParts } from './screens/looks.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const PHONE = { width: 320, height: 640 }
const DESKTOP = { width: 1280, height: 800 }

/** The tests run in order: each continues where the previous one ended. */
describe('pages of threads', { skip: noBrowser }, () => {
  let stage: Stage
  let host: Settled
  let guest: Settled
  let mira: Person
  let jonas: Person
  let spaceId: string
  let general: string
  let tents: string

  const pathOf = (id: string) => `/spaces/${spaceId}/rooms/${id}`
  const listed = (person: Person) =>
    person.page.getByRole('list', { name: 'Threads' }).getByRole('link', { name: /Tents/ })
  const unread = (person: Person) => person.page.getByRole('link', { name: /Tents.*unread/ })

  async function choose(person: Person, button: string, item: string): Promise<void> {
    await person.button(button).click()
    const role = person.page.getByRole('menuitem', { name: item, exact: true })
    await role.or(person.page.getByRole('menuitemradio', { name: item, exact: true })).click()
  }

  before(async () => {
    stage = await Stage.open()
    guest = await settle(stage, 'jonas')
    host = await settle(stage, 'mira')
    mira = host.person
    jonas = guest.person
    const made = await gather('Sunday hikers', [host, guest])
    general = made.general.id
    spaceId = made.space.id
    const thread = await guest.client.api(ThreadRooms).create(general, { title: 'Tents', content: 'Two?' })
    tents = thread.id
    for (const person of [mira, jonas]) {
      await person.page.goto(pathOf(general))
      await person.composer('general').waitFor()
    }
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  test('a thread has a page of its own, which opens by its address without following it', async () => {
    await mira.page.goto(pathOf(tents))
    await mira.message('Two?').waitFor()
    await mira.page.getByRole('heading', { name: 'Tents', level: 1 }).waitFor()
    assert.deepEqual(await axeFindings(mira.page, 'main'), [])
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.picture('thread-page')
    const { own } = await host.client.api(ThreadRooms).get(tents)
    assert.equal(own.follow, null)
    await mira.page.getByRole('link', { name: 'in #general' }).click()
    await mira.composer('general').waitFor()
  })

  test('TROOM-10: messages of others make a followed thread unread, also after a reload, and own ones do not', async () => {
    await listed(jonas).waitFor()
    assert.equal(await unread(jonas).count(), 0)
    await host.client.messages.create(tents, { content: 'Three.' })
    await unread(jonas).waitFor()
    await jonas.page.reload()
    await unread(jonas).click()
    await jonas.message('Three.').waitFor()
    await unread(jonas).waitFor({ state: 'detached' })
    await jonas.field('Message Tents').fill('Fine.')
    await jonas.field('Message Tents').press('Enter')
    await mira.page.goto(pathOf(tents))
    await mira.message('Fine.').waitFor()
    await jonas.page.goto(pathOf(general))
    await listed(jonas).waitFor()
    assert.equal(await unread(jonas).count(), 0)
  })

  test('TROOM-10: nothing of a muted thread is unread, and its level is the same on all devices', async () => {
    await jonas.page.goto(pathOf(tents))
    await choose(jonas, 'Notifications of the thread', 'Nothing')
    const follow = async () => (await guest.client.api(ThreadRooms).get(tents)).own.follow
    await eventually(follow, 'muted')
    await jonas.page.getByRole('link', { name: 'in #general' }).click()
    await jonas.composer('general').waitFor()
    await host.client.messages.create(tents, { content: 'Where are they?' })
    await host.client.messages.create(general, { content: 'After the thread.' })
    await jonas.message('After the thread.').waitFor()
    assert.equal(await unread(jonas).count(), 0)
    await jonas.page.goto(pathOf(tents))
    await choose(jonas, 'Notifications of the thread', 'Stop following')
    await eventually(follow, null)
    await choose(jonas, 'Follow thread', 'All messages')
    await eventually(follow, 'all')
  })

  test('TROOM-6: whoever began a thread renames it; what a moderator closed, others only read', async () => {
    await choose(jonas, 'Thread options', 'Edit thread…')
    await jonas.field('Title').fill('Tents and mats')
    await jonas.button('Save').click()
    await mira.page.getByRole('heading', { name: 'Tents and mats', level: 1 }).waitFor()
    await choose(mira, 'Thread options', 'Close thread…')
    await mira.button('Close thread').click()
    await jonas.page.getByText('This thread is closed.').waitFor()
    await jonas.picture('thread-closed')
    assert.deepEqual(await axeFindings(jonas.page, 'main'), [])
    await mira.field('Message Tents and mats').waitFor()
    await choose(mira, 'Thread options', 'Open thread again')
    await jonas.field('Message Tents and mats').waitFor()
  })

  test('a thread fits a phone, and its page is still there after a reload', async () => {
    await jonas.page.setViewportSize(PHONE)
    await jonas.page.reload()
    await jonas.field('Message Tents and mats').waitFor()
    assert.deepEqual(await overflowingParts(jonas.page), [])
    await jonas.picture('thread-page-phone')
    await jonas.page.setViewportSize(DESKTOP)
  })

  test('TROOM-5: a thread closes with the access to its room, and comes back with it', async () => {
    const denied = { target_id: spaceId, target_type: 0, allow_flags: 0, deny_flags: Permission.ViewChannels }
    await host.client.overwrites.upsert(spaceId, general, denied)
    await jonas.page.getByText('This room doesn’t exist or you don’t have access.').waitFor()
    await jonas.page.reload()
    await jonas.page.getByText('This room doesn’t exist or you don’t have access.').waitFor()
    await jonas.takeRefusals(403)
    await host.client.overwrites.delete(spaceId, general, spaceId)
    await jonas.page.goto(pathOf(tents))
    await jonas.field('Message Tents and mats').waitFor()
  })

  test('TROOM-11: a deleted thread leads to its room, and others learn that it is gone', async () => {
    await choose(mira, 'Thread options', 'Delete thread')
    await mira.button('Delete thread').click()
    await mira.composer('general').waitFor()
    await jonas.page.getByText('This room doesn’t exist or you don’t have access.').waitFor()
    assert.equal(await listed(mira).count(), 0)
    await jonas.page.goto(pathOf(tents))
    await jonas.page.getByText('This room doesn’t exist or you don’t have access.').waitFor()
    await jonas.takeRefusals(404)
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})
