import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import type { Person } from './person.ts'
import { gather, settle } from './settled.ts'
import { Stage } from './stage.ts'

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }

describe('a dialog opened from a sidebar', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person

  before(async () => {
    stage = await Stage.open()
    const host = await settle(stage, 'mira')
    mira = host.person
    const { space } = await gather('Sunday hikers', [host])
    await mira.page.goto(`/spaces/${space.id}`)
    await mira.composer('general').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const dialog = (name: string) => mira.page.getByRole('dialog', { name, exact: true })
  const rooms = () => mira.page.getByRole('navigation', { name: 'Rooms' })

  /** Checks that the text of a field survives turning a tablet and turning it back. */
  async function outlastsTurning(field: string): Promise<void> {
    await mira.field(field).fill('begun')
    for (const size of [PHONE, DESKTOP]) {
      await mira.page.setViewportSize(size)
      await mira.page.locator('.sidebar').waitFor({ state: size === DESKTOP ? 'attached' : 'detached' })
      assert.equal(await mira.field(field).inputValue(), 'begun')
    }
    await mira.page.keyboard.press('Escape')
    await mira.field(field).waitFor({ state: 'detached' })
  }

  test('stays open from the list of rooms when the window becomes narrow, and wide again', async () => {
    await rooms().getByRole('button', { name: 'Create a room in Text rooms' }).click()
    await outlastsTurning('Name')
  })

  test('stays open from the menu of the space', async () => {
    await mira.button('Sunday hikers, space menu').click()
    await mira.page.getByRole('menuitem', { name: 'Change nickname' }).click()
    await outlastsTurning('Nickname')
  })

  test('stays open from the column of spaces', async () => {
    await mira.button('Create a space').click()
    await outlastsTurning('Space name')
  })

  test('replaces the drawer on a phone, and returns to the page behind it', async () => {
    await mira.page.setViewportSize(PHONE)
    await mira.button('Open spaces and rooms').click()
    await rooms().getByRole('button', { name: 'More options for general' }).click()
    await mira.page.getByRole('menuitem', { name: 'Room settings' }).click()
    await dialog('general').waitFor()
    await dialog('Spaces and rooms').waitFor({ state: 'detached' })
    await dialog('general').getByRole('navigation').getByRole('button', { name: 'Overview' }).click()
    await mira.field('Room name').fill('trails')
    await mira.button('Save changes').click()
    await mira.button('Close').click()
    await dialog('trails').waitFor({ state: 'detached' })
    await mira.composer('trails').fill('Who comes along?')
    assert.deepEqual(mira.complaints, [])
  })
})
