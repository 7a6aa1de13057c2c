import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { Keys } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { axeFindings, overflowingParts } from './screens/looks.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'
import { seeInThread } from './thread-visits.ts'

const PHONE = { width: 320, height: 640 }
const DESKTOP = { width: 1280, height: 800 }

/** The tests run in order: each continues where the previous one ended. */
describe('thread rooms', { skip: noBrowser }, () => {
  let stage: Stage
  let host: Settled
  let mira: Person
  let jonas: Person
  let path: string
  let spaceId: string
  let general: string

  before(async () => {
    stage = await Stage.open()
    const guest = await settle(stage, 'jonas')
    host = await settle(stage, 'mira')
    mira = host.person
    jonas = guest.person
    const made = await gather('Sunday hikers', [host, guest])
    general = made.general.id
    spaceId = made.space.id
    path = `/spaces/${spaceId}/rooms/${general}`
    for (const person of [mira, jonas]) {
      await person.page.goto(path)
      await person.composer('general').waitFor()
    }
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const threads = () => host.client.api(ThreadRooms)
  const popup = (person: Person) => person.page.getByRole('dialog', { name: 'Threads', exact: true })
  const dialog = (name: string) => mira.page.getByRole('dialog', { name, exact: true })
  const line = (person: Person, title: string) =>
    person.page.locator('.starter-line').filter({ hasText: title })

  async function choose(text: string, action: string): Promise<void> {
    await mira.message(text).first().click({ button: 'right' })
    await mira.page.getByRole('menuitem', { name: action, exact: true }).click()
  }

  test('TROOM-1: a thread begins from the menu of a message, whose text is its title at first', async () => {
    await mira.say('The ridge or the lake?')
    await jonas.message('The ridge or the lake?').waitFor()
    await choose('The ridge or the lake?', 'Start thread')
    const form = dialog('Start a thread')
    assert.equal(await form.getByLabel('Title').inputValue(), 'The ridge or the lake?')
    await mira.picture('thread-start')
    assert.deepEqual(await axeFindings(mira.page, '[role=dialog]'), [])
    await form.getByLabel('Title').fill(' ')
    await form.getByRole('button', { name: 'Start thread' }).click()
    await form.getByText('Enter a title.').waitFor()
    await form.getByLabel('Title').fill('Ridge or lake')
    await form.getByLabel('First message (optional)').fill('The ridge, if it stays dry.')
    await form.getByRole('button', { name: 'Start thread' }).click()
    await mira.composer('general').waitFor({ state: 'detached' })
    await mira.message('The ridge, if it stays dry.').waitFor()
    await mira.field('Message Ridge or lake').waitFor()
  })

  test('TROOM-3: a thread that somebody else began from the message in the meantime opens instead', async () => {
    await jonas.saySent('Is the hut open?')
    await jonas.message('Is the hut open?').first().click({ button: 'right' })
    await jonas.page.getByRole('menuitem', { name: 'Start thread' }).click()
    const [message] = await host.client.messages.list(general, { limit: 1 })
    const { id } = await threads().create(general, { title: 'The hut', message_id: message?.id ?? '' })
    await jonas.button('Start thread').click()
    await jonas.field('Message The hut').waitFor()
    assert.equal(new URL(jonas.page.url()).pathname.split('/').at(-1), id)
    // The console shows each refusal.
    assert.deepEqual(
      jonas.complaints.splice(0).filter((complaint) => !complaint.includes('409')),
      [],
    )
    await threads().delete(id)
    await jonas.page.goto(path)
    await host.client.messages.delete(general, message?.id ?? '')
    await jonas.message('Is the hut open?').waitFor({ state: 'detached' })
  })

  test('TROOM-8: the room shows the thread below its message, and others write in it', async () => {
    await line(jonas, 'Ridge or lake').getByText('1 message', { exact: true }).waitFor()
    await jonas.picture('thread-starter-line')
    await line(jonas, 'Ridge or lake').click()
    await jonas.message('The ridge, if it stays dry.').waitFor()
    await jonas.field('Message Ridge or lake').fill('It will rain.')
    await jonas.field('Message Ridge or lake').press('Enter')
    await mira.message('It will rain.').waitFor()
    await jonas.page.goBack()
    await line(jonas, 'Ridge or lake').getByText('2 messages').waitFor()
    await choose('It will rain.', 'Copy link')
  })

  test('TROOM-13: a message in a thread also goes to the room, once it is ticked', async () => {
    const box = mira.page.getByRole('checkbox', { name: 'Also send to #general' })
    await box.check()
    await mira.field('Message Ridge or lake').fill('Then the lake.')
    await mira.picture('thread-also-to-room')
    await mira.field('Message Ridge or lake').press('Enter')
    const forward = jonas.message('Then the lake.')
    await forward.getByText('From a thread').waitFor()
    assert.equal(await box.isChecked(), false)
    await mira.field('Message Ridge or lake').fill('With a swim.')
    await mira.field('Message Ridge or lake').press('Enter')
    await mira.message('With a swim.').waitFor()
    await line(jonas, 'Ridge or lake').getByText('4 messages').waitFor()
    assert.equal(await jonas.message('With a swim.').count(), 0)
    await forward.getByRole('button', { name: /^#general/ }).click()
    await jonas.message('With a swim.').waitFor()
    await jonas.page.goto(path)
  })

  test('TROOM-16: the room’s threads are in its header, by state, and a new one begins there by keyboard', async () => {
    await mira.page.goto(path)
    const asleep = await threads().create(general, { title: 'Last year' })
    await threads().update(asleep.id, { is_asleep: true })
    const closed = await threads().create(general, { title: 'Old plans' })
    await threads().update(closed.id, { is_closed: true })
    const keys = new Keys(mira.page)
    await mira.button('Threads').focus()
    await keys.press('Enter')
    await popup(mira)
      .getByRole('link', { name: /Ridge or lake/ })
      .waitFor()
    assert.deepEqual(await popup(mira).getByRole('listitem').count(), 1)
    await mira.picture('threads-popup')
    assert.deepEqual(await axeFindings(mira.page, '.threads-popover'), [])
    assert.deepEqual(await namelessParts(mira.page), [])
    await popup(mira).getByRole('tab', { name: 'Asleep' }).click()
    await popup(mira)
      .getByRole('link', { name: /Last year/ })
      .waitFor()
    await popup(mira).getByRole('tab', { name: 'Closed' }).click()
    await popup(mira)
      .getByRole('link', { name: /Old plans/ })
      .waitFor()
    await popup(mira).getByRole('button', { name: 'New thread' }).focus()
    await keys.press('Enter')
    await keys.isAt(mira.field('Title'))
    await mira.page.keyboard.type('Provisions')
    await keys.press('Enter')
    await mira.field('Message Provisions').waitFor()
    await popup(mira).waitFor({ state: 'detached' })
  })

  test('lists change while they are open', async () => {
    await jonas.button('Threads').click()
    await popup(jonas)
      .getByRole('link', { name: /Provisions/ })
      .waitFor()
    const tents = await threads().create(general, { title: 'Tents' })
    await popup(jonas)
      .getByRole('link', { name: /Tents 0 messages/ })
      .waitFor()
    await host.client.messages.create(tents.id, { content: 'Two are enough.' })
    await popup(jonas)
      .getByRole('link', { name: /Tents 1 message/ })
      .waitFor()
    await threads().update(tents.id, { title: 'Two tents' })
    await popup(jonas)
      .getByRole('link', { name: /Two tents/ })
      .waitFor()
    await threads().delete(tents.id)
    await popup(jonas)
      .getByRole('link', { name: /Two tents/ })
      .waitFor({ state: 'detached' })
    await jonas.page.setViewportSize(PHONE)
    await popup(jonas)
      .getByRole('link', { name: /Provisions/ })
      .waitFor()
    await jonas.picture('threads-phone')
    assert.deepEqual(await overflowingParts(jonas.page), [])
    await popup(jonas).getByRole('button', { name: 'Close' }).first().click()
    await popup(jonas).waitFor({ state: 'detached' })
    assert.deepEqual(await overflowingParts(jonas.page), [])
    await jonas.page.setViewportSize(DESKTOP)
  })

  test('TROOM-17: moderators move selected messages into a thread; others cannot', async () => {
    await mira.page.goto(path)
    for (const content of ['Bread for six', 'Cheese, too', 'See you at nine'])
      await host.client.messages.create(general, { content })
    await mira.message('See you at nine').waitFor()
    await choose('Bread for six', 'Select messages')
    await mira.message('Cheese, too').getByRole('checkbox').check()
    await mira.page.setViewportSize(PHONE)
    await mira.picture('thread-move-phone')
    assert.deepEqual(await overflowingParts(mira.page), [])
    await mira.page.setViewportSize(DESKTOP)
    await mira.button('Move to thread').click()
    const move = dialog('Move 2 messages')
    await move.getByRole('radio', { name: /Provisions/ }).check()
    await mira.picture('thread-move')
    assert.deepEqual(await axeFindings(mira.page, '[role=dialog]'), [])
    await move.getByRole('button', { name: 'Move', exact: true }).click()
    await move.waitFor({ state: 'detached' })
    await mira.message('Bread for six').waitFor({ state: 'detached' })
    await seeInThread([mira, jonas], 'Provisions', ['Bread for six', 'Cheese, too'])
    await choose('See you at nine', 'Move to thread')
    await dialog('Move 1 message').getByRole('button', { name: 'Move to a new thread' }).click()
    await mira.field('Title of the new thread').fill('Meeting point')
    await dialog('Move 1 message').getByRole('button', { name: 'Move', exact: true }).click()
    await mira.message('See you at nine').waitFor({ state: 'detached' })
    const { threads: all } = await threads().list(general, { state: 'active' })
    const counts = all.map(({ title, message_count }) => [title, message_count])
    assert.deepEqual(counts.slice(0, 2), [
      ['Meeting point', 1],
      ['Provisions', 2],
    ])
    await seeInThread([mira, jonas], 'Meeting point', ['See you at nine'])
    await jonas.message('Then the lake.').first().click({ button: 'right' })
    await jonas.page.getByRole('menuitem', { name: 'Copy text' }).waitFor()
    assert.equal(await jonas.page.getByRole('menuitem', { name: 'Move to thread' }).count(), 0)
    await jonas.page.keyboard.press('Escape')
  })

  test('TROOM-18: moderators merge a thread into another one', async () => {
    await mira.button('Threads').click()
    await mira.button('Merge “Meeting point” into another thread').click()
    const merge = dialog('Merge “Meeting point” into')
    await merge.getByRole('radio', { name: /Provisions/ }).check()
    await mira.picture('thread-merge')
    await merge.getByRole('button', { name: 'Merge', exact: true }).click()
    await merge.waitFor({ state: 'detached' })
    await mira.button('Threads').click()
    await popup(mira)
      .getByRole('link', { name: /Provisions 3 messages/ })
      .waitFor()
    assert.equal(
      await popup(mira)
        .getByRole('link', { name: /Meeting point/ })
        .count(),
      0,
    )
    await mira.page.keyboard.press('Escape')
    await seeInThread([mira, jonas], 'Provisions', ['Bread for six', 'Cheese, too', 'See you at nine'])
  })

  test('TROOM-10: the threads that a person follows are beside the mentions, with unread ones marked', async () => {
    const { threads: all } = await threads().list(general, { state: 'active' })
    const ridge = all.find(({ title }) => title === 'Ridge or lake')
    await host.client.messages.create(ridge?.id ?? '', { content: 'Who drives?' })
    await jonas.button('Mentions').click()
    const inbox = jonas.page.getByRole('dialog', { name: 'Mentions', exact: true })
    await inbox.getByRole('tab', { name: 'Threads' }).click()
    const link = inbox.getByRole('link', { name: /Ridge or lake/ })
    await link.getByText('#general in Sunday hikers').waitFor()
    await eventually(async () => (await link.innerText()).includes('Unread'), true)
    assert.equal(await inbox.getByRole('link').count(), 1)
    await jonas.picture('threads-followed')
    assert.deepEqual(await axeFindings(jonas.page, '[role=dialog]'), [])
    const isRead = jonas.page.waitForResponse((answer) => answer.url().endsWith('/ack'))
    await link.click()
    await jonas.message('Who drives?').waitFor()
    await isRead
    await jonas.page.goto(path)
    await jonas.button('Mentions').click()
    await inbox.getByRole('tab', { name: 'Threads' }).click()
    await link.waitFor()
    await eventually(async () => (await link.innerText()).includes('Unread'), false)
    await jonas.page.keyboard.press('Escape')
  })

  test('replies open threads in rooms that are set so', async () => {
    await mira.page.goto(path)
    await mira.button('Room settings').click()
    await mira.page.getByLabel('Replies', { exact: true }).selectOption('In threads')
    await mira.button('Save changes').click()
    await eventually(async () => {
      const rooms = await host.client.rooms.list(spaceId)
      return rooms.find(({ id }) => id === general)?.replies
    }, 'threads')
    await mira.page.goto(path)
    await mira.saySent('Any news from the hut?')
    await mira.message('Any news from the hut?').first().press('r')
    await dialog('Start a thread').getByRole('button', { name: 'Start thread' }).click()
    await mira.field('Message Any news from the hut?').waitFor()
    await mira.page.goBack()
    await line(mira, 'Any news from the hut?').waitFor()
    await mira.pointAt(mira.message('Any news from the hut?'))
    await mira.button('Reply in thread').click()
    await mira.field('Message Any news from the hut?').waitFor()
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})
