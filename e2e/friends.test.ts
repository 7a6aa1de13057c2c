import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { meet } from './settled.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('friends', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Person

  before(async () => {
    stage = await Stage.open()
    mira = await stage.person('mira')
    jonas = await stage.person('jonas')
    await meet(mira, jonas)
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  /** Returns the names in the selected list of the friends page. */
  function listed({ page }: Person): Promise<string[]> {
    return page.getByRole('tabpanel').locator('.person-name').allInnerTexts()
  }

  function tab({ page }: Person, name: string): Locator {
    return page.getByRole('tab', { name })
  }

  async function ask(person: Person, username: string): Promise<void> {
    await person.field('Add a friend by username').fill(username)
    await person.button('Send request').click()
  }

  /** Locates a row of the member list. */
  function row({ page }: Person, name: string): Locator {
    return page.getByRole('complementary', { name: 'Members' }).getByRole('button', { name })
  }

  /** Items expected in a friend's menu. `offered` reads the items of the open menu. */
  const between = ['View full profile', 'Message', 'Call', 'Remove friend', 'Block', 'Report']
  const offered = ({ page }: Person) => page.getByRole('menuitem').allInnerTexts()

  /** Opens a member's card from the member list. */
  async function openCard(person: Person, name: string): Promise<Locator> {
    await row(person, name).click()
    const card = person.page.getByRole('dialog', { name })
    await card.waitFor()
    return card
  }

  test('an unknown username is refused with a message', async () => {
    await mira.page.getByRole('link', { name: 'Friends', exact: true }).first().click()
    await mira.page.getByRole('heading', { name: 'No friends yet' }).waitFor()
    await mira.picture('friends-empty')
    await ask(mira, 'nobody_at_all')
    await mira.page.getByRole('alert').filter({ hasText: 'No user with that name.' }).waitFor()
    await ask(mira, 'mira')
    await mira.page.getByRole('alert').filter({ hasText: 'That’s you.' }).waitFor()
    await mira.takeRefusals(404, 400)
  })

  test('a request reaches the other user on any page, and accepting it makes both friends', async () => {
    await ask(mira, '@Jonas')
    await mira.page.getByRole('status').filter({ hasText: 'Friend request sent to jonas.' }).waitFor()
    await jonas.page.getByRole('link', { name: 'Friends, 1 request' }).click()
    await eventually(() => listed(jonas), ['mira'])
    assert.deepEqual(await namelessParts(jonas.page), [])
    await jonas.picture('friends-pending')
    await jonas.button('Accept request from mira').click()
    await tab(jonas, 'All').click()
    for (const [person, name] of [
      [mira, 'jonas'],
      [jonas, 'mira'],
    ] as const) {
      await eventually(() => listed(person), [name])
    }
    assert.equal(await jonas.page.getByRole('link', { name: /request/ }).count(), 0, 'nobody waits any more')
  })

  test('friends see each other’s chosen status', async () => {
    const mark = mira.page.getByRole('tabpanel').locator('.presence-mark')
    const seen = () => mark.getAttribute('data-status')
    await eventually(seen, 'online')
    for (const [choice, status] of [
      ['Do not disturb', 'dnd'],
      ['Invisible', 'offline'],
      ['Online', 'online'],
    ] as const) {
      await jonas.button(/^Account: jonas /).click()
      await jonas.page.getByRole('radio', { name: choice }).click()
      await eventually(seen, status)
      if (status === 'offline') await jonas.picture('presence')
      await jonas.page.keyboard.press('Escape')
    }
    assert.deepEqual(await namelessParts(mira.page), [])
  })

  test('the card behind a name offers the actions that apply to the two', async () => {
    await jonas.page.goBack()
    await jonas.composer('general').waitFor()
    const own = await openCard(jonas, 'jonas')
    await own.getByRole('button', { name: 'View full profile' }).waitFor()
    const deeds = await own.getByRole('button', { name: /Message|friend|Block/ }).count()
    assert.equal(deeds, 0, 'there is nothing to be done about oneself')
    await jonas.page.keyboard.press('Escape')
    await own.waitFor({ state: 'detached' })
    const card = await openCard(jonas, 'mira')
    const offered = ['Message', 'Call', 'Remove friend', 'Block', 'Report', 'View full profile', 'Close']
    await eventually(() => card.getByRole('button').allInnerTexts(), offered)
    await card.getByText('@mira').waitFor()
    await card.getByText('In Sunday hikers since').waitFor()
    await jonas.picture('profile-card')
    assert.deepEqual(await namelessParts(jonas.page), [])
  })

  test('right-click and the menu key offer the same actions, plus those of a moderator', async () => {
    await jonas.page.keyboard.press('Escape')
    await row(jonas, 'mira').click({ button: 'right' })
    await eventually(() => offered(jonas), between)
    await jonas.picture('person-menu')
    assert.deepEqual(await namelessParts(jonas.page), [])
    await jonas.page.keyboard.press('Escape')
    await eventually(() => offered(jonas), [])
    await row(jonas, 'mira').press('Shift+F10')
    await eventually(() => offered(jonas), between)
    await jonas.page.keyboard.press('Escape')
    await eventually(() => isFocused(row(jonas, 'mira')), true)

    await mira.page
      .getByRole('tabpanel')
      .getByRole('button', { name: 'jonas' })
      .first()
      .click({ button: 'right' })
    await eventually(() => offered(mira), between)
    await mira.page.keyboard.press('Escape')
    await mira.page.goBack()
    await row(mira, 'jonas').click({ button: 'right' })
    await eventually(() => offered(mira), [...between, 'Change nickname', 'Time out', 'Kick', 'Ban'])
    await mira.page.keyboard.press('Escape')
    await mira.page.goForward()
    await mira.field('Add a friend by username').waitFor()
  })

  test('a block ends the friendship, and the blocked user cannot send a request', async () => {
    await row(jonas, 'mira').click({ button: 'right' })
    await jonas.page.getByRole('menuitem', { name: 'Block' }).click()
    const question = jonas.page.getByRole('alertdialog', { name: 'Block mira?' })
    await question.getByRole('button', { name: 'Block' }).click()
    await question.waitFor({ state: 'detached' })
    await eventually(() => listed(mira), [])
    await ask(mira, 'jonas')
    await mira.page.getByRole('alert').filter({ hasText: 'No user with that name.' }).waitFor()
    await mira.takeRefusals(404)
    await jonas.page.getByRole('link', { name: 'Friends', exact: true }).first().click()
    await tab(jonas, 'Blocked').click()
    await eventually(() => listed(jonas), ['mira'])
  })

  test('an unblocked user can send a request again, and a request back accepts it', async () => {
    await jonas.button('Unblock mira').click()
    await eventually(() => listed(jonas), [])
    await ask(mira, 'jonas')
    await tab(jonas, 'Pending').getByText('1').waitFor()
    await ask(jonas, 'mira')
    await jonas.page.getByText('You and mira are now friends.').waitFor()
    await eventually(() => listed(mira), ['jonas'])
  })

  test('the list offers the same by a button, and the focus stays on the page after removing a friend', async () => {
    const button = mira.button('More options for jonas')
    await button.click()
    await eventually(() => offered(mira), between)
    assert.equal(await button.getAttribute('aria-expanded'), 'true')
    const { x = 0, y = 0 } = (await button.boundingBox()) ?? {}
    await mira.page.mouse.click(x + 8, y + 8)
    await eventually(() => offered(mira), [])
    await button.press('Enter')
    await mira.page.getByRole('menuitem', { name: 'Remove friend' }).press('Enter')
    const question = mira.page.getByRole('alertdialog', { name: 'Remove jonas as a friend?' })
    await question.getByRole('button', { name: 'Remove friend' }).press('Enter')
    await question.waitFor({ state: 'detached' })
    await eventually(() => listed(mira), [])
    await eventually(() => isFocused(mira.page.getByRole('main')), true)
  })

  test('the consoles have no errors', () => {
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})
