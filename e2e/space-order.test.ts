import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { gather, type Settled, settle, signIn } from './settled.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('SPACE-14: the order of spaces', { skip: noBrowser }, () => {
  let stage: Stage
  let settled: Settled
  let mira: Person

  before(async () => {
    stage = await Stage.open()
    settled = await settle(stage, 'mira')
    mira = settled.person
    for (const name of ['Hikers', 'Bakers', 'Choir']) await gather(name, [settled])
    await mira.page.goto('/home')
    await tile('Choir').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const rail = () => mira.page.getByRole('navigation', { name: 'Spaces' })
  const tile = (name: string) => rail().getByRole('link', { name })
  const shown = () =>
    rail()
      .locator('.space-tile')
      .evaluateAll((tiles) => tiles.map((element) => element.getAttribute('aria-label')))

  /** Drags with the mouse onto another space. Height 0 is its upper edge, 1 its lower. */
  async function drag(name: string, over: string, height: number): Promise<void> {
    const [start, end] = [await tile(name).boundingBox(), await tile(over).boundingBox()]
    assert.ok(start !== null && end !== null)
    await mira.page.mouse.move(start.x + 20, start.y + start.height / 2)
    await mira.page.mouse.down()
    await mira.page.mouse.move(end.x + 20, end.y + end.height * height, { steps: 6 })
  }

  test('is changed by dragging, which opens nothing, and not after Escape', async () => {
    assert.deepEqual(await shown(), ['Hikers', 'Bakers', 'Choir'])
    await drag('Choir', 'Hikers', 0.2)
    await mira.picture('drag-space')
    await mira.page.keyboard.press('Escape')
    await mira.page.mouse.up()
    assert.deepEqual(await shown(), ['Hikers', 'Bakers', 'Choir'])
    await drag('Choir', 'Hikers', 0.2)
    await mira.page.mouse.up()
    await eventually(shown, ['Choir', 'Hikers', 'Bakers'])
    assert.equal(new URL(mira.page.url()).pathname, '/home')
  })

  test('is changed by keys, which keep the focus on the space and announce its position', async () => {
    await tile('Choir').focus()
    await mira.page.keyboard.press('Alt+ArrowDown')
    await eventually(shown, ['Hikers', 'Choir', 'Bakers'])
    await rail().getByRole('status').getByText('Choir is now before Bakers.').waitFor()
    await mira.page.keyboard.press('Alt+ArrowDown')
    await eventually(shown, ['Hikers', 'Bakers', 'Choir'])
    await rail().getByRole('status').getByText('Choir is now last.').waitFor()
    assert.ok(await isFocused(tile('Choir')))
    await mira.page.keyboard.press('Alt+ArrowUp')
    await eventually(shown, ['Hikers', 'Choir', 'Bakers'])
    await eventually(() => isFocused(tile('Choir')), true)
    await mira.page.keyboard.press('Alt+ArrowDown')
    await eventually(shown, ['Hikers', 'Bakers', 'Choir'])
    await mira.page.keyboard.press('Alt+ArrowDown')
    assert.deepEqual(await shown(), ['Hikers', 'Bakers', 'Choir'])
    assert.deepEqual(await namelessParts(mira.page), [])
  })

  test('is changed by the menu of a space, and followed by keys that move between spaces', async () => {
    await tile('Bakers').click({ button: 'right' })
    await mira.page.getByRole('menuitem', { name: 'Move up' }).click()
    await eventually(shown, ['Bakers', 'Hikers', 'Choir'])
    await mira.page.getByText('Bakers is now before Hikers.').waitFor({ state: 'attached' })
    await tile('Bakers').click({ button: 'right' })
    await mira.page.getByRole('menuitem', { name: 'Move down' }).waitFor()
    assert.equal(await mira.page.getByRole('menuitem', { name: 'Move up' }).count(), 0)
    await mira.page.keyboard.press('Escape')
    await mira.page.getByRole('menu').waitFor({ state: 'detached' })
    await mira.page.keyboard.press('Control+Alt+ArrowDown')
    await mira.page.getByRole('button', { name: 'Bakers, space menu' }).waitFor()
  })

  test('is not changed by keys or dragging in a dialog of a space', async () => {
    const before = await shown()
    await tile('Hikers').click({ button: 'right' })
    await mira.page.getByRole('menuitem', { name: 'Change nickname' }).click()
    const field = mira.page.getByRole('dialog').getByRole('textbox')
    await field.fill('Mira of the hills')
    await field.press('Alt+ArrowDown')
    const box = await field.boundingBox()
    assert.ok(box !== null)
    await mira.page.mouse.move(box.x + 60, box.y + box.height / 2)
    await mira.page.mouse.down()
    await mira.page.mouse.move(box.x + 10, box.y + box.height * 8, { steps: 6 })
    await mira.page.mouse.up()
    await mira.page.keyboard.press('Escape')
    await mira.page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.deepEqual(await shown(), before)
  })

  test('outlives a reload, has new spaces at its end, and applies on a phone, too', async () => {
    await mira.page.reload()
    await eventually(shown, ['Bakers', 'Hikers', 'Choir'])
    await gather('Divers', [settled])
    await eventually(shown, ['Bakers', 'Hikers', 'Choir', 'Divers'])
    await tile('Divers').click()
    await mira.composer('general').waitFor()
    await mira.page.setViewportSize({ width: 390, height: 844 })
    await mira.button('Open spaces and rooms').click()
    await mira.button('Divers, space menu').click()
    await mira.page.getByRole('menuitem', { name: 'Move up' }).click()
    await eventually(shown, ['Bakers', 'Hikers', 'Divers', 'Choir'])
    await mira.page.keyboard.press('Escape')
    await mira.page.setViewportSize({ width: 1280, height: 800 })
  })

  test('is removed from the browser when its user signs out', async () => {
    const kept = () => mira.page.evaluate(() => localStorage.getItem('foyer.space-order'))
    assert.notEqual(await kept(), null)
    await mira.signOut()
    await mira.button('Sign in').waitFor()
    assert.equal(await kept(), null)
    await signIn(mira, 'mira')
    await mira.page.goto('/home')
    await eventually(shown, ['Hikers', 'Bakers', 'Choir', 'Divers'])
    assert.deepEqual(mira.complaints, [])
  })
})
