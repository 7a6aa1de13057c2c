import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { meet } from './settled.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('the settings of a space', { skip: noBrowser }, () => {
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

  async function openMenu(person: Person): Promise<void> {
    await person.button('Sunday hikers, space menu').click()
    await person.page.getByRole('menu').waitFor()
  }

  async function openSettings(person: Person, section: string): Promise<Locator> {
    await openMenu(person)
    await person.page.getByRole('menuitem', { name: 'Space settings' }).click()
    return choose(person, section)
  }

  async function choose(person: Person, section: string): Promise<Locator> {
    const dialog = person.page.getByRole('dialog', { name: 'Sunday hikers' })
    await dialog.getByRole('navigation').getByRole('button', { name: section }).click()
    await dialog.getByRole('heading', { level: 3, name: section }).waitFor()
    return dialog
  }

  async function closeSettings(person: Person): Promise<void> {
    await person.page.keyboard.press('Escape')
    await person.page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  async function join(person: Person, invite: string): Promise<void> {
    await person.page.goto(invite)
    await person.button('Join Sunday hikers').click()
  }

  function rolesInOrder(dialog: Locator): Promise<string[]> {
    return dialog
      .getByRole('button', { name: /^Move / })
      .evaluateAll((handles) => handles.map((handle) => handle.getAttribute('aria-label') ?? ''))
  }

  test('a user without any permission finds no settings', async () => {
    await openMenu(jonas)
    await jonas.page.getByRole('menuitem', { name: 'Leave space' }).waitFor()
    assert.equal(await jonas.page.getByRole('menuitem', { name: 'Space settings' }).count(), 0)
    await jonas.page.keyboard.press('Escape')
  })

  test('a new name is saved and visible to others, and leaving asks before changes are lost', async () => {
    const dialog = await openSettings(mira, 'Overview')
    await mira.picture('settings-overview')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.field('Space name').fill('Monday hikers')
    await mira.page.keyboard.press('Escape')
    await mira.page.getByRole('alertdialog', { name: 'Discard your changes?' }).waitFor()
    await mira.button('Cancel').click()
    await mira.button('Save changes').click()
    await jonas.button('Monday hikers, space menu').waitFor()
    await mira.field('Space name').fill('Sunday hikers')
    const language = mira.page.getByLabel('Space language')
    await language.selectOption({ label: 'Swedish' })
    await mira.button('Save changes').click()
    await jonas.button('Sunday hikers, space menu').waitFor()
    assert.equal(await language.inputValue(), 'sv')
    await dialog.getByText('You have unsaved changes.').waitFor({ state: 'detached' })
  })

  test('settings closed during a save ask first, and close once it is done', async () => {
    const held = Promise.withResolvers<void>()
    await mira.page.route('**/api/spaces/*', async (route) => {
      await held.promise
      await route.continue()
    })
    await mira.field('Description').fill('Up.')
    await mira.button('Save changes').click()
    await mira.page.keyboard.press('Escape')
    await mira.page.getByRole('alertdialog', { name: 'Discard your changes?' }).waitFor()
    held.resolve()
    await mira.page.getByRole('dialog').waitFor({ state: 'detached' })
    await mira.page.unrouteAll({ behavior: 'wait' })
    await openSettings(mira, 'Overview')
    assert.equal(await mira.field('Description').inputValue(), 'Up.')
  })

  test('the description is shown in the menu, and in full beside it', async () => {
    await mira.field('Description').fill(`Up, and down again.\n${'Boots, '.repeat(80)}and no tents.`)
    await mira.button('Save changes').click()
    await mira.page.getByText('You have unsaved changes.').waitFor({ state: 'detached' })
    await openMenu(jonas)
    await jonas.page.getByRole('menu').getByText('Up, and down again.').waitFor()
    await jonas.picture('space-menu')
    await jonas.page.getByRole('menuitem', { name: 'About this space' }).click()
    await jonas.page.getByRole('dialog', { name: 'About Sunday hikers' }).getByText('no tents.').waitFor()
    await jonas.picture('about-space')
    assert.deepEqual(await namelessParts(jonas.page), [])
    await jonas.button('Close').click()
  })

  test('a role is created and given to a member, and its permission applies at once', async () => {
    await choose(mira, 'Roles')
    await mira.button('Create role').click()
    await mira.field('Role name').fill('Moderators')
    await mira.button('Green').click()
    await mira.page.getByRole('switch', { name: 'Show separately' }).click()
    await mira.page.getByRole('switch', { name: 'Manage messages' }).click()
    await mira.button('Save changes').click()
    await mira.button('Delete role').waitFor()
    await mira.picture('settings-role')
    assert.deepEqual(await namelessParts(mira.page), [])
    await choose(mira, 'Members')
    await mira.button('Add role to jonas').click()
    await mira.page.getByRole('menuitem', { name: 'Moderators' }).click()
    await mira.button('Remove Moderators from jonas').waitFor()
    await mira.picture('settings-members')
    assert.deepEqual(await namelessParts(mira.page), [])
    await closeSettings(mira)
    await jonas.page.getByRole('heading', { name: 'Moderators — 1' }).waitFor()
    await mira.say('Too early for me.')
    await jonas.pointAt(jonas.message('Too early'))
    await jonas.message('Too early').getByRole('button', { name: 'Delete message' }).waitFor()
  })

  test('a permission taken from the role ends at once', async () => {
    await openSettings(mira, 'Roles')
    await mira.button('Moderators').last().click()
    await mira.page.getByRole('switch', { name: 'Manage messages' }).click()
    await mira.button('Save changes').click()
    const remove = jonas.message('Too early').getByRole('button', { name: 'Delete message' })
    await remove.waitFor({ state: 'detached' })
  })

  test('roles are reordered by the arrow keys', async () => {
    await mira.button('Back to roles').click()
    await mira.button('Create role').click()
    await mira.field('Role name').fill('Guides')
    await mira.button('Save changes').click()
    await mira.button('Delete role').waitFor()
    await mira.button('Back to roles').click()
    const dialog = await choose(mira, 'Roles')
    await eventually(() => rolesInOrder(dialog), ['Move Moderators', 'Move Guides'])
    await mira.button('Move Guides').press('ArrowUp')
    await dialog.getByText('Guides is now role 1 of 3.').waitFor()
    await eventually(() => rolesInOrder(dialog), ['Move Guides', 'Move Moderators'])
    const focused = await mira.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    assert.equal(focused, 'Move Guides', 'the next key moves it on')
    await mira.picture('settings-roles')
    await mira.page.reload()
    await openSettings(mira, 'Roles')
    await eventually(() => rolesInOrder(dialog), ['Move Guides', 'Move Moderators'])
  })

  test('an invite of another member appears at once, and admits nobody after it is revoked', async () => {
    const dialog = await choose(mira, 'Invites')
    const invites = dialog.getByRole('list', { name: 'Invites' }).getByRole('listitem')
    await eventually(() => invites.count(), 1)
    const link = await jonas.makeInvite()
    const code = link.split('/').at(-1) ?? ''
    const made = invites.filter({ hasText: code })
    await made.getByText(/By jonas/).waitFor()
    await made.getByText(/never expires/).waitFor()
    await mira.picture('settings-invites')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.button(`Revoke ${code}`).click()
    await mira.button('Revoke').click()
    // An open alert dialog hides the list from assistive technology, and so from locators by role.
    await mira.page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await made.waitFor({ state: 'detached' })
    await mira.makeInvite()
    await eventually(() => invites.count(), 2)
    await jonas.page.goto(link)
    await jonas.page.getByRole('heading', { name: 'This invite is no longer valid' }).waitFor()
    await jonas.takeRefusals(404)
    await jonas.page.goto('/')
    await jonas.composer('general').waitFor()
    await closeSettings(mira)
  })

  test('an invite can expire', async () => {
    await jonas.button('Invite people').click()
    await jonas.page.getByLabel('Expires').selectOption('After 1 hour')
    const invites = (await openSettings(mira, 'Invites')).getByRole('list', { name: 'Invites' })
    const expiry = invites.getByText(/expires in (1 hour|60 minutes)/)
    assert.match((await expiry.getAttribute('title')) ?? '', /\d{4} at \d+:\d\d/, 'the minute, on demand')
    await jonas.button('Close').click()
    await closeSettings(mira)
  })

  test('a kicked member is removed, and can come back', async () => {
    const invite = await mira.makeInvite()
    await openSettings(mira, 'Members')
    await mira.button('More options for jonas').click()
    await mira.page.getByRole('menuitem', { name: 'Kick' }).click()
    await mira.button('Kick').click()
    await mira.button('More options for jonas').waitFor({ state: 'detached' })
    await jonas.page.getByText('This space doesn’t exist or you’re no longer a member.').waitFor()
    await jonas.takeRefusals(404)
    await join(jonas, invite)
    await jonas.composer('general').waitFor()
    await mira.button('More options for jonas').waitFor()
    await closeSettings(mira)
  })

  test('a banned member is removed with their messages, until the ban is lifted', async () => {
    const invite = await mira.makeInvite()
    await jonas.say('Buy cheap boots!')
    await mira.message('cheap boots').waitFor()
    await openSettings(mira, 'Members')
    await mira.button('More options for jonas').click()
    await mira.page.getByRole('menuitem', { name: 'Ban' }).click()
    await mira.field('Reason').fill('Advertising')
    await mira.page.getByLabel('Delete message history').selectOption('Last hour')
    await mira.picture('settings-ban')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.button('Ban').click()
    await mira.button('More options for jonas').waitFor({ state: 'detached' })
    await mira.message('cheap boots').waitFor({ state: 'detached' })
    await jonas.page.getByRole('heading', { name: 'You were banned from Sunday hikers' }).waitFor()
    await jonas.takeRefusals(404)
    await jonas.page.goto(invite)
    await jonas.page.getByRole('alert').getByText('You’re banned from this space.').waitFor()
    await jonas.takeRefusals(404)
    await mira.page.route('**/bans', (route) => route.fulfill({ status: 404, json: {} }))
    const dialog = await choose(mira, 'Bans')
    await mira.takeRefusals(404)
    await mira.page.unroute('**/bans')
    await mira.button('Try again').click()
    await dialog.getByText('Advertising').waitFor()
    await mira.picture('settings-bans')
    await mira.button('Unban jonas').click()
    await mira.button('Unban').click()
    await dialog.getByText('No one is banned').waitFor()
    await join(jonas, invite)
    await jonas.takeRefusals(404)
    await jonas.composer('general').waitFor()
    await closeSettings(mira)
  })

  test('the sections are a list on a phone, one of them at a time', async () => {
    await mira.page.setViewportSize({ width: 390, height: 844 })
    await mira.button('Open spaces and rooms').click()
    const dialog = await openSettings(mira, 'Members')
    await mira.picture('settings-phone')
    assert.equal(await dialog.getByRole('navigation').isVisible(), false)
    await mira.button('All settings').click()
    await dialog.getByRole('navigation').getByRole('button', { name: 'Bans' }).waitFor()
    assert.deepEqual(await namelessParts(mira.page), [])
  })

  test('a member who receives the space owns it, and the previous owner’s settings close', async () => {
    await choose(mira, 'Overview')
    await mira.button('Choose a member').click()
    await mira.page
      .getByRole('dialog')
      .getByRole('button', { name: /@jonas/ })
      .click()
    await mira.button('Transfer ownership').click()
    await mira.page.getByRole('dialog', { name: 'Sunday hikers' }).waitFor({ state: 'detached' })
    await openSettings(jonas, 'Overview')
    await jonas.button('Delete space').click()
    const form = jonas.page.getByRole('dialog', { name: 'Delete Sunday hikers?' })
    await form.getByRole('button', { name: 'Delete space' }).click()
    await form.getByText('That doesn’t match. Type “Sunday hikers” exactly as shown.').waitFor()
    await form.getByRole('textbox').fill('Sunday hikers')
    await form.getByRole('button', { name: 'Delete space' }).click()
    await jonas.page.getByRole('heading', { name: 'Welcome, jonas' }).waitFor()
    await mira.page.getByText('This space doesn’t exist or you’re no longer a member.').waitFor()
    await mira.takeRefusals(404)
  })

  test('the consoles have no errors', () => {
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})
