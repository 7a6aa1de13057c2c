import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { namelessParts } from './names.ts'
import { openSpaceSettings } from './settings.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const SPACE = 'Sunday hikers'

/** The tests run in order: each continues where the previous one ended. */
describe('roles of members', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled
  let jonas: Settled
  let spaceId: string

  before(async () => {
    stage = await Stage.open()
    mira = await settle(stage, 'mira')
    jonas = await settle(stage, 'jonas')
    const { space } = await gather(SPACE, [mira, jonas])
    spaceId = space.id
    await mira.client.roles.create(spaceId, { name: 'Guides' })
    await mira.client.roles.create(spaceId, { name: 'Cooks' })
    await mira.person.page.goto(`/spaces/${spaceId}`)
    await mira.person.composer('general').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  async function rolesOfJonas(): Promise<string[]> {
    const [member, roles] = await Promise.all([
      mira.client.members.get(spaceId, jonas.id),
      mira.client.roles.list(spaceId),
    ])
    return roles.filter(({ id }) => member.roles.includes(id)).map(({ name }) => name)
  }

  /** Closes the submenu, then the menu around it. */
  async function closeMenus(): Promise<void> {
    const { page } = mira.person
    for (const left of [1, 0]) {
      await page.keyboard.press('Escape')
      await eventually(() => page.getByRole('menu').count(), left)
    }
  }

  test('a member’s menu has the roles, with checkboxes that give and take them by mouse and keyboard', async () => {
    const { page } = mira.person
    const members = page.getByRole('complementary', { name: 'Members' })
    await members.getByText('jonas').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Roles' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Guides', checked: false }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Guides', checked: true }).waitFor()
    await mira.person.picture('roles-submenu')
    assert.deepEqual(await namelessParts(page), [])
    await eventually(rolesOfJonas, ['Guides'])
    await page.keyboard.press('Home')
    await page.getByRole('menuitemcheckbox', { name: 'Cooks' }).press('Space')
    await eventually(async () => (await rolesOfJonas()).toSorted(), ['Cooks', 'Guides'])
    await page.getByRole('menuitemcheckbox', { name: 'Cooks', checked: true }).press('Space')
    await eventually(rolesOfJonas, ['Guides'])
    await closeMenus()
  })

  test('the member list offers to add a role, in the row and in its menu', async () => {
    const settings = await openSpaceSettings(mira.person, SPACE, 'Members')
    await settings.getByRole('button', { name: 'Add role to jonas' }).getByText('Add role').waitFor()
    await settings.getByRole('button', { name: 'More options for jonas' }).click()
    await mira.person.page.getByRole('menuitem', { name: 'Roles' }).click()
    await mira.person.page.getByRole('menuitemcheckbox', { name: 'Guides', checked: true }).waitFor()
    await mira.person.picture('settings-member-roles')
    await closeMenus()
  })

  test('a role lists its members, who can be added and removed', async () => {
    const { page } = mira.person
    const settings = page.getByRole('dialog', { name: SPACE })
    await settings.getByRole('navigation').getByRole('button', { name: 'Roles', exact: true }).click()
    await settings.getByRole('button', { name: 'Cooks' }).last().click()
    await settings.getByRole('tab', { name: 'Members' }).click()
    const members = settings.getByRole('tabpanel', { name: 'Members' })
    await members.getByText('No members have this role yet.').waitFor()
    await members.getByRole('button', { name: 'Add members' }).click()
    const adding = page.getByRole('dialog', { name: 'Add members to Cooks' })
    await mira.person.picture('role-add-members')
    await adding.getByRole('button', { name: /jonas/ }).click()
    await adding.getByRole('button', { name: /jonas/ }).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await adding.waitFor({ state: 'detached' })
    await eventually(async () => (await rolesOfJonas()).toSorted(), ['Cooks', 'Guides'])
    await mira.person.picture('role-members')
    assert.deepEqual(await namelessParts(page), [])
    await members.getByRole('button', { name: 'Remove Cooks from jonas' }).click()
    await members.getByText('No members have this role yet.').waitFor()
    await eventually(rolesOfJonas, ['Guides'])
  })
})
