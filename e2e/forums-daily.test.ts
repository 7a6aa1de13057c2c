import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { holdUploads } from './attaching.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { Keys } from './keys.ts'
import type { Person } from './person.ts'
import { picture } from './sample-files.ts'
import { axeFindings, overflowingParts } from './screens/looks.ts'
import { gather, type Settled, settle, settlePerson } from './settled.ts'
import { Stage } from './stage.ts'

const PHONE = { width: 320, height: 640 }
const DESKTOP = { width: 1280, height: 800 }
/** More than one page of posts. */
const MANY = 70

/** Forums in use: each test continues where the previous one ended. */
describe('forums every day', { skip: noBrowser }, () => {
  let stage: Stage
  let host: Settled
  let guest: Settled
  let mira: Person
  let jonas: Person
  let forumId: string
  let path: string
  let general: string
  /** Ids of posts by their titles. */
  const posts = new Map<string, string>()

  before(async () => {
    stage = await Stage.open()
    guest = await settle(stage, 'jonas')
    host = await settle(stage, 'mira')
    mira = host.person
    jonas = guest.person
    const { space, general: room } = await gather('Sunday hikers', [host, guest])
    const forum = await host.client.rooms.create(space.id, { name: 'questions', type: RoomType.Forum })
    const tags = ['Huts', 'Snow and ice'].map((name) => ({ name, color: null, is_moderated: false }))
    const changed = await host.client.rooms.update(space.id, forum.id, { forum: { tags } })
    forumId = forum.id
    path = `/spaces/${space.id}/rooms/${forumId}`
    general = `/spaces/${space.id}/rooms/${room.id}`
    const huts = changed.forum?.tags.slice(0, 1).map(({ id }) => id) ?? []
    await ask(host, 'Is the lake hut open?', { content: 'The door of the hut is locked.', tags: huts })
    await ask(host, 'Bus back', { content: 'The bus waits at the hut.' })
    await mira.page.goto(general)
    await mira.composer('general').waitFor()
    await jonas.page.goto(path)
    await jonas.page.getByRole('list', { name: 'Posts', exact: true }).getByText('Bus back').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const dialog = (name: string) => mira.page.getByRole('dialog', { name, exact: true })
  const list = (person: Person) => person.page.getByRole('list', { name: 'Posts', exact: true })
  const room = (person: Person, name: string | RegExp) =>
    person.page.getByRole('navigation', { name: 'Rooms' }).getByRole('link', { name, exact: true })
  const postPath = (title: string) => path.replace(forumId, posts.get(title) ?? '')
  const say = (by: Settled, title: string, content: string) =>
    by.client.messages.create(posts.get(title) ?? '', { content })

  async function ask(by: Settled, title: string, body: { content: string; tags?: string[] }) {
    const { id } = await by.client.api(ThreadRooms).create(forumId, { title, ...body })
    posts.set(title, id)
  }

  async function choose(message: string, item: string) {
    await mira.message(message).click({ button: 'right' })
    await mira.page.getByRole('menuitem', { name: item, exact: true }).click()
  }

  test('FORUM-21: the row of a forum is marked for posts that the user follows, and no other', async () => {
    await say(guest, 'Bus back', 'It leaves at nine.')
    await room(mira, 'questions, unread').waitFor()
    await room(mira, 'Bus back, unread').waitFor()
    await say(guest, 'Is the lake hut open?', `Ask <@${host.id}> about the key.`)
    await room(mira, 'questions, 1 mention, unread').waitFor()
    await mira.picture('forum-unread')
    await mira.page.goto(postPath('Is the lake hut open?'))
    await mira.message('about the key.').waitFor()
    await room(mira, 'questions, unread').waitFor()
    await mira.page.goto(postPath('Bus back'))
    await mira.message('It leaves at nine.').waitFor()
    await room(mira, 'questions').waitFor()
    await ask(guest, 'A post of Jonas', { content: 'Not for everyone.' })
    await say(guest, 'A post of Jonas', 'Mira does not follow it.')
    await mira.page.goto(general)
    await mira.composer('general').waitFor()
    await room(mira, 'questions').waitFor()
  })

  test('FORUM-20: a search is limited by tag, answer and the open post, by keyboard', async () => {
    const { page } = mira
    const keys = new Keys(page)
    await page.goto(postPath('Is the lake hut open?'))
    await mira.message('The door of the hut is locked.').waitFor()
    await mira.button('Search messages').click()
    const found = page.getByRole('complementary', { name: 'Search Sunday hikers' })
    const hits = found.locator('.search-group').getByRole('listitem')
    const chip = (name: string) => page.getByRole('button', { name: `Remove filter ${name}` })
    await keys.isAt(found.getByRole('combobox'))
    await keys.enter('hut')
    await eventually(() => hits.count(), 2)
    assert.deepEqual(await found.getByRole('heading', { level: 3 }).allInnerTexts(), [
      'Bus back in questions',
      'Is the lake hut open? in questions',
    ])
    await keys.press('Control+A')
    await page.keyboard.type('hut tag:hu')
    await page.getByRole('option', { name: 'Huts questions' }).waitFor()
    await mira.picture('forum-search-tags')
    await keys.press('Enter')
    await chip('tag: Huts').waitFor()
    await eventually(() => hits.count(), 1)
    await keys.press('Home', 'Backspace')
    await eventually(() => hits.count(), 2)
    await keys.press('End')
    await page.keyboard.type('in:')
    await page.getByRole('option', { name: 'Is the lake hut open? this post' }).waitFor()
    await keys.press('Enter')
    await chip('in: Is the lake hut open?').waitFor()
    await eventually(() => hits.count(), 1)
    await mira.picture('forum-search-post')
    assert.deepEqual(await axeFindings(page, '.search-panel'), [])
    await chip('in: Is the lake hut open?').click()
    await keys.press('End')
    await keys.enter(' solved:no')
    await chip('solved: no').waitFor()
    await eventually(() => hits.count(), 2)
    await keys.enter(' solved:yes')
    await chip('solved: yes').waitFor()
    assert.equal(await chip('solved: no').count(), 0)
    await found.getByText('No results.').waitFor()
    await mira.button('Close search').click()
  })

  test('FORUM-20: a phone has room for the filters', async () => {
    const { page } = mira
    await page.setViewportSize(PHONE)
    await mira.button('Search messages').click()
    await page.getByRole('option', { name: /^tag:/ }).click()
    await page.getByRole('option', { name: 'Snow and ice questions' }).click()
    await page.getByRole('button', { name: 'Remove filter tag: Snow and ice' }).waitFor()
    await mira.picture('forum-search-phone')
    assert.deepEqual(await overflowingParts(page), [])
    await mira.button('Close search').click()
    await page.setViewportSize(DESKTOP)
  })

  test('FORUM-22: messages of a post move into another one, and no post begins with them', async () => {
    await mira.page.goto(postPath('Bus back'))
    await choose('It leaves at nine.', 'Move to post')
    const move = dialog('Move 1 message')
    await move.getByRole('radio', { name: /Is the lake hut open/ }).waitFor()
    await mira.picture('forum-move')
    assert.deepEqual(await axeFindings(mira.page, '[role=dialog]'), [])
    assert.equal(await move.getByRole('button', { name: 'Move to a new thread' }).count(), 0)
    assert.equal(await move.getByRole('radio', { name: /Bus back/ }).count(), 0)
    await move.getByRole('radio', { name: /Is the lake hut open/ }).check()
    await move.getByRole('button', { name: 'Move', exact: true }).click()
    await mira.message('It leaves at nine.').waitFor({ state: 'detached' })
    await jonas.page.goto(postPath('Is the lake hut open?'))
    await jonas.message('It leaves at nine.').waitFor()
  })

  test('FORUM-22: the page of a post speaks of posts, and a moderator merges it into another one', async () => {
    const { page } = mira
    await page.goto(postPath('Bus back'))
    await page.getByText('This is the beginning of the post.').waitFor()
    await mira.button('Post notifications').waitFor()
    await mira.button('Post options').click()
    const menu = page.getByRole('menu', { name: 'Post options' })
    assert.doesNotMatch(await menu.innerText(), /thread/i)
    await mira.picture('forum-post-options')
    await menu.getByRole('menuitem', { name: 'Close post…' }).click()
    await mira.button('Close post').click()
    await page.getByText('This post is closed.').waitFor()
    await mira.button('Post options').click()
    await menu.getByRole('menuitem', { name: 'Merge into another post…' }).click()
    const merge = dialog('Merge “Bus back” into')
    await merge.getByRole('radio', { name: /A post of Jonas/ }).check()
    await mira.picture('forum-merge')
    await merge.getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByRole('heading', { name: 'A post of Jonas' }).first().waitFor()
    await mira.message('The bus waits at the hut.').waitFor()
  })

  test('FORUM-23: the pictures of a new post are uploaded at once, and stay while one looks elsewhere', async () => {
    const { page } = jonas
    await page.goto(path)
    await jonas.button('New post').click()
    const form = page.getByRole('region', { name: 'New post' })
    const tray = form.getByRole('list', { name: 'Attached files' }).getByRole('listitem')
    const draw = (name: string) => picture(name, { width: 300, height: 200, sky: [92, 150, 226] })
    const release = await holdUploads(jonas)
    await form.getByLabel('Title').fill('Which way?')
    await form.getByLabel(/^Pictures/).setInputFiles([draw('left.png'), draw('right.png')])
    await page.getByRole('progressbar', { name: 'Uploading left.png' }).waitFor()
    await jonas.picture('forum-pictures')
    await page.setViewportSize(PHONE)
    await page.emulateMedia({ colorScheme: 'dark' })
    // The row of pictures scrolls.
    const wide = (await overflowingParts(page)).filter((part) => !part.includes('upload-tray'))
    assert.deepEqual(wide, [])
    await jonas.picture('forum-pictures-phone')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(DESKTOP)
    assert.deepEqual(await axeFindings(page, 'main'), [])
    await room(jonas, 'general').click()
    await jonas.composer('general').waitFor()
    await room(jonas, /^questions/).click()
    await eventually(() => tray.count(), 2)
    assert.equal(await form.getByLabel('Title').inputValue(), 'Which way?')
    await form.getByRole('button', { name: 'Post', exact: true }).click()
    await form.getByText('We’ll publish your post when the pictures are uploaded.').waitFor()
    await room(jonas, 'general').click()
    await jonas.composer('general').waitFor()
    await room(jonas, /^questions/).click()
    // It is on its way, and nobody sends it twice.
    await jonas.button('New post').waitFor()
    await release()
    await list(jonas).getByText('Which way?').waitFor()
    await list(jonas)
      .getByRole('link', { name: /Which way/ })
      .click()
    const log = page.getByRole('log')
    for (const name of ['left.png', 'right.png']) await log.getByRole('img', { name }).waitFor()
  })

  test('FORUM-24: whoever comes back from a post finds the list where they left it', async () => {
    for (let number = 1; number <= MANY; number += 1)
      await guest.client.api(ThreadRooms).create(forumId, { title: `Old post ${number}`, content: 'Old.' })
    const { page } = mira
    await page.goto(path)
    const items = list(mira).getByRole('listitem')
    await eventually(() => items.count(), 50)
    await mira.button('Show more').click()
    await eventually(async () => (await items.count()) > MANY, true)
    const link = list(mira).getByRole('link', { name: /^Old post 7 / })
    await link.scrollIntoViewIfNeeded()
    const { y } = (await link.boundingBox()) ?? { y: 0 }
    await link.click()
    await mira.message('Old.').waitFor()
    await page.goBack()
    await link.waitFor()
    await eventually(async () => Math.abs(((await link.boundingBox())?.y ?? 0) - y) < 3, true)
    assert.ok((await items.count()) > MANY, 'the further page is there')
    await guest.client.api(ThreadRooms).create(forumId, { title: 'The newest', content: 'New.' })
    await list(mira).getByText('The newest').waitFor()
    assert.ok((await items.count()) > MANY)
  })

  test('FORUM-22: German calls posts Beiträge', async () => {
    const speaker = await stage.speaker('lena', 'de-DE')
    const lena = await settlePerson(speaker)
    const { code } = await host.client.invites.create(path.split('/')[2] ?? '', general.split('/')[4] ?? '')
    await lena.client.invites.join(code)
    await lena.client.api(ThreadRooms).create(forumId, { title: 'Wo parken wir?', content: 'Am See?' })
    await speaker.page.goto(path)
    await speaker.page
      .getByRole('link', { name: /Wo parken wir/ })
      .first()
      .click()
    await speaker.page.getByText('Hier beginnt der Beitrag.').waitFor()
    await speaker.button('Optionen des Beitrags').click()
    assert.doesNotMatch(await speaker.page.getByRole('menu').innerText(), /Thread/)
    await speaker.page.keyboard.press('Escape')
    await speaker.button('Nachrichten durchsuchen').click()
    await new Keys(speaker.page).isAt(speaker.page.getByRole('combobox'))
    await speaker.page.keyboard.type('tag:hu')
    await speaker.page.getByRole('option', { name: 'Huts questions' }).waitFor()
    await speaker.picture('forum-german')
  })
})
