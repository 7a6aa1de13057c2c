import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** Checks where elements are, that nothing covers them, and what Enter does. */
describe('the layout of a room', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Settled
  let settled: Settled
  let roomPath: string

  before(async () => {
    stage = await Stage.open()
    settled = await settle(stage, 'mira')
    mira = settled.person
    jonas = await settle(stage, 'jonas')
    const { space, general } = await gather('Sunday hikers', [settled, jonas])
    for (let count = 1; count <= 30; count += 1)
      await settled.client.messages.create(general.id, { content: `Line ${count}` })
    const newest = await settled.client.messages.list(general.id, { limit: 5 })
    await settled.client.messages.create(general.id, {
      content: 'The last.',
      reference: { message_id: newest.at(-1)?.id ?? '' },
    })
    roomPath = `/spaces/${space.id}/rooms/${general.id}`
    await mira.page.goto(roomPath)
    await mira.message('Line 30').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  /** Returns true if nothing covers the middle of the control. */
  function isInSight(control: Locator): Promise<boolean> {
    return control.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const found = document.elementFromPoint(x + width / 2, y + height / 2)
      return found !== null && element.contains(found)
    })
  }

  test('the first edit after a reload is completely visible, and so are later ones', async () => {
    await mira.page.reload()
    await mira.message('Line 30').waitFor()
    for (let times = 0; times < 3; times += 1) {
      await mira.composer('general').press('ArrowUp')
      await mira.field('Edit message').waitFor()
      await eventually(() => isInSight(mira.button('Save')), true)
      await eventually(() => isInSight(mira.field('Edit message')), true)
      assert.equal(await mira.button(/^Jump to/).count(), 0)
      await mira.field('Edit message').press('Escape')
      await mira.field('Edit message').waitFor({ state: 'detached' })
    }
  })

  test('a row keeps its height under the pointer', async () => {
    const row = mira.message('Line 29')
    const height = () => row.evaluate((element) => element.getBoundingClientRect().height)
    await mira.page.mouse.move(0, 0)
    const before = await height()
    await row.hover()
    await row.locator('.message-time').waitFor()
    assert.equal(await height(), before)
  })

  test('a tooltip lets clicks through to what it covers', async () => {
    await mira.page
      .getByRole('navigation', { name: 'Spaces' })
      .getByRole('link', { name: 'Sunday hikers' })
      .hover()
    const hint = mira.page.getByRole('tooltip', { name: 'Sunday hikers' })
    await hint.waitFor()
    const box = await hint.boundingBox()
    assert.ok(box !== null)
    await mira.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 5 })
    // Longer than a hint takes to disappear. It must stay while the pointer is on it.
    await mira.page.waitForTimeout(300)
    assert.equal(await hint.count(), 1)
    const under = await mira.page.evaluate(
      ({ x, y, width, height }) =>
        document.elementFromPoint(x + width / 2, y + height / 2)?.closest('[role=tooltip]') ?? null,
      box,
    )
    assert.equal(under, null)
    await mira.page.mouse.move(0, 0)
    await hint.waitFor({ state: 'detached' })
  })

  test('Enter adds a line in a code block, and sends after it', async () => {
    const composer = mira.composer('general')
    await composer.focus()
    for (const line of ['```js', 'let a', '```']) {
      if (line !== '```js') await mira.page.keyboard.press('Enter')
      await composer.pressSequentially(line)
    }
    assert.equal(await composer.inputValue(), '```js\nlet a\n```')
    await mira.page.keyboard.press('Enter')
    await eventually(() => composer.inputValue(), '')
    await mira.page.getByRole('log').locator('pre', { hasText: 'let a' }).waitFor()
  })

  test('red marks errors: the composer’s frame is red only for a text that is too long', async () => {
    const composer = mira.composer('general')
    const frameIs = (color: string) =>
      composer.evaluate((field, wanted) => {
        const form = field.closest('form') ?? field
        const probe = form.appendChild(document.createElement('i'))
        probe.style.color = `var(${wanted})`
        const { color: meant } = getComputedStyle(probe)
        probe.remove()
        return getComputedStyle(form).borderTopColor === meant
      }, color)
    await composer.focus()
    await eventually(() => frameIs('--ink-faint'), true)
    await composer.fill('too long '.repeat(1000))
    await eventually(() => frameIs('--danger'), true)
    await composer.fill('')
    await eventually(() => frameIs('--ink-faint'), true)
  })

  test('the clear button is next to the search filters, and the search shortcut pressed again searches the page', async () => {
    await mira.page.keyboard.press('Control+f')
    const search = mira.page.getByRole('combobox', { name: /^Search/ })
    await search.focus()
    const isLeftToBrowser = (field: Element) =>
      field.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'f', ctrlKey: true, bubbles: true, cancelable: true }),
      )
    assert.equal(await search.evaluate(isLeftToBrowser), true)
    for (const filter of ['from:mira', 'has:image']) {
      await search.pressSequentially(filter)
      await mira.page.getByRole('option').first().waitFor()
      await search.press('Tab')
      await eventually(() => search.inputValue(), '')
    }
    const [clear, chip] = [mira.button('Clear'), mira.button(/^Remove /).first()]
    const [place, first] = [await clear.boundingBox(), await chip.boundingBox()]
    assert.ok(place !== null && first !== null)
    assert.ok(Math.abs(place.y + place.height / 2 - (first.y + first.height / 2)) < 8)
    await mira.picture('search-filters')
    await mira.page.keyboard.press('Escape')
  })

  test('the composers of a room and of the thread beside it are aligned and equally high', async () => {
    await mira.button(/^1 reply/).click()
    await mira.field('Write a reply').waitFor()
    const boxes = await mira.page.locator('.composer').evaluateAll((composers) =>
      composers.map((composer) => {
        const { top, bottom } = composer.getBoundingClientRect()
        return [Math.round(top), Math.round(bottom)]
      }),
    )
    assert.equal(boxes.length, 2)
    assert.deepEqual(boxes[0], boxes[1])
    await mira.picture('thread-composer')
    await mira.button('Close replies').click()
  })

  test('the menu of a profile card is in its upper corner', async () => {
    await mira.page.getByRole('complementary', { name: 'Members' }).getByText('jonas').click()
    const card = mira.page.getByRole('dialog', { name: 'jonas' })
    const menu = card.getByRole('button', { name: 'More options for jonas' })
    const [around, place] = [await card.boundingBox(), await menu.boundingBox()]
    assert.ok(around !== null && place !== null)
    assert.ok(place.y - around.y < 24)
    assert.ok(around.x + around.width - (place.x + place.width) < 24)
    await mira.picture('profile-card')
    await mira.page.keyboard.press('Escape')
  })

  test('buttons that rooms and conversations share have the same order', async () => {
    const order = () =>
      mira.page
        .locator('.page-header')
        .evaluate((header) =>
          [...header.querySelectorAll('svg')].flatMap(({ classList }) =>
            ['lucide-pin', 'lucide-folder-open', 'lucide-search', 'lucide-bell', 'lucide-user-plus'].filter(
              (name) => classList.contains(name),
            ),
          ),
        )
    const ofRoom = await order()
    assert.equal(ofRoom.length, 5)
    const { id } = await settled.client.conversations.create({ recipient_ids: [jonas.id] })
    await mira.page.goto(`/conversations/${id}`)
    await mira.field('Message jonas').waitFor()
    assert.deepEqual(await order(), ofRoom)
    await mira.page.goto(roomPath)
    await mira.message('Line 30').waitFor()
  })

  test('search results show messages without their markup', async () => {
    await mira.say('[Trail map](https://example.org/map) is **ready**')
    await eventually(() => mira.outgoing(), 0)
    await mira.page.keyboard.press('Control+f')
    const search = mira.page.getByRole('combobox', { name: /^Search/ })
    await search.fill('ready')
    await search.press('Enter')
    const hit = mira.page.locator('.search-hit-text')
    await eventually(() => hit.allInnerTexts(), ['Trail map is ready'])
    await mira.page.keyboard.press('Escape')
  })

  test('the console has no errors', () => {
    assert.deepEqual(mira.complaints, [])
  })
})
