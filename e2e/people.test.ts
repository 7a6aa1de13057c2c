import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { sentBy } from './sent-by.ts'
import { befriend, gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const DESK = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }

/** Three people in two spaces. The tests run in order: each continues where the previous one ended. */
describe('members', { skip: noBrowser }, () => {
  let stage: Stage
  let host: Settled
  let guest: Settled
  let mira: Person
  let jonas: Person
  let lena: Person
  let spaceId: string

  before(async () => {
    stage = await Stage.open()
    host = await settle(stage, 'mira')
    guest = await settle(stage, 'jonas')
    const third = await settle(stage, 'lena')
    spaceId = (await gather('Sunday hikers', [host, guest, third])).space.id
    await gather('Book club', [guest, host])
    await befriend(host, third)
    await befriend(guest, third)
    await guest.client.users.updateMe({ alias: 'Jonas Weber' })
    await stage.seed(`update users set badges = 1 where id = '${guest.id}'`)
    mira = host.person
    jonas = guest.person
    lena = third.person
    for (const person of [mira, jonas]) await person.page.goto(`/spaces/${spaceId}`)
    for (const person of [mira, jonas]) await person.composer('general').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const list = ({ page }: Person): Locator => page.getByRole('complementary', { name: 'Members' })
  const headings = (person: Person) => list(person).getByRole('heading').allInnerTexts()
  const row = (person: Person, name: string) => list(person).getByRole('button', { name })

  async function openCard(person: Person, name: string): Promise<Locator> {
    await row(person, name).click()
    const card = person.page.getByRole('dialog', { name })
    await card.getByRole('button', { name: 'View full profile' }).waitFor()
    return card
  }

  test('joining, leaving and presence are visible in the list at once', async () => {
    await eventually(() => headings(mira), ['2 online, 3 members', 'Online — 2', 'Offline — 1'])
    await lena.page.goto(`/spaces/${spaceId}`)
    await eventually(() => headings(mira), ['3 online, 3 members', 'Online — 3'])
    await jonas.button(/^Account: Jonas Weber /).click()
    await jonas.page.getByRole('radio', { name: 'Do not disturb' }).click()
    const mark = row(mira, 'Jonas Weber').locator('.presence-mark')
    await eventually(() => mark.getAttribute('data-status'), 'dnd')
    await jonas.page.getByRole('radio', { name: 'Online' }).click()
    await jonas.page.keyboard.press('Escape')
    await eventually(() => mark.getAttribute('data-status'), 'online')
    assert.deepEqual(await namelessParts(mira.page), [])
  })

  test('a status is set and cleared from the account, and shown in the list', async () => {
    const said = row(mira, 'Jonas Weber').locator('.member-status')
    const say = async (text: string) => {
      await jonas.field('Your status').fill(text)
      await jonas.page.keyboard.press('Enter')
      await eventually(() => said.allInnerTexts(), [text])
    }
    await jonas.button(/^Account: Jonas Weber /).click()
    await say('Lost')
    await jonas.button('Clear status').click()
    await eventually(() => said.allInnerTexts(), [])
    await say('Looking for the map')
    await jonas.picture('account-status')
    await jonas.page.keyboard.press('Escape')
  })

  test('PRESENCE-13: Do not disturb and a status text end by themselves', async () => {
    const mark = row(mira, 'Jonas Weber').locator('.presence-mark')
    const said = row(mira, 'Jonas Weber').locator('.member-status')
    const chosenIn = (label: string) => jonas.page.getByLabel(label).locator('option:checked').textContent()
    await jonas.button(/^Account: Jonas Weber /).click()
    await jonas.page.getByRole('radio', { name: 'Do not disturb' }).click()
    await jonas.page.getByLabel('Duration').selectOption('For 1 hour')
    // Late in the evening, both are times of tomorrow, and say so.
    await eventually(async () => /^Until .*\d\d:\d\d$/.test((await chosenIn('Duration')) ?? ''), true)
    await jonas.page.getByLabel('Clear after').selectOption('4 hours')
    await eventually(async () => /\d\d:\d\d/.test((await chosenIn('Clear after')) ?? ''), true)
    await eventually(() => mark.getAttribute('data-status'), 'dnd')
    await jonas.picture('status-ends')
    await jonas.page.emulateMedia({ colorScheme: 'dark' })
    await jonas.picture('status-ends-dark')
    await jonas.page.emulateMedia({ colorScheme: 'light' })
    assert.deepEqual(await namelessParts(jonas.page), [])
    await stage.seed(`
      update users set chosen_until = now() - interval '1 second', custom_until = now() - interval '1 second'
        where id = '${guest.id}';
      select graphile_worker.reschedule_jobs(
        array(select id from graphile_worker.jobs where key like 'end_status%:${guest.id}'), run_at => now())`)
    await eventually(() => mark.getAttribute('data-status'), 'online')
    await eventually(() => said.allInnerTexts(), [])
    await jonas.page.getByLabel('Duration').waitFor({ state: 'detached' })
    await jonas.page.keyboard.press('Escape')
  })

  test('a hoisted role is given from the card, and everyone sees its group', async () => {
    await host.client.roles.create(spaceId, { name: 'Guides', hoisted: true, color_from: 0x2f7547 })
    const card = await openCard(mira, 'Jonas Weber')
    await card.getByRole('list', { name: 'Badges' }).getByText('Silly').waitFor()
    await card.getByRole('button', { name: 'Add role to Jonas Weber' }).click()
    await mira.page.getByRole('menuitem', { name: 'Guides' }).click()
    await card.getByRole('button', { name: 'Remove Guides from Jonas Weber' }).waitFor()
    await mira.picture('profile-card')
    const grouped = ['3 online, 3 members', 'Guides — 1', 'Online — 2']
    for (const person of [jonas, lena]) await eventually(() => headings(person), grouped)
    await mira.picture('member-list')
    assert.deepEqual(await namelessParts(mira.page), [])
  })

  test('the full profile has what two people have in common', async () => {
    await mira.page.getByRole('button', { name: 'View full profile' }).click()
    const profile = mira.page.getByRole('dialog', { name: 'Jonas Weber’s profile' })
    await profile.getByText('2 mutual spaces').waitFor()
    await profile.getByText('1 mutual friend').waitFor()
    await profile.getByRole('button', { name: 'Call' }).waitFor()
    await mira.picture('full-profile')
    await mira.page.emulateMedia({ colorScheme: 'dark' })
    await mira.picture('full-profile-dark')
    await mira.page.emulateMedia({ colorScheme: 'light' })
    assert.deepEqual(await namelessParts(mira.page), [])
    await profile.getByRole('button', { name: 'lena' }).click()
    await mira.page.getByRole('dialog', { name: 'lena’s profile' }).getByText('Friends since').waitFor()
    await mira.page.keyboard.press('Escape')
    await eventually(() => headings(mira), ['3 online, 3 members', 'Guides — 1', 'Online — 2'])
  })

  test('a user without the permission is offered neither roles nor removal', async () => {
    const card = await openCard(lena, 'Jonas Weber')
    await card.getByText('Guides').waitFor()
    const offered = ['Message', 'Call', 'Remove friend', 'Block', 'Report', 'View full profile', 'Close']
    await eventually(() => card.getByRole('button').allInnerTexts(), offered)
    await lena.page.keyboard.press('Escape')
  })

  test('a member is kicked from their card, and disappears from the list', async () => {
    const card = await openCard(mira, 'lena')
    await card.getByRole('button', { name: 'More options for lena' }).click()
    await mira.page.getByRole('menuitem', { name: 'Kick' }).click()
    const dialog = mira.page.getByRole('dialog', { name: 'Kick lena?' })
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Left the group')
    await dialog.getByRole('button', { name: 'Kick' }).click()
    await eventually(() => headings(mira), ['2 online, 2 members', 'Guides — 1', 'Online — 1'])
    await mira.page.keyboard.press('Escape')
    await lena.page.getByText('This space doesn’t exist or you’re no longer a member.').waitFor()
    await lena.takeRefusals(404)
  })

  test('the list is one stop of the Tab key, and arrows move through it', async () => {
    await jonas.button('Hide members').focus()
    const focused = () => jonas.page.evaluate(() => document.activeElement?.textContent ?? '')
    await list(jonas).locator('button[tabindex="0"]').focus()
    assert.equal(await list(jonas).locator('button[tabindex="0"]').count(), 1)
    assert.match(await focused(), /Jonas Weber/)
    await jonas.page.keyboard.press('End')
    assert.match(await focused(), /mira/)
    await jonas.page.keyboard.press('Enter')
    const card = jonas.page.getByRole('dialog', { name: 'mira' })
    await card.getByRole('button', { name: 'View full profile' }).waitFor()
    await jonas.page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    await eventually(async () => /mira/.test(await focused()), true)
    await jonas.page.keyboard.press('ArrowUp')
    assert.match(await focused(), /Jonas Weber/)
  })

  test('the search and the list replace each other', async () => {
    await jonas.button('Search messages').click()
    const search = jonas.page.getByRole('complementary', { name: 'Search Sunday hikers' })
    await search.waitFor()
    await list(jonas).waitFor({ state: 'detached' })
    await jonas.button('Show members').click()
    await search.waitFor({ state: 'detached' })
    await eventually(() => headings(jonas), ['2 online, 2 members', 'Guides — 1', 'Online — 1'])
  })

  test('the members are in a drawer on a phone, and updated only while it is open', async () => {
    const sent = sentBy(jonas)
    await jonas.page.setViewportSize(PHONE)
    await list(jonas).waitFor({ state: 'detached' })
    await eventually(() => sent.subscriptions.at(-1) ?? null, null)
    await jonas.button('Show members').click()
    await eventually(() => headings(jonas), ['2 online, 2 members', 'Guides — 1', 'Online — 1'])
    await jonas.picture('members-phone')
    await row(jonas, 'mira').click()
    await jonas.page.getByRole('dialog', { name: 'mira' }).getByText('In Sunday hikers since').waitFor()
    await jonas.page.emulateMedia({ colorScheme: 'dark' })
    await jonas.picture('profile-card-phone-dark')
    assert.deepEqual(await namelessParts(jonas.page), [])
  })

  test('the drawer’s members are beside the room in a wide window, and hidden by the search', async () => {
    await jonas.page.keyboard.press('Escape')
    await jonas.page.setViewportSize(DESK)
    await jonas.button('Hide members').waitFor()
    await jonas.button('Search messages').click()
    await list(jonas).waitFor({ state: 'detached' })
    await jonas.button('Show members').waitFor()
  })

  test('the consoles have no errors', () => {
    assert.deepEqual([...mira.complaints, ...jonas.complaints, ...lena.complaints], [])
  })
})
