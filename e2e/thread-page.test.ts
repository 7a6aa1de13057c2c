import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import type { OwnThread } from '@foyer/protocol/thread-rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { noBrowser } from './chromium-files.ts'
import type { Person } from './person.ts'
import { axeFindings, overflowingParts } from './screens/looks.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const PHONE = { width: 320, height: 640 }
const DESKTOP = { width: 1280, height: 800 }

/** The tests run in order: each continues where the previous one ended. */
describe('the page of a thread', { skip: noBrowser }, () => {
  let stage: Stage
  let host: Settled
  let mira: Person
  let jonas: Person
  let room: string
  let thread: OwnThread
  let poles: OwnThread
  let path: string

  before(async () => {
    stage = await Stage.open()
    const guest = await settle(stage, 'jonas')
    host = await settle(stage, 'mira')
    mira = host.person
    jonas = guest.person
    for (const { page } of [mira, jonas])
      await page.evaluate(() => window.localStorage.setItem('foyer.whole-threads', '1'))
    const made = await gather('Sunday hikers', [host, guest])
    room = `/spaces/${made.space.id}/rooms/${made.general.id}`
    const starter = await host.client.messages.create(made.general.id, { content: 'Who has a tent?' })
    thread = await host.client.api(ThreadRooms).create(made.general.id, {
      title: 'Tents',
      message_id: starter.id,
      content: 'Two are enough.',
    })
    path = `/spaces/${made.space.id}/rooms/${thread.id}`
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const listed = (person: Person) => person.page.getByRole('list', { name: 'Threads' })
  const dialog = (name: string) => mira.page.getByRole('dialog', { name, exact: true })

  async function choose(person: Person, button: string, level: string): Promise<void> {
    await person.button(button).click()
    await person.page.getByRole('menuitemradio', { name: level }).click()
  }

  test('TROOM-4: the address of a thread leads to it, for one who never opened or followed it', async () => {
    await jonas.page.goto(path)
    await jonas.message('Two are enough.').waitFor()
    await jonas.field('Message Tents').waitFor()
    assert.match(await jonas.page.title(), /Tents · Sunday hikers/)
    await jonas.picture('thread-page')
    assert.deepEqual(await axeFindings(jonas.page, 'main'), [])
    await jonas.page.getByRole('link', { name: 'Go to original message' }).click()
    await jonas.message('Who has a tent?').waitFor()
    await jonas.page.goBack()
    await jonas.page.getByRole('link', { name: 'in #general' }).click()
    await jonas.composer('general').waitFor()
  })

  test('TROOM-10: a followed thread is listed below its room, and shows new messages by its level', async () => {
    await jonas.page.goto(path)
    await choose(jonas, 'Follow thread', 'All messages')
    await jonas.button('Thread notifications').waitFor()
    await jonas.page.goto(room)
    const link = listed(jonas).getByRole('link', { name: /^Tents/ })
    await link.waitFor()
    await host.client.messages.create(thread.id, { content: 'And the stove?' })
    await listed(jonas).getByRole('link', { name: 'Tents, unread' }).waitFor()
    await jonas.picture('thread-listed')
    await link.click()
    await jonas.message('And the stove?').waitFor()
    await listed(jonas).getByRole('link', { name: 'Tents', exact: true }).waitFor()
    await choose(jonas, 'Thread notifications', 'Nothing')
    await jonas.page.goto(room)
    await host.client.messages.create(thread.id, { content: 'Found one.' })
    await jonas.message('Who has a tent?').waitFor()
    assert.equal(await listed(jonas).count(), 0)
  })

  test('TROOM-6: its creator renames it and closes it; others then read, and write again once it is open', async () => {
    await jonas.page.goto(path)
    await jonas.field('Message Tents').waitFor()
    assert.equal(await jonas.button('Thread options').count(), 0)
    await mira.page.goto(path)
    await mira.button('Thread options').click()
    await mira.picture('thread-options')
    await mira.page.getByRole('menuitem', { name: 'Edit thread…' }).click()
    await dialog('Edit thread').getByLabel('Title').fill('Tents and stoves')
    await dialog('Edit thread').getByLabel('Sleep after inactivity').selectOption('1 week')
    assert.deepEqual(await axeFindings(mira.page, '[role=dialog]'), [])
    await dialog('Edit thread').getByRole('button', { name: 'Save' }).click()
    await jonas.field('Message Tents and stoves').waitFor()
    const changed = await host.client.api(ThreadRooms).get(thread.id)
    assert.equal(changed.quiet_minutes, 10_080)
    await mira.button('Thread options').click()
    await mira.page.getByRole('menuitem', { name: 'Close thread…' }).click()
    await mira.page.getByRole('alertdialog').getByRole('button', { name: 'Close thread' }).click()
    await jonas.page.getByText('This thread is closed.').waitFor()
    await jonas.picture('thread-closed')
    // The creator owns the space, and may still write.
    await mira.field('Message Tents and stoves').waitFor()
    await mira.page.getByText('This thread is closed.').waitFor()
    await mira.button('Thread options').click()
    await mira.page.getByRole('menuitem', { name: 'Reopen thread' }).click()
    await jonas.field('Message Tents and stoves').waitFor()
    await mira.page.getByText('This thread is closed.').waitFor({ state: 'detached' })
  })

  test('TROOM-7: the page of a thread that sleeps says so, until a message wakes it', async () => {
    const asleep = mira.page.getByText('This thread is asleep. A new message wakes it.')
    await mira.page.goto(path)
    await mira.field('Message Tents and stoves').waitFor()
    assert.equal(await asleep.count(), 0)
    await mira.button('Thread options').click()
    await mira.page.getByRole('menuitem', { name: 'Put thread to sleep' }).click()
    await asleep.waitFor()
    assert.deepEqual(await axeFindings(mira.page, 'main'), [])
    await host.client.messages.create(thread.id, { content: 'Good morning.' })
    await asleep.waitFor({ state: 'detached' })
  })

  test('the page fits a phone', async () => {
    await mira.page.setViewportSize(PHONE)
    await mira.page.goto(path)
    await mira.message('Found one.').waitFor()
    await mira.picture('thread-phone')
    assert.deepEqual(await overflowingParts(mira.page), [])
    assert.deepEqual(await axeFindings(mira.page, 'main'), [])
    await mira.page.setViewportSize(DESKTOP)
  })

  test('TROOM-10: after a reload, messages of others are still unread, own ones are not', async () => {
    await choose(jonas, 'Thread notifications', 'All messages')
    await jonas.field('Message Tents and stoves').fill('Fine.')
    await jonas.field('Message Tents and stoves').press('Enter')
    await mira.message('Fine.').waitFor()
    await jonas.page.goto(room)
    await listed(jonas).getByRole('link', { name: 'Tents and stoves', exact: true }).waitFor()
    await host.client.messages.create(thread.id, { content: 'Two stoves.' })
    const unread = listed(jonas).getByRole('link', { name: 'Tents and stoves, unread' })
    await unread.waitFor()
    await jonas.page.reload()
    await unread.click()
    await jonas.message('Two stoves.').waitFor()
    await unread.waitFor({ state: 'detached' })
  })

  test('TROOM-5: the page closes with the access to its room, and opens again with it', async () => {
    const { space_id, room_id } = thread
    const missing = jonas.page.getByText('This room doesn’t exist or you don’t have access.')
    const denied = {
      target_id: space_id,
      target_type: 0,
      allow_flags: 0,
      deny_flags: Permission.ViewChannels,
    }
    await host.client.overwrites.upsert(space_id, room_id, denied)
    await missing.waitFor()
    await jonas.page.reload()
    await missing.waitFor()
    await jonas.takeRefusals(403)
    await host.client.overwrites.delete(space_id, room_id, space_id)
    await jonas.page.goto(path)
    await jonas.field('Message Tents and stoves').waitFor()
  })

  test('TROOM-10: who writes in a thread that they have just read has nothing unread in it', async () => {
    poles = await host.client
      .api(ThreadRooms)
      .create(thread.room_id, { title: 'Poles', content: 'Four poles.' })
    await jonas.page.goto(room.replace(thread.room_id, poles.id))
    await jonas.message('Four poles.').waitFor()
    await jonas.field('Message Poles').fill('Five.')
    await jonas.field('Message Poles').press('Enter')
    await listed(jonas).getByRole('link', { name: 'Poles', exact: true }).waitFor()
  })

  test('TROOM-18: whoever has a thread open is in the other one after a merge', async () => {
    await host.client.api(ThreadRooms).merge(poles.id, thread.id)
    await jonas.field('Message Tents and stoves').waitFor()
    await jonas.message('Four poles.').waitFor()
    assert.match(jonas.page.url(), new RegExp(`${path}$`))
  })

  test('TROOM-11: a deleted thread is gone for those who have it open', async () => {
    await mira.button('Thread options').click()
    await mira.page.getByRole('menuitem', { name: 'Delete thread' }).click()
    await mira.page.getByRole('alertdialog').getByRole('button', { name: 'Delete thread' }).click()
    await mira.composer('general').waitFor()
    await jonas.page.getByText('This room doesn’t exist or you don’t have access.').waitFor()
    await mira.page.goto(path)
    await mira.page.getByText('This room doesn’t exist or you don’t have access.').waitFor()
    // Messages read at the last moment are acknowledged after the deletion.
    const complaints = jonas.complaints.filter((text) => !/status of 404/.test(text))
    assert.deepEqual(complaints, [])
  })
})
