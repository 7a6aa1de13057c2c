import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Room } from '@foyer/protocol/rooms'
import { Forums } from '@foyer/sdk/api/forums'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { Keys } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { picture } from './sample-files.ts'
import { axeFindings, overflowingParts } from './screens/looks.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const PHONE = { width: 320, height: 640 }
const DESKTOP = { width: 1280, height: 800 }

/** The tests run in order: each continues where the previous one ended. */
describe('forums', { skip: noBrowser }, () => {
  let stage: Stage
  let host: Settled
  let guest: Settled
  let mira: Person
  let jonas: Person
  let spaceId: string
  let path: string

  before(async () => {
    stage = await Stage.open()
    guest = await settle(stage, 'jonas')
    host = await settle(stage, 'mira')
    mira = host.person
    jonas = guest.person
    const made = await gather('Sunday hikers', [host, guest])
    spaceId = made.space.id
    await mira.page.goto(`/spaces/${spaceId}`)
    await mira.composer('general').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const dialog = (name: string) => mira.page.getByRole('dialog', { name, exact: true })
  const posts = (person: Person) => person.page.getByRole('list', { name: 'Posts', exact: true })
  const post = (person: Person, title: string) =>
    posts(person).getByRole('listitem').filter({ hasText: title })
  const bar = (person: Person) => person.page.getByRole('region', { name: 'About this post' })

  async function forum(): Promise<Room> {
    const rooms = await host.client.api(Forums).listRooms(spaceId)
    const found = rooms.find(({ type }) => type === 5)
    assert.ok(found !== undefined)
    return found
  }

  test('FORUM-1: a moderator creates a forum in the dialog of rooms, which opens without posts', async () => {
    await mira.button('Sunday hikers, space menu').click()
    await mira.page.getByRole('menuitem', { name: 'Create room' }).click()
    await dialog('Create a room').getByLabel('Name').fill('questions')
    await dialog('Create a room').getByRole('radio', { name: /Forum/ }).check()
    await dialog('Create a room').getByRole('button', { name: 'Create room' }).click()
    await mira.page.getByRole('heading', { name: 'No posts yet' }).waitFor()
    await mira.room('questions').waitFor()
    path = new URL(mira.page.url()).pathname
    await mira.picture('forum-empty')
    assert.deepEqual(await axeFindings(mira.page, 'main'), [])
  })

  test('FORUM-2: its settings have guidelines, a template and tags with colours and an order', async () => {
    await mira.button('Room settings').click()
    const settings = dialog('questions')
    await settings.getByRole('navigation').getByRole('button', { name: 'Posts' }).click()
    await settings.getByLabel('Guidelines').fill('One question per **post**.')
    await settings.getByLabel('Template').fill('Where are you?')
    for (const name of ['Huts', 'Routes']) {
      await settings.getByRole('button', { name: 'Add tag' }).click()
      await settings.getByLabel('Tag name').last().fill(name)
    }
    await settings.getByRole('checkbox', { name: 'Colour' }).first().check()
    await settings.getByRole('button', { name: 'Move Routes up' }).click()
    await mira.picture('forum-settings')
    assert.deepEqual(await axeFindings(mira.page, '[role=dialog]'), [])
    await settings.getByRole('button', { name: 'Save changes' }).click()
    await settings.getByRole('button', { name: 'Save changes' }).waitFor({ state: 'detached' })
    const saved = (await forum()).forum
    assert.deepEqual(
      saved?.tags.map(({ name, color }) => [name, color]),
      [
        ['Routes', null],
        ['Huts', 0xc7_7a_17],
      ],
    )
    assert.equal(saved?.template, 'Where are you?')
    await settings.getByRole('button', { name: 'Close' }).click()
    await mira.page.getByRole('region', { name: 'Guidelines' }).getByText('One question per post.').waitFor()
  })

  test('FORUM-4: a post begins by keyboard with title, tags and the text of the template', async () => {
    const keys = new Keys(mira.page)
    await mira.button('New post').focus()
    await keys.press('Enter')
    const form = mira.page.getByRole('region', { name: 'New post' })
    assert.equal(await form.getByLabel('Text').inputValue(), 'Where are you?')
    await form.getByRole('button', { name: 'Post', exact: true }).click()
    await form.getByText('Enter a title.').waitFor()
    await form.getByLabel('Title').fill('Is the lake hut open?')
    await form.getByRole('checkbox', { name: 'Huts' }).check()
    await mira.picture('forum-new-post')
    assert.deepEqual(await axeFindings(mira.page, 'main'), [])
    await form.getByLabel('Text').fill('At the lake. The door is locked.')
    const door = picture('door.png', { width: 300, height: 200, sky: [92, 150, 226] })
    await form.getByLabel(/^Pictures/).setInputFiles([door])
    await form.getByRole('button', { name: 'Post', exact: true }).click()
    await mira.message('At the lake. The door is locked.').waitFor()
    await bar(mira).getByText('Huts').waitFor()
    await mira.page.getByRole('log').getByRole('img', { name: 'door.png' }).waitFor()
    // A forum has no messages of its own.
    assert.equal(await mira.page.getByRole('checkbox', { name: /^Also send/ }).count(), 0)
  })

  test('FORUM-8: similar titles appear while one types, with a link', async () => {
    await jonas.page.goto(path)
    await jonas.button('New post').click()
    await jonas.field('Title').fill('Lake hut')
    const similar = jonas.page.getByRole('region', { name: 'Similar posts' })
    await similar.getByRole('link', { name: 'Is the lake hut open?' }).waitFor()
    await jonas.picture('forum-similar')
    await similar.getByRole('link', { name: 'Is the lake hut open?' }).click()
    await jonas.message('At the lake. The door is locked.').waitFor()
    await jonas.field('Message Is the lake hut open?').fill('From May on.')
    await jonas.field('Message Is the lake hut open?').press('Enter')
    await mira.message('From May on.').waitFor()
  })

  test('FORUM-7: the asker marks the answer, which stands above the messages and can be unmarked', async () => {
    await mira.message('From May on.').click({ button: 'right' })
    await mira.page.getByRole('menuitem', { name: 'Mark as answer' }).click()
    await bar(jonas).getByText('From May on.').waitFor()
    await mira.picture('forum-answer')
    assert.deepEqual(await axeFindings(mira.page, 'main'), [])
    await bar(jonas).getByRole('button', { name: 'Go to answer' }).click()
    await mira.page.getByRole('log').getByText('At the lake. The door is locked.').click({ button: 'right' })
    await mira.page.getByRole('menuitem', { name: 'Copy text' }).waitFor()
    assert.equal(await mira.page.getByRole('menuitem', { name: 'Mark as answer' }).count(), 0)
    await mira.page.keyboard.press('Escape')
    await mira.message('From May on.').click({ button: 'right' })
    await mira.page.getByRole('menuitem', { name: 'Remove answer mark' }).click()
    await bar(jonas).getByText('From May on.').waitFor({ state: 'detached' })
    await mira.message('From May on.').click({ button: 'right' })
    await mira.page.getByRole('menuitem', { name: 'Mark as answer' }).click()
    await bar(mira).getByText('From May on.').waitFor()
  })

  test('FORUM-6: a moderator pins a post and changes its tags', async () => {
    await bar(mira).getByRole('button', { name: 'Pin post' }).click()
    await bar(jonas).getByText('Pinned').waitFor()
    await bar(mira).getByRole('button', { name: 'Edit tags' }).click()
    await dialog('Edit tags').getByRole('checkbox', { name: 'Routes' }).check()
    await dialog('Edit tags').getByRole('button', { name: 'Save' }).click()
    await bar(jonas).getByText('Routes').waitFor()
    assert.equal(await bar(jonas).getByRole('button', { name: 'Pin post' }).count(), 0)
  })

  test('FORUM-5: the list shows posts as they come, by tag, answer, order and as a gallery', async () => {
    await mira.page.goto(path)
    await post(mira, 'Is the lake hut open?').getByText('1 reply', { exact: true }).waitFor()
    const { id } = await forum()
    await guest.client.api(ThreadRooms).create(id, { title: 'Bus back', content: 'When does it leave?' })
    await post(mira, 'Bus back').getByText('jonas').waitFor()
    const first = posts(mira).getByRole('listitem').first()
    await first.getByText('Pinned').waitFor()
    await first.getByText('Solved').waitFor()
    await first.getByRole('img', { name: 'door.png' }).waitFor()
    await mira.picture('forum-list')
    await mira.page.getByRole('checkbox', { name: 'Huts' }).check()
    await eventually(() => posts(mira).getByRole('listitem').count(), 1)
    await mira.page.getByRole('checkbox', { name: 'Huts' }).uncheck()
    await mira.page.getByLabel('Show', { exact: true }).selectOption({ label: 'Unsolved' })
    await post(mira, 'Is the lake hut open?').waitFor({ state: 'detached' })
    await post(mira, 'Bus back').waitFor()
    await mira.page.getByLabel('Show', { exact: true }).selectOption({ label: 'All posts' })
    await mira.page.getByLabel('Sort by').selectOption({ label: 'Newest' })
    await eventually(() => posts(mira).getByRole('listitem').count(), 2)
    await mira.button('Show as gallery').click()
    await mira.picture('forum-gallery')
    assert.deepEqual(await axeFindings(mira.page, 'main'), [])
    assert.deepEqual(await namelessParts(mira.page), [])
  })

  test('a phone has room for all of it, and the dark theme is readable', async () => {
    await mira.page.setViewportSize(PHONE)
    await mira.page.emulateMedia({ colorScheme: 'dark' })
    await post(mira, 'Bus back').waitFor()
    assert.deepEqual(await overflowingParts(mira.page), [])
    assert.deepEqual(await axeFindings(mira.page, 'main'), [])
    await mira.picture('forum-phone')
    await post(mira, 'Is the lake hut open?').getByRole('link').click()
    await bar(mira).getByText('From May on.').waitFor()
    assert.deepEqual(await overflowingParts(mira.page), [])
    assert.deepEqual(await axeFindings(mira.page, 'main'), [])
    await mira.picture('forum-phone-post')
    await mira.page.emulateMedia({ colorScheme: 'light' })
    await mira.page.setViewportSize(DESKTOP)
  })
})
