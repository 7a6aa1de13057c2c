import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { drag, tray } from './attaching.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { openSpaceSettings } from './settings.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const SPACE = 'Sunday hikers'
/** Items of a member's menu that need a capability. */
const MODERATION = ['Change nickname', 'Time out', 'Remove timeout', 'Kick', 'Ban']

/** The tests run in order: each continues where the previous one ended. */
describe('capabilities', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Settled
  let roleId: string

  before(async () => {
    stage = await Stage.open()
    const host = await settle(stage, 'mira')
    jonas = await settle(stage, 'jonas')
    const lena = await settle(stage, 'lena')
    const { space, general } = await gather(SPACE, [host, jonas, lena])
    mira = host.person
    const { id } = await host.client.roles.create(space.id, { name: 'Guides' })
    roleId = id
    await host.client.roles.assign(space.id, jonas.id, roleId)
    const tea = await lena.client.messages.create(general.id, { content: 'Tea at the hut?' })
    await lena.client.reactions.add({ channel: general.id, id: tea.id }, '🎉')
    for (const { page } of [mira, jonas.person]) await page.goto(`/spaces/${space.id}`)
    for (const person of [mira, jonas.person]) await person.message('Tea at the hut?').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  async function offered(person: Person): Promise<string[]> {
    const { page } = person
    await page.getByRole('complementary', { name: 'Members' }).getByText('lena').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'View full profile' }).waitFor()
    const items = await page.getByRole('menuitem').allInnerTexts()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    return items.filter((item) => MODERATION.includes(item))
  }

  async function close({ page }: Person): Promise<void> {
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  const switchOf = (dialog: Locator, name: string) => dialog.getByRole('switch', { name, exact: true })

  test('CAPABILITY-9: a role lets its members kick, and they find it at once', async () => {
    assert.deepEqual(await offered(jonas.person), [])
    const dialog = await openSpaceSettings(mira, SPACE, 'Roles')
    await dialog.getByRole('button', { name: 'Guides', exact: true }).click()
    await switchOf(dialog, 'Kick members').click()
    await switchOf(dialog, 'Manage nicknames').click()
    await mira.picture('role-capabilities')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.button('Save changes').click()
    await mira.page.getByText('You have unsaved changes.').waitFor({ state: 'detached' })
    await close(mira)
    await eventually(() => offered(jonas.person), ['Change nickname', 'Kick'])
  })

  test('CAPABILITY-9: a member with Ban members opens the list of bans, and no other settings', async () => {
    const dialog = await openSpaceSettings(mira, SPACE, 'Roles')
    await dialog.getByRole('button', { name: 'Guides', exact: true }).click()
    await switchOf(dialog, 'Ban members').click()
    await mira.button('Save changes').click()
    await mira.page.getByText('You have unsaved changes.').waitFor({ state: 'detached' })
    await close(mira)
    await eventually(() => offered(jonas.person), ['Change nickname', 'Kick', 'Ban'])
    const bans = await openSpaceSettings(jonas.person, SPACE, 'Bans')
    const sections = bans.getByRole('navigation', { name: SPACE }).getByRole('button')
    assert.deepEqual(await sections.allInnerTexts(), ['Members', 'Raid protection', 'Bans'])
    await jonas.person.picture('moderator-settings')
    await close(jonas.person)
  })

  test('CAPABILITY-12, CAPABILITY-13: what a room denies is not offered there, and a dropped file says why', async () => {
    await mira.button('Room settings').click()
    const dialog = mira.page.getByRole('dialog', { name: 'general' })
    const sections = dialog.getByRole('navigation', { name: 'general' })
    await sections.getByRole('button', { name: 'Permissions' }).click()
    for (const name of ['Attach files', 'Add reactions']) {
      const choices = mira.page.getByRole('radiogroup', { name, exact: true })
      await choices.getByText('Inherited: allowed by @everyone').waitFor()
      await choices.getByRole('radio', { name: 'Deny' }).click()
    }
    await mira.picture('room-capabilities')
    await mira.button('Save changes').click()
    const { page } = jonas.person
    await jonas.person.button('Attach files').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'React with another emoji' }).waitFor({ state: 'detached' })
    await drag(jonas.person, [new URL(import.meta.url).pathname], ['dragEnter', 'dragOver', 'drop'])
    await page.getByText('You can’t attach files in this room.').waitFor()
    assert.equal(await tray(jonas.person).count(), 0)
    await page.getByRole('list', { name: 'Reactions' }).getByText('🎉').click()
    await jonas.person.button('🎉, 2 reactions').waitFor()
    await jonas.person.picture('room-without-files')
    assert.deepEqual(await namelessParts(page), [])
  })

  test('CAPABILITY-1: the check of a member explains a capability like a permission', async () => {
    const dialog = mira.page.getByRole('dialog', { name: 'general' })
    const sections = dialog.getByRole('navigation', { name: 'general' })
    await sections.getByRole('button', { name: 'Check access' }).click()
    await dialog.getByRole('button', { name: /@jonas/ }).click()
    const row = (name: string) =>
      dialog.getByRole('listitem').filter({ has: mira.page.getByText(name, { exact: true }) })
    await row('Attach files')
      .getByText(/^Denied for @everyone in this room/)
      .waitFor()
    await row('Kick members')
      .getByText(/^Allowed by the role Guides/)
      .waitFor()
    await mira.picture('check-capabilities')
    await close(mira)
    assert.deepEqual([mira.complaints, jonas.person.complaints], [[], []])
  })
})
