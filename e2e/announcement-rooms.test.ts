import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused, Keys } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { axeFindings, overflowingParts } from './screens/looks.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const PHONE = { width: 320, height: 640 }
const DESKTOP = { width: 1280, height: 800 }

/** The tests run in order: each continues where the previous one ended. */
describe('announcement rooms', { skip: noBrowser }, () => {
  let stage: Stage
  let host: Settled
  let guest: Settled
  let friend: Settled
  let mira: Person
  let jonas: Person
  let kim: Person
  let spaceId: string
  let owls: string
  let general: string
  let news: string

  before(async () => {
    stage = await Stage.open()
    host = await settle(stage, 'mira')
    guest = await settle(stage, 'jonas')
    friend = await settle(stage, 'kim')
    mira = host.person
    jonas = guest.person
    kim = friend.person
    spaceId = (await gather('Sunday hikers', [host, guest])).space.id
    const made = await gather('Night owls', [guest, friend])
    owls = `/spaces/${made.space.id}`
    general = `${owls}/rooms/${made.general.id}`
    await mira.page.goto(`/spaces/${spaceId}`)
    await mira.composer('general').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const dialog = ({ page }: Person, name: string) => page.getByRole('dialog', { name, exact: true })
  const origin = (person: Person, text: string) =>
    person.message(text).getByRole('link', { name: 'From #news in Sunday hikers' })
  const followers = () => mira.page.getByText('Followed by 1 room', { exact: true })

  async function say(text: string): Promise<void> {
    await mira.composer('news').fill(text)
    await mira.composer('news').press('Enter')
    await eventually(() => mira.outgoing(), 0)
  }

  async function onPhone(person: Person, name: string): Promise<void> {
    await person.page.setViewportSize(PHONE)
    await eventually(() => overflowingParts(person.page), [])
    await person.picture(name)
    await person.page.setViewportSize(DESKTOP)
  }

  test('FOLLOW-20: a manager creates an announcement room, in which others only read', async () => {
    await mira.button('Sunday hikers, space menu').click()
    await mira.page.getByRole('menuitem', { name: 'Create room' }).click()
    const form = dialog(mira, 'Create a room')
    await form.getByLabel('Name').fill('news')
    await form.getByRole('radio', { name: /^Announcements/ }).check()
    await mira.picture('announcement-room-new')
    assert.deepEqual(await axeFindings(mira.page, '[role=dialog]'), [])
    await form.getByRole('button', { name: 'Create room' }).click()
    await mira.composer('news').waitFor()
    await mira.room('news, announcements').waitFor()
    news = new URL(mira.page.url()).pathname
    await say('The hut opens in May.')
    await jonas.page.goto(news)
    await jonas.message('The hut opens in May.').waitFor()
    await jonas.page.getByText(/^Only some members can write here/).waitFor()
    assert.equal(await jonas.composer('news').count(), 0)
    await jonas.picture('announcement-room-reader')
    assert.deepEqual(await axeFindings(jonas.page, 'main'), [])
    await onPhone(jonas, 'announcement-room-reader-phone')
  })

  test('FOLLOW-21, FOLLOW-22: a reader lets a room of another space follow it, by keyboard', async () => {
    const keys = new Keys(jonas.page)
    const form = dialog(jonas, 'Follow #news')
    await jonas.button('Follow this room…').focus()
    await keys.press('Enter')
    await form.getByRole('combobox', { name: 'Space' }).waitFor()
    assert.deepEqual(await form.getByRole('combobox', { name: 'Space' }).locator('option').allInnerTexts(), [
      'Night owls',
    ])
    assert.deepEqual(await form.getByRole('combobox', { name: 'Room' }).locator('option').allInnerTexts(), [
      '#general',
    ])
    await jonas.picture('announcement-room-follow')
    assert.deepEqual(await namelessParts(jonas.page), [])
    assert.deepEqual(await axeFindings(jonas.page, '[role=dialog]'), [])
    await onPhone(jonas, 'announcement-room-follow-phone')
    await form.getByRole('button', { name: 'Follow' }).focus()
    await keys.press('Enter')
    await form.getByText(/^#general in Night owls now follows #news/).waitFor()
    await jonas.picture('announcement-room-followed')
    await eventually(() => isFocused(form.getByRole('button', { name: 'Done' })), true)
    await keys.press('Enter')
    await form.waitFor({ state: 'detached' })
    await eventually(() => isFocused(jonas.button('Follow this room…')), true)
  })

  test('FOLLOW-21: following twice says that the room follows it already', async () => {
    const form = dialog(jonas, 'Follow #news')
    await jonas.button('Follow').click()
    await form.getByRole('button', { name: 'Follow' }).click()
    await form.getByText('The room you chose already follows this room. Choose another room.').waitFor()
    await jonas.takeRefusals(409)
    await form.getByRole('button', { name: 'Cancel' }).click()
    await form.waitFor({ state: 'detached' })
  })

  test('FOLLOW-22: a user without a room of their own learns what they need', async () => {
    const code = await host.client.invites.create(spaceId, news.split('/').at(-1) ?? '')
    await friend.client.invites.join(code.code)
    await kim.page.goto(news)
    await kim.button('Follow this room…').click()
    await dialog(kim, 'Follow #news').getByRole('heading', { name: 'No room to copy messages to' }).waitFor()
    await kim.picture('announcement-room-no-target')
    assert.deepEqual(await axeFindings(kim.page, '[role=dialog]'), [])
    await kim.page.goto(general)
    await kim.composer('general').waitFor()
    await friend.client.members.leave(spaceId)
  })

  test('FOLLOW-23: a copy names its room, and leads to the original those who can view it', async () => {
    await jonas.page.goto(general)
    await jonas.composer('general').waitFor()
    await say('The path is **closed** after the storm.')
    await say('The bus leaves at nine.')
    await origin(jonas, 'The path is closed after the storm.').waitFor()
    await origin(jonas, 'The bus leaves at nine.').waitFor()
    const unknown = kim.message('The bus leaves at nine.')
    await unknown.getByText('Copied from another space').waitFor()
    assert.equal(await unknown.getByRole('link').count(), 0)
    await jonas.picture('announcement-room-copies')
    assert.deepEqual(await axeFindings(jonas.page, 'main'), [])
    await onPhone(jonas, 'announcement-room-copies-phone')
    await origin(jonas, 'The bus leaves at nine.').click()
    await jonas.page.getByRole('heading', { name: 'news', exact: true }).waitFor()
    await jonas.message('The bus leaves at nine.').waitFor()
    await jonas.page.goBack()
    await jonas.composer('general').waitFor()
  })

  test('FOLLOW-23: a copy changes and disappears with the original', async () => {
    await mira.composer('news').press('ArrowUp')
    const editor = mira.page.getByRole('log').getByRole('textbox')
    await editor.fill('The bus leaves at ten.')
    await editor.press('Enter')
    await jonas.message('The bus leaves at ten.').waitFor()
    await kim.message('The bus leaves at ten.').waitFor()
    await mira.pointAt(mira.message('The bus leaves at ten.'))
    await mira.message('The bus leaves at ten.').click({ button: 'right' })
    await mira.page.getByRole('menuitem', { name: 'Delete message' }).click()
    await mira.page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    for (const person of [jonas, kim])
      await eventually(() => person.history(), ['The path is closed after the storm.'])
  })

  test('FOLLOW-24: who manages the room sees how many follow it, and nobody else does', async () => {
    await mira.page.reload()
    await followers().waitFor()
    await mira.picture('announcement-room-followers')
    assert.deepEqual(await axeFindings(mira.page, 'main'), [])
    await jonas.page.goto(news)
    await jonas.button('Follow this room…').waitFor()
    assert.equal(await jonas.page.getByText(/^Followed by/).count(), 0)
  })

  test('FOLLOW-25: the follower finds it among the webhooks, and ends it there', async () => {
    await jonas.page.goto(general)
    await jonas.button('Room settings').click()
    const settings = dialog(jonas, 'general')
    await settings.getByRole('navigation').getByRole('button', { name: 'Webhooks' }).click()
    const row = settings.getByRole('list', { name: 'Webhooks in general' }).getByRole('listitem')
    await row.getByText('Follows #news in Sunday hikers').waitFor()
    assert.equal(await row.getByRole('button', { name: /^Copy URL/ }).count(), 0)
    await jonas.picture('announcement-room-webhooks')
    assert.deepEqual(await axeFindings(jonas.page, '[role=dialog]'), [])
    await row.getByRole('button', { name: 'Edit Sunday hikers' }).click()
    await settings.getByRole('heading', { name: 'Sunday hikers' }).waitFor()
    assert.equal(await settings.getByText('Secret for GitHub').count(), 0)
    await settings.getByLabel('Name').fill('Hikers')
    await settings.getByRole('button', { name: 'Save changes' }).click()
    await settings.getByRole('heading', { name: 'Hikers' }).waitFor()
    await jonas.picture('announcement-room-webhook')
    await settings.getByRole('button', { name: 'Back to webhooks' }).click()
    await settings.getByRole('button', { name: 'Unfollow Hikers' }).click()
    await jonas.page.getByRole('alertdialog').getByRole('button', { name: 'Unfollow' }).click()
    await settings.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
    await settings.getByRole('button', { name: 'Close' }).click()
    // The copies stay.
    await jonas.message('The path is closed after the storm.').waitFor()
    await mira.page.reload()
    await mira.composer('news').waitFor()
    await eventually(async () => host.client.rooms.followers(news.split('/').at(-1) ?? ''), { count: 0 })
    assert.equal(await followers().count(), 0)
  })

  test('FOLLOW-26: a switch in the settings ends the announcements of a room, and says what that does', async () => {
    await mira.button('Room settings').click()
    const settings = dialog(mira, 'news')
    await settings.getByRole('switch', { name: 'Announcements' }).click()
    await settings.getByText(/^Rooms that follow this one will stop following it/).waitFor()
    await mira.picture('announcement-room-settings')
    assert.deepEqual(await axeFindings(mira.page, '[role=dialog]'), [])
    await settings.getByRole('button', { name: 'Save changes' }).click()
    await settings.getByRole('button', { name: 'Save changes' }).waitFor({ state: 'detached' })
    await settings.getByRole('button', { name: 'Close' }).click()
    await mira.room('news, announcements').waitFor({ state: 'detached' })
    assert.equal(await mira.button('Follow').count(), 0)
    for (const { complaints } of [mira, jonas, kim]) assert.deepEqual(complaints, [])
  })
})
