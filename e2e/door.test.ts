import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Capability } from '@foyer/protocol/capabilities'
import { Permission } from '@foyer/protocol/permissions'
import { Client } from '@foyer/sdk/client'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { Keys } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { axeFindings, overflowingParts } from './screens/looks.ts'
import { Centre, workerReady } from './service-worker.ts'
import { closeSettings, openSpaceSettings } from './settings.ts'
import { gather, type Settled, settle, settlePerson } from './settled.ts'
import { Stage } from './stage.ts'

const SPACE = 'Sunday hikers'
const SECTION = 'Raid protection'
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }
/** The least number of joins that the sensor can be set to. */
const RAID = 5

/**
 * Jonas moderates the space of Mira, to which Lena belongs. Odd has just joined, and Kim wants to. The tests run in order:
 * each continues where the previous one ended.
 */
describe('the door of a space', { skip: noBrowser }, () => {
  let stage: Stage
  let centre: Centre
  let jonas: Person
  let lena: Person
  let odd: Settled
  let kim: Person
  let spaceId: string
  let invite: string

  before(async () => {
    stage = await Stage.open()
    const mira = await settle(stage, 'mira')
    jonas = await stage.person('jonas', stage.program.url, true)
    centre = await Centre.of(jonas)
    const moderator = await settlePerson(jonas)
    const member = await settle(stage, 'lena')
    odd = await settle(stage, 'odd')
    lena = member.person
    const { space, general } = await gather(SPACE, [mira, moderator, member, odd])
    spaceId = space.id
    const rights = {
      capabilities: Capability.KickMembers | Capability.BanMembers | Capability.ViewAuditLog,
      permissions: Permission.ManageMessages | Permission.ManageInvites,
    }
    const { id } = await mira.client.roles.create(spaceId, { name: 'Moderators', ...rights })
    const hikers = await mira.client.roles.create(spaceId, { name: 'Hikers' })
    await mira.client.roles.assign(spaceId, moderator.id, id)
    await mira.client.roles.assign(spaceId, member.id, hikers.id)
    await odd.client.messages.create(general.id, { content: 'Buy my boots' })
    const { code } = await mira.client.invites.create(spaceId, general.id)
    invite = `/invite/${code}`
    for (const person of [jonas, lena, odd.person]) {
      await person.page.goto(`/spaces/${spaceId}`)
      await person.composer('general').waitFor()
    }
    await jonas.message('Buy my boots').waitFor()
    await workerReady(jonas)
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const banner = ({ page }: Person) => page.getByRole('region', { name: 'Door', exact: true })
  const newcomer = (name: string) => jonas.page.getByRole('listitem').filter({ hasText: `@${name}` })
  const tile = ({ page }: Person) =>
    page.getByRole('link', { name: `${SPACE} (you’re waiting to be let in)` })

  /** Looks at the page as it is, in the dark, and on a phone. */
  async function look(person: Person, name: string, part: string): Promise<void> {
    const { page } = person
    assert.deepEqual(await namelessParts(page), [])
    await person.picture(`door-${name}`)
    assert.deepEqual(await axeFindings(page, part), [])
    await page.emulateMedia({ colorScheme: 'dark' })
    await person.picture(`door-${name}-dark`)
    assert.deepEqual(await axeFindings(page, part), [])
    await page.emulateMedia({ colorScheme: null })
    await page.setViewportSize(PHONE)
    await person.picture(`door-${name}-phone`)
    assert.deepEqual(await overflowingParts(page), [])
    await page.setViewportSize(DESKTOP)
  }

  test('DOOR-47, DOOR-48: a moderator closes it from the menu, and invites say so', async () => {
    const keys = new Keys(jonas.page)
    await keys.choose(jonas.button(`${SPACE}, space menu`), 'Close the door…')
    const dialog = jonas.page.getByRole('dialog', { name: `Close the door of ${SPACE}?` })
    await dialog.getByLabel('Who else must wait').selectOption('Members who joined in the last 10 minutes')
    await look(jonas, 'closing', '[role=dialog]')
    await keys.use(dialog.getByRole('button', { name: 'Close the door' }))
    await dialog.waitFor({ state: 'detached' })
    await banner(jonas).getByText('jonas closed the door. 1 person is waiting.').waitFor()
    await look(jonas, 'banner', 'main')
    await jonas.button('Invite people').first().click()
    await jonas.page
      .getByRole('dialog')
      .getByText(/^The door is closed\. People who use an invite wait/)
      .waitFor()
    await look(jonas, 'invite-dialog', '[role=dialog]')
    await jonas.button('Close').click()
    const invites = await openSpaceSettings(jonas, SPACE, 'Invites')
    await invites.getByText(/^The door is closed\. People who use an invite wait/).waitFor()
    await closeSettings(jonas, SPACE)
    assert.equal(await banner(lena).count(), 0)
  })

  test('DOOR-40: a member who joined just before waits on a page in the place of the space', async () => {
    const { page } = odd.person
    await page.getByRole('heading', { name: SPACE }).waitFor()
    await page.getByText(/^A moderator decides whether you may join\./).waitFor()
    await tile(odd.person).waitFor()
    await look(odd.person, 'waiting', 'body')
  })

  test('DOOR-45, DOOR-40: somebody with an invite asks to join, and waits', async () => {
    kim = await stage.person('kim')
    const { page } = kim
    await page.goto(invite)
    await page.getByText('A moderator decides whether you may join.').waitFor()
    await look(kim, 'invite', 'body')
    await kim.signUp()
    await page.getByText(/^A moderator decides whether you may join\. Once/).waitFor()
    await kim.takeRefusals(403)
    await page.goto('/home')
    await new Keys(page).use(tile(kim))
    await page.getByRole('heading', { name: SPACE }).waitFor()
    await kim.button('Stop waiting').click()
    await tile(kim).waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).pathname, '/home')
    await page.goto(invite)
    await kim.button(`Ask to join ${SPACE}`).click()
    await page.getByText(/^A moderator decides whether you may join\. Once/).waitFor()
    await kim.takeRefusals(403)
  })

  test('DOOR-41, DOOR-46: a moderator lets somebody in, who lands in the space', async () => {
    await banner(jonas).getByText('2 people are waiting.').waitFor()
    await new Keys(jonas.page).use(banner(jonas).getByRole('button', { name: 'See who’s waiting' }))
    await jonas.page.getByRole('heading', { level: 3, name: SECTION }).waitFor()
    await newcomer('kim').waitFor()
    await jonas.page.getByRole('heading', { name: '2 people waiting to be let in' }).waitFor()
    await look(jonas, 'newcomers', '[role=dialog]')
    await newcomer('kim').getByRole('checkbox').check()
    await jonas.picture('door-selected')
    await jonas.button('Let in (1)').click()
    await newcomer('kim').waitFor({ state: 'detached' })
    await kim.composer('general').waitFor()
    await tile(kim).waitFor({ state: 'detached' })
    await kim.message('Buy my boots').waitFor()
    await jonas.page.getByRole('heading', { name: '1 person waiting to be let in' }).waitFor()
    await jonas.page.getByText('You let 1 person in.').waitFor()
  })

  test('DOOR-46, DOOR-40: another is removed with everything they wrote, and is told once', async () => {
    await jonas.button('Remove everyone…').click()
    const confirm = jonas.page.getByRole('alertdialog', { name: 'Remove 1 person?' })
    await confirm.getByText(/^They’re turned away\. Everything they wrote in Sunday hikers/).waitFor()
    await confirm.getByLabel(/^Also ban them/).check()
    await look(jonas, 'removing', '[role=alertdialog]')
    await confirm.getByRole('button', { name: 'Remove and ban' }).click()
    await confirm.waitFor({ state: 'detached' })
    await jonas.page.getByText(/^No one is waiting\. People who use an invite/).waitFor()
    await jonas.page.getByText('You removed 1 person.').waitFor()
    await lena.message('Buy my boots').waitFor({ state: 'detached' })
    await odd.person.page.getByRole('heading', { name: `You weren’t let into ${SPACE}` }).waitFor()
    await look(odd.person, 'removed', 'body')
    await tile(odd.person).waitFor({ state: 'detached' })
    await odd.person.page.reload()
    // Removed and banned: the page offers an appeal.
    await odd.person.page.getByRole('heading', { name: 'You were banned from this space' }).waitFor()
    await odd.person.takeRefusals(404)
  })

  test('DOOR-44: the audit log says who was let in and removed', async () => {
    const dialog = jonas.page.getByRole('dialog', { name: SPACE })
    await dialog.getByRole('navigation').getByRole('button', { name: 'Audit log' }).click()
    const entry = (text: string) => dialog.getByRole('listitem').filter({ hasText: text })
    const removed = entry('jonas banned 1 newcomer and deleted what they wrote')
    await removed.getByText('Details').click()
    await removed.getByText('odd', { exact: true }).waitFor()
    await entry('jonas let in 1 person').waitFor()
    await entry('jonas closed the door').waitFor()
    await jonas.picture('door-audit-log')
    await closeSettings(jonas, SPACE)
  })

  test('DOOR-47: the sensor is set in the settings, and the door is opened', async () => {
    const section = await openSpaceSettings(jonas, SPACE, SECTION)
    await section.getByRole('button', { name: 'Open the door' }).click()
    await section.getByText('The door is open.').waitFor()
    await section.getByText(/^To undo a raid, close the door/).waitFor()
    const sensor = section.getByRole('switch', { name: 'Close the door automatically' })
    assert.equal(await sensor.isChecked(), false)
    await sensor.click()
    const joins = section.getByRole('spinbutton', { name: 'Joins within a minute' })
    await joins.fill('4')
    await joins.press('Enter')
    await section.getByText('Enter a number from 5 to 5,000.').waitFor()
    await joins.fill(String(RAID))
    await section.getByRole('button', { name: 'Save' }).click()
    await look(jonas, 'open', '[role=dialog]')
    await closeSettings(jonas, SPACE)
    await banner(jonas).waitFor({ state: 'detached' })
  })

  test('DOOR-42, DOOR-41: in a raid the door closes by itself, and moderators are alerted', async () => {
    await jonas.page.evaluate(() => Notification.requestPermission())
    await jonas.page.evaluate(() => {
      localStorage.setItem('foyer.notifications', JSON.stringify({ isOn: true }))
      document.hasFocus = () => false
    })
    for (let count = 1; count <= RAID; count += 1) await raid(`raider${count}`)
    await banner(jonas)
      .getByText(/^The door closed by itself: many people joined within a minute\. \d people are waiting\.$/)
      .waitFor()
    const notice = `${SPACE}: the door is closed: Many people joined at once. Decide who may stay.`
    await eventually(() => centre.ofPage(), [notice])
    await jonas.picture('door-raid')
    await banner(jonas).getByRole('button', { name: 'Open the door' }).click()
    const confirm = jonas.page.getByRole('alertdialog', { name: 'Open the door?' })
    await confirm
      .getByText(/^New people join right away\. \d people keep waiting until a moderator lets them in/)
      .waitFor()
    await look(jonas, 'opening', '[role=alertdialog]')
    await confirm.getByRole('button', { name: 'Open the door' }).click()
    await banner(jonas)
      .getByText(/^The door is open\. \d people are still waiting\.$/)
      .waitFor()
    await eventually(() => centre.ofPage(), [])
    await jonas.picture('door-still-waiting')
  })

  test('DOOR-46, DOOR-41: all who still wait are let in once that is confirmed', async () => {
    await banner(jonas).getByRole('button', { name: 'See who’s waiting' }).click()
    await newcomer('raider1').waitFor()
    await jonas.button('Let everyone in…').click()
    const confirm = jonas.page.getByRole('alertdialog', { name: `Let ${RAID} people in?` })
    await confirm.getByRole('button', { name: 'Let in' }).click()
    await confirm.waitFor({ state: 'detached' })
    await jonas.page.getByText(/^No one is waiting\. People who use an invite/).waitFor()
    await closeSettings(jonas, SPACE)
    await banner(jonas).waitFor({ state: 'detached' })
    await jonas.page.getByRole('complementary', { name: 'Members' }).getByText('raider5').waitFor()
  })

  test('DOOR-49: a new space closes its door by itself in a raid', async () => {
    await lena.page.goto('/home')
    await lena.createSpace('Book club')
    const section = await openSpaceSettings(lena, 'Book club', SECTION)
    await eventually(
      () => section.getByRole('switch', { name: 'Close the door automatically' }).isChecked(),
      true,
    )
  })

  test('the consoles have no errors', () => {
    jonas.forgiveWorker()
    for (const person of [jonas, lena, odd.person, kim]) assert.deepEqual(person.complaints, [])
  })

  async function raid(username: string): Promise<void> {
    const client = new Client({ baseUrl: stage.program.url })
    await client.auth.signin({ username, email: `${username}@example.org`, password: jonas.password })
    await client.invites.join(invite.replace('/invite/', '')).catch(() => undefined)
  }
})
