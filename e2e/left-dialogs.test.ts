import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import type { Locator } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'
import { befriend, gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** A dialog is open while the browser goes back to another room, as by its button or a gesture on a phone. */
describe('dialogs of a room that is left', { skip: noBrowser }, () => {
  let stage: Stage
  let host: Settled
  let mira: Person
  let spacePath: string
  let ropesId: string

  before(async () => {
    stage = await Stage.open()
    host = await settle(stage, 'mira')
    mira = host.person
    const { space } = await gather('Sunday hikers', [host])
    spacePath = `/spaces/${space.id}`
    await host.client.rooms.create(space.id, { name: 'workshop', type: RoomType.Text })
    const forum = await host.client.rooms.create(space.id, { name: 'questions', type: RoomType.Forum })
    const tags = [{ name: 'Huts', color: null, is_moderated: false }]
    await host.client.rooms.update(space.id, forum.id, { forum: { tags } })
    const guests = [await settle(stage, 'jonas'), await settle(stage, 'kim')]
    for (const guest of guests) await befriend(host, guest)
    const recipient_ids = guests.map(({ id }) => id)
    await host.client.conversations.create({ recipient_ids, name: 'Maps' })
    ropesId = (await host.client.conversations.create({ recipient_ids, name: 'Ropes' })).id
    for (const title of ['Alpha', 'Beta'])
      await host.client.api(ThreadRooms).create(forum.id, { title, content: `Text of ${title}.` })
  })

  beforeEach(async () => {
    await mira.page.goto(spacePath)
    await mira.room('general').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const dialogs = () => mira.page.locator('[role=dialog], [role=alertdialog], [role=menu]')

  async function visitPosts(): Promise<void> {
    for (const title of ['Beta', 'Alpha']) {
      await mira.room(title).click()
      await mira.message(`Text of ${title}.`).waitFor()
    }
  }

  async function visitRooms(): Promise<void> {
    for (const name of ['workshop', 'general']) {
      await mira.room(name).click()
      await mira.composer(name).waitFor()
    }
  }

  /** Goes back while a dialog is open, and asserts that it is gone. */
  async function goBack(arrived: Locator): Promise<void> {
    await dialogs().first().waitFor()
    await mira.page.goBack()
    await arrived.waitFor()
    await eventually(() => dialogs().count(), 0)
  }

  for (const item of ['Edit post…', 'Close post…', 'Delete post', 'Merge into another post…'])
    test(`WEB-24: going back from a post closes “${item}”, which does not ask about the other post`, async () => {
      await visitPosts()
      await mira.button('Post options').click()
      await mira.page.getByRole('menuitem', { name: item, exact: true }).click()
      await mira.page.getByRole('menu').waitFor({ state: 'detached' })
      await goBack(mira.message('Text of Beta.'))
    })

  for (const button of ['Post options', 'Post notifications', 'Pinned messages', 'Edit tags'])
    test(`WEB-24: going back from a post closes what “${button}” has opened`, async () => {
      await visitPosts()
      await mira.button(button).click()
      await goBack(mira.message('Text of Beta.'))
    })

  test('WEB-24: going back from a post closes the dialog that moves its messages', async () => {
    await visitPosts()
    await mira.message('Text of Alpha.').click({ button: 'right' })
    await mira.page.getByRole('menuitem', { name: 'Move to post' }).click()
    await mira.page.getByRole('dialog', { name: 'Move 1 message' }).waitFor()
    await goBack(mira.message('Text of Beta.'))
  })

  for (const button of ['Room settings', 'Invite people', 'Notifications', 'Threads', 'Pinned messages'])
    test(`WEB-24: going back from a room closes what “${button}” has opened`, async () => {
      await visitRooms()
      await mira.page.locator('.page-header').getByRole('button', { name: button, exact: true }).click()
      await goBack(mira.composer('workshop'))
    })

  for (const button of ['Group settings', 'Add people', 'Notifications'])
    test(`WEB-24: going back from a group closes what “${button}” has opened`, async () => {
      await mira.page.goto(`/conversations/${ropesId}`)
      await mira.field('Message Ropes').waitFor()
      await mira.page
        .getByRole('region', { name: 'Direct messages' })
        .getByRole('link', { name: /Maps/ })
        .click()
      await mira.field('Message Maps').waitFor()
      await mira.page.locator('.page-header').getByRole('button', { name: button, exact: true }).click()
      await goBack(mira.field('Message Ropes'))
    })

  test('WEB-24: the search stays open from room to room', async () => {
    await visitRooms()
    await mira.button('Search messages').click()
    await mira.page.getByRole('combobox').fill('rope')
    await mira.room('workshop').click()
    await mira.composer('workshop').waitFor()
    assert.equal(await mira.page.getByRole('combobox').inputValue(), 'rope')
  })
})
