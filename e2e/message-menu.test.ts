import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused, Keys } from './keys.ts'
import type { Person } from './person.ts'
import { gather, settle } from './settled.ts'
import { Stage } from './stage.ts'

const WINDOW = { width: 500, height: 520 }
/** Minimum distance of the menu from the window's edge. */
const EDGE_PX = 8

describe('the menu of a message opened by a key', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person

  before(async () => {
    stage = await Stage.open()
    const host = await settle(stage, 'mira')
    mira = host.person
    const { space, general } = await gather('Sunday hikers', [host])
    for (const content of ['The list', 'line\n'.repeat(60), 'first', 'second', 'third', 'last'])
      await host.client.messages.create(general.id, { content })
    await mira.page.setViewportSize(WINDOW)
    await mira.page.goto(`/spaces/${space.id}/rooms/${general.id}`)
    await mira.message('last').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const menu = () => mira.page.getByRole('menu', { name: 'Message' })

  /** Opens the menu, once the message's buttons are there. The code for its keys loads with them. */
  async function openAt(message: Locator): Promise<void> {
    const keys = new Keys(mira.page)
    await message.focus()
    await message.getByRole('button', { name: 'More', exact: true }).waitFor()
    await keys.press('Enter')
    await menu().waitFor()
  }

  /** Returns the top and bottom of the menu after its animation, and the height that is only visible by scrolling. */
  async function extent() {
    await eventually(() => menu().evaluate((element) => element.getAnimations().length), 0)
    return menu().evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return { top, bottom, hidden: element.scrollHeight - element.clientHeight }
    })
  }

  test('is completely inside the window, wherever the message is', async () => {
    for (const text of ['last', 'third', 'first']) {
      await openAt(mira.message(text))
      const { top, bottom, hidden } = await extent()
      assert.ok(top >= EDGE_PX && bottom <= WINDOW.height - EDGE_PX, `${text}: from ${top} to ${bottom}`)
      assert.equal(hidden, 0, text)
      await mira.page.keyboard.press('Escape')
      await menu().waitFor({ state: 'detached' })
    }
  })

  test('is inside the window even if the message is taller', async () => {
    await openAt(mira.message('line'))
    const { top, bottom, hidden } = await extent()
    assert.ok(top >= EDGE_PX && bottom <= WINDOW.height - EDGE_PX, `from ${top} to ${bottom}`)
    assert.equal(hidden, 0)
    await mira.picture('message-menu')
    await mira.page.keyboard.press('Escape')
  })

  /** Reloads the page. Withholds the code for the keys of messages until the returned function is called. */
  async function openWithoutTools() {
    const { promise, resolve } = Promise.withResolvers<void>()
    await mira.page.route('**/message-tools-*.js', async (route) => {
      await promise
      await route.continue()
    })
    await mira.page.reload()
    await mira.message('last').waitFor()
    return resolve
  }

  const tools = (text: string) => mira.message(text).getByRole('toolbar', { name: 'Message' })

  test('opens as soon as its code has loaded if its key was pressed before', async () => {
    const letTools = await openWithoutTools()
    await mira.message('last').focus()
    await mira.page.keyboard.press('Enter')
    assert.equal(await tools('last').count(), 0)
    letTools()
    await menu().waitFor()
    await mira.page.keyboard.press('Escape')
    await menu().waitFor({ state: 'detached' })
    assert.ok(await isFocused(mira.message('last')))
  })

  test('leaves one toolbar: of the message with the focus, or of the one that the pointer moves to', async () => {
    const shown = () => mira.page.locator('.message-tools:visible').locator('xpath=..').allInnerTexts()
    const textsOf = async () => (await shown()).map((text) => text.split('\n').at(-1))
    await mira.message('third').focus()
    await mira.message('first').hover()
    await openAt(mira.message('last'))
    await mira.page.keyboard.press('Escape')
    await menu().waitFor({ state: 'detached' })
    await eventually(textsOf, ['last'])
    await mira.message('third').hover()
    await eventually(textsOf, ['third'])
    await mira.page.keyboard.press('ArrowUp')
    await eventually(textsOf, ['third'])
    await mira.page.keyboard.press('ArrowUp')
    await eventually(textsOf, ['second'])
  })

  test('stays closed if the focus has moved to another message', async () => {
    const letTools = await openWithoutTools()
    await mira.message('last').focus()
    await mira.page.keyboard.press('Enter')
    await mira.page.keyboard.press('ArrowUp')
    letTools()
    await tools('third').waitFor()
    assert.equal(await menu().count(), 0)
    assert.deepEqual(mira.complaints, [])
  })
})
