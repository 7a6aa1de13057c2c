import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'
import { closeSettings, openSpaceSettings } from './settings.ts'
import { gather, settle } from './settled.ts'
import { Stage } from './stage.ts'

const SPACE = 'Sunday hikers'

describe('INVITE-19, INVITE-20: an invite', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person

  before(async () => {
    stage = await Stage.open()
    const host = await settle(stage, 'mira')
    const { space } = await gather(SPACE, [host])
    mira = host.person
    await mira.page.goto(`/spaces/${space.id}`)
    await mira.composer('general').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  test('has a name and lets in a number of people, as its maker wishes', async () => {
    await mira.button('Invite people').first().click()
    const dialog = mira.page.getByRole('dialog')
    await dialog.getByLabel('Can be used by').selectOption('1 person')
    const name = dialog.getByLabel('Link name')
    await name.fill('board games')
    await dialog.getByRole('button', { name: 'Use name' }).click()
    await dialog.getByText('Use 3 to 32 letters (a–z), digits and hyphens.').waitFor()
    await name.fill('Board-Games')
    await name.press('Enter')
    const link = dialog.getByRole('textbox', { name: 'Invite link' })
    // The link is empty while the invite is made.
    await eventually(async () => URL.parse(await link.inputValue())?.pathname, '/invite/board-games')
    await name.press('Enter')
    await dialog.getByText('Another invite on this server already has this name.').waitFor()
    await mira.takeRefusals(400)
    await mira.button('Close').click()
    const invites = (await openSpaceSettings(mira, SPACE, 'Invites')).getByRole('list', { name: 'Invites' })
    const row = invites.getByRole('listitem').filter({ hasText: 'board-games' })
    await row.getByText('0 of 1 uses').waitFor()
    await row.getByRole('button', { name: 'Revoke board-games' }).click()
    await mira.page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await mira.page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await row.waitFor({ state: 'detached' })
    await closeSettings(mira, SPACE)
  })
})
