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
describe('permissions of a room', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Person

  before(async () => {
    stage = await Stage.open()
    mira = await stage.person('mira')
    jonas = await stage.person('jonas')
    await meet(mira, jonas)
    await giveRole('Guides', 'jonas')
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  async function giveRole(role: string, member: string): Promise<void> {
    const { page } = mira
    await mira.button('Sunday hikers, space menu').click()
    await page.getByRole('menuitem', { name: 'Space settings' }).click()
    await choose('Sunday hikers', 'Roles')
    await mira.button('Create role').click()
    await mira.field('Role name').fill(role)
    await mira.button('Save changes').click()
    await mira.button('Delete role').waitFor()
    await choose('Sunday hikers', 'Members')
    await mira.button(`Add role to ${member}`).click()
    await page.getByRole('menuitem', { name: role }).click()
    await mira.button(`Remove ${role} from ${member}`).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  async function choose(title: string, section: string): Promise<Locator> {
    const dialog = mira.page.getByRole('dialog', { name: title })
    await dialog.getByRole('navigation', { name: title }).getByRole('button', { name: section }).click()
    await dialog.getByRole('heading', { level: 3, name: section }).waitFor()
    return dialog
  }

  function choices(permission: string): Locator {
    return mira.page.getByRole('radiogroup', { name: permission, exact: true })
  }

  async function set(permission: string, choice: 'Deny' | 'Inherit' | 'Allow'): Promise<void> {
    await choices(permission).getByRole('radio', { name: choice }).click()
    await mira.button('Save changes').click()
    await mira.page.getByText('You have unsaved changes.').waitFor({ state: 'detached' })
  }

  /** Returns the reason that the settings give for a permission of jonas. */
  async function reasonFor(permission: string): Promise<string> {
    const dialog = await choose('general', 'Check access')
    await dialog.getByRole('button', { name: /@jonas/ }).click()
    const row = dialog.getByRole('listitem').filter({ has: mira.page.getByText(permission, { exact: true }) })
    return (await row.innerText()).replace(/^[^\n]*\n+/, '')
  }

  test('a user who may not manage the room finds no settings for it', async () => {
    await mira.button('Room settings').waitFor()
    await jonas.button('Invite people').waitFor()
    assert.equal(await jonas.button('Room settings').count(), 0)
  })

  test('a room hidden from everyone disappears at once, and its settings say why', async () => {
    await mira.button('Room settings').click()
    await choose('general', 'Permissions')
    await choices('View rooms').getByText('Inherited: allowed by @everyone').waitFor()
    await mira.picture('room-permissions')
    assert.deepEqual(await namelessParts(mira.page), [])
    await set('View rooms', 'Deny')
    await jonas.room('general').waitFor({ state: 'detached' })
    await jonas.page.getByText('This room doesn’t exist or you don’t have access.').waitFor()
    await eventually(
      () => reasonFor('View rooms'),
      'Denied for @everyone in this room, and none of jonas’s roles allow it here.',
    )
    await mira.picture('room-check')
    assert.deepEqual(await namelessParts(mira.page), [])
  })

  test('a text room offers only its own permissions, in switches of one width', async () => {
    await choose('general', 'Permissions')
    await choices('View rooms').waitFor()
    const offered = await mira.page.locator('.permission-group .switch-label').allInnerTexts()
    assert.ok(offered.includes('Send messages'))
    assert.deepEqual(
      offered.filter((name) => ['Join voice', 'Speak', 'Manage roles', 'Administrator'].includes(name)),
      [],
    )
    const looks = await mira.page.getByRole('radiogroup').evaluateAll((groups) =>
      groups.map((group) => {
        const control = group.querySelector('label')?.parentElement ?? group
        return `${control.getBoundingClientRect().width} ${getComputedStyle(control).boxShadow}`
      }),
    )
    assert.ok(looks.length > 5)
    assert.equal(new Set(looks).size, 1)
    assert.match(looks[0] ?? '', / none$/)
  })

  test('the room reappears for a user with a role that may view it', async () => {
    const dialog = await choose('general', 'Permissions')
    await mira.button('Add a role or member').click()
    await mira.page.getByRole('searchbox', { name: 'Find a role or member' }).fill('gui')
    await mira.page.getByRole('list', { name: 'Roles' }).getByRole('button', { name: 'Guides' }).click()
    await choices('View rooms').getByText('Inherited: denied here for @everyone').waitFor()
    await choices('View rooms').getByRole('radio', { name: 'Inherit' }).press('ArrowRight')
    await eventually(() => choices('View rooms').getByRole('radio', { name: 'Allow' }).isChecked(), true)
    await mira.picture('room-permissions-role')
    await mira.button('Save changes').click()
    await jonas.room('general').waitFor()
    await dialog.getByRole('button', { name: 'Guides' }).waitFor()
    await eventually(() => reasonFor('View rooms'), 'Allowed for the role Guides in this room.')
  })

  test('removing an overwrite restores what is inherited', async () => {
    await choose('general', 'Permissions')
    await mira.button('Guides').click()
    await mira.button('Remove room permissions').click()
    await jonas.room('general').waitFor({ state: 'detached' })
    await choices('View rooms').getByRole('radio', { name: 'Inherit', checked: true }).waitFor()
    await mira.button('@everyone').click()
    await set('View rooms', 'Inherit')
    await jonas.room('general').waitFor()
  })

  test('the room is renamed, and on a phone targets come before their permissions', async () => {
    await choose('general', 'Overview')
    await mira.field('Room name').fill('trails')
    await mira.button('Save changes').click()
    await jonas.room('trails').waitFor()
    await mira.page.setViewportSize({ width: 390, height: 844 })
    const dialog = mira.page.getByRole('dialog', { name: 'trails' })
    await mira.button('All settings').click()
    await dialog.getByRole('button', { name: 'Permissions' }).click()
    await mira.picture('room-permissions-phone-list')
    await dialog.getByRole('button', { name: '@everyone' }).click()
    await choices('Send messages').waitFor()
    await mira.picture('room-permissions-phone')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.button('Back to roles and members').click()
    await dialog.getByRole('button', { name: '@everyone' }).waitFor()
  })

  test('the consoles have no errors', () => {
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})
