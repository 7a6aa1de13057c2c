import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { WebRooms } from '@foyer/sdk/api/web-rooms'
import { noBrowser } from './chromium-files.ts'
import { Console, lookClosely } from './console.ts'
import { eventually } from './eventually.ts'
import { chooseSection, closeSettings } from './settings.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const SPACE = 'Sunday hikers'
const LINE = 'Everyone can read this on the web'

/** Mira runs the server and owns the space, Kim is a member. Each test continues where the previous one ended. */
describe('WEBROOM-8: a room on the web', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled
  let kim: Settled
  let address: string
  let roomId: string
  let spaceId: string

  before(async () => {
    stage = await Stage.openOwn()
    mira = await settle(stage, 'mira')
    kim = await settle(stage, 'kim')
    const { space, general } = await gather(SPACE, [mira, kim])
    roomId = general.id
    spaceId = space.id
    address = `/spaces/${space.id}`
    for (const { person } of [mira, kim]) {
      await person.page.goto(address)
      await person.composer('general').waitFor()
    }
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  test('needs an operator who allows it', async () => {
    const { person } = mira
    await person.button('Room settings').click()
    const settings = await chooseSection(person, 'general', 'On the web')
    await settings
      .getByText('The administrators of this server don’t allow rooms to be read on the web.')
      .waitFor()
    await closeSettings(person, 'general')
    await person.page.goto('/operator/setup')
    const rule = new Console(person).dialog.getByRole('switch', {
      name: 'Space owners can open rooms to the web',
    })
    await rule.click()
    await eventually(() => rule.isChecked(), true)
    await rule.scrollIntoViewIfNeeded()
    await lookClosely(person, 'web-rule')
    await person.page.goto(address)
    await person.composer('general').waitFor()
  })

  test('is opened by the owner after a question, and its members read that', async () => {
    const { person } = mira
    await person.button('Room settings').click()
    const settings = await chooseSection(person, 'general', 'On the web')
    await settings.getByRole('switch', { name: 'Include earlier messages' }).click()
    await lookClosely(person, 'web-closed')
    await settings.getByRole('button', { name: 'Open to the web…' }).click()
    const question = person.page.getByRole('alertdialog', { name: 'Let everyone read #general?' })
    await question.getByText(/^From now on, everyone on the internet can read what is written here/).waitFor()
    await question.getByText(/^In a week, everything ever written here/).waitFor()
    await question.getByRole('button', { name: 'Open to the web' }).click()
    await settings.getByText(/^Everyone on the internet can read what’s been written here since/).waitFor()
    await lookClosely(person, 'web-open')
    await closeSettings(person, 'general')
    const told =
      /opened this room to the web\. From now on, everyone can read new messages\. Earlier messages follow on .+\./
    await kim.person.page.getByRole('log').getByText(told).waitFor()
    for (const reader of [person, kim.person]) await reader.page.getByText(LINE).waitFor()
    await lookClosely(kim.person, 'web-line', '.page')
  })

  test('is kept from search engines, and offered to them again', async () => {
    const { person } = mira
    await person.button('Room settings').click()
    const settings = await chooseSection(person, 'general', 'On the web')
    const indexing = settings.getByRole('switch', { name: 'Search engines may list this room' })
    const page = () => fetch(new URL(`/read/${spaceId}/${roomId}`, person.page.url()))
    const robots = () => page().then(({ headers }) => headers.get('x-robots-tag'))
    for (const [isOn, tag] of [
      [false, 'noindex'],
      [true, null],
    ] as const) {
      await indexing.click()
      await eventually(() => indexing.isChecked(), isOn)
      await eventually(robots, tag)
    }
    await closeSettings(person, 'general')
  })

  test('says so in its threads', async () => {
    const { page } = kim.person
    const thread = await mira.client.api(ThreadRooms).create(roomId, { title: 'Routes' })
    await page.goto(`${address}/rooms/${thread.id}`)
    await page.getByRole('complementary', { name: 'Routes' }).getByText(LINE).waitFor()
    await page.goto(address)
    await kim.person.composer('general').waitFor()
  })

  test('says so in a forum and at its form for a post', async () => {
    const { page } = kim.person
    const forum = await mira.client.rooms.create(spaceId, { name: 'questions', type: RoomType.Forum })
    await mira.client.api(WebRooms).open(forum.id)
    await page.goto(`${address}/rooms/${forum.id}`)
    await page.getByRole('button', { name: 'New post' }).waitFor()
    await page.getByText(LINE).waitFor()
    await lookClosely(kim.person, 'web-forum', '.page')
    await page.getByRole('button', { name: 'New post' }).click()
    await page.getByRole('region', { name: 'New post' }).getByText(LINE).waitFor()
    assert.equal(await page.getByText(LINE).count(), 1)
    await lookClosely(kim.person, 'web-forum-form', '.page')
    await page.goto(`${address}/rooms/${roomId}`)
    await kim.person.composer('general').waitFor()
  })

  test('leads members to the choice how they appear', async () => {
    const { page } = kim.person
    await page.getByRole('button', { name: 'Your name on the web' }).click()
    const dialog = page.getByRole('dialog', { name: 'User settings' })
    const without = dialog.getByRole('radio', { name: 'Without your name' })
    assert.equal(await dialog.getByRole('radio', { name: 'With your name and picture' }).isChecked(), true)
    await without.click()
    await eventually(() => kim.client.users.me().then((me) => me.web_presence), 'no_name')
    await eventually(() => without.isChecked(), true)
    await lookClosely(kim.person, 'web-presence')
    await page.route('**/api/users/@me', async (route) => {
      await setTimeout(300)
      await route.continue()
    })
    // The second choice is made before the first one is saved.
    await dialog.getByRole('radio', { name: 'Not at all' }).click()
    await dialog.getByRole('radio', { name: 'With your name and picture' }).click()
    assert.equal(await dialog.getByRole('radio', { name: 'With your name and picture' }).isChecked(), true)
    await eventually(() => kim.client.users.me().then((me) => me.web_presence), 'name')
    await page.unroute('**/api/users/@me')
    await closeSettings(kim.person, 'User settings')
  })

  test('is not called readable while @everyone may not view it', async () => {
    const { person } = mira
    // The role @everyone has the id of its space.
    const hidden = {
      target_id: spaceId,
      target_type: 0,
      allow_flags: 0,
      deny_flags: Permission.ViewChannels,
    } as const
    await mira.client.overwrites.upsert(spaceId, roomId, hidden)
    await person.page.getByText(LINE).waitFor({ state: 'detached' })
    await person.button('Room settings').click()
    const settings = await chooseSection(person, 'general', 'On the web')
    await settings.getByText(/^This room can’t be read on the web because/).waitFor()
    await settings.getByRole('button', { name: 'Take off the web' }).waitFor()
    assert.equal(await settings.getByText(/^Everyone on the internet can read/).count(), 0)
    await closeSettings(person, 'general')
    await mira.client.overwrites.delete(spaceId, roomId, spaceId)
    await person.page.getByText(LINE).waitFor()
    await kim.person.composer('general').waitFor()
  })

  test('is taken off the web, as its members read', async () => {
    const { person } = mira
    await person.button('Room settings').click()
    const settings = await chooseSection(person, 'general', 'On the web')
    const earlier = settings.getByRole('switch', { name: 'Include earlier messages' })
    await earlier.click()
    await eventually(() => earlier.isChecked(), false)
    await settings.getByRole('button', { name: 'Take off the web' }).click()
    await settings.getByRole('button', { name: 'Open to the web…' }).waitFor()
    await closeSettings(person, 'general')
    await kim.person.page
      .getByRole('log')
      .getByText(/took this room off the web/)
      .waitFor()
    for (const reader of [person, kim.person])
      await reader.page.getByText(LINE).waitFor({ state: 'detached' })
    assert.deepEqual([...mira.person.complaints, ...kim.person.complaints], [])
  })
})
