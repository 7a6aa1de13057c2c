import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { requestAs } from './as-person.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'
import { meet } from './settled.ts'
import { Stage } from './stage.ts'

const SAID = 250
const RARE = 40
/** More steps than lead from one end of the history to the other. */
const MAX_STEPS = 400
const STEP_PX = 500

/** The tests run in order: each continues where the previous one ended. */
describe('a long history', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Person
  let room: string
  const ids: string[] = []

  before(async () => {
    stage = await Stage.open()
    mira = await stage.person('mira')
    jonas = await stage.person('jonas')
    await meet(mira, jonas)
    room = new URL(mira.page.url()).pathname
    await mira.room('lounge').click()
    for (let number = 1; number <= SAID; number += 1) ids.push(await say(textOf(number)))
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  async function say(content: string): Promise<string> {
    const path = `/api/rooms/${room.split('/').at(-1)}/messages`
    const answer = await requestAs(jonas, path, { method: 'POST', body: { content } })
    const { id }: Record<string, string> = await answer.json()
    return id ?? ''
  }

  test('a room opens at the first unread message, and says how many there are', async () => {
    await mira.room('general, unread').waitFor()
    await mira.page.reload()
    await mira.room('general, unread').click()
    await mira.page.getByRole('log').getByText('100+ new messages').waitFor()
    await eventually(() => isInView(mira, 'message 1 '), true)
    await mira.picture('unread-divider')
    assert.equal(await mira.room('general, unread').count(), 0, 'the open room does not stand out')
  })

  test('the row in view keeps its position while scrolling through the whole history', async () => {
    const down = await scrollThrough(mira, STEP_PX)
    assert.deepEqual(down.jumps, [])
    await eventually(() => isInView(mira, `message ${SAID} `), true)
    const up = await scrollThrough(mira, -STEP_PX)
    assert.deepEqual(up.jumps, [])
    assert.ok(Math.max(down.rows, up.rows) < 200, `${down.rows} and ${up.rows} rows were drawn at most`)
  })

  test('a link leads to an old message, with history in both directions', async () => {
    await mira.page.goto(`${room}/${ids[RARE - 1]}`)
    await eventually(() => isInView(mira, `message ${RARE} `), true)
    await eventually(() => new URL(mira.page.url()).pathname, room)
    const target = mira.message(`message ${RARE} `)
    await eventually(() => target.evaluate((row) => row === document.activeElement), true)
    assert.deepEqual((await scrollThrough(mira, -STEP_PX)).jumps, [])
    assert.deepEqual((await scrollThrough(mira, STEP_PX)).jumps, [])
    await eventually(() => isInView(mira, `message ${SAID} `), true)
  })

  test('returning to a room restores its scroll position', async () => {
    await scroll(mira, -2000)
    const seen = await rowInMiddle(mira)
    await mira.room('lounge').click()
    await mira.page.getByRole('heading', { level: 1, name: 'lounge' }).waitFor()
    await mira.room('general').click()
    await eventually(() => rowInMiddle(mira), seen)
    await mira.button('Jump to latest').click()
    await eventually(() => isInView(mira, `message ${SAID} `), true)
  })

  test('a search result is opened in the history', async () => {
    await mira.page.keyboard.press('Control+f')
    const field = mira.page.getByRole('combobox', { name: 'Search Sunday hikers' })
    await field.fill('KAISERSCHM')
    await field.press('Enter')
    const hit = mira.page.getByRole('complementary', { name: 'Search Sunday hikers' }).getByRole('link')
    await hit.getByText('Kaiserschmarrn').waitFor()
    await mira.picture('search')
    await hit.click()
    await eventually(() => isInView(mira, `message ${RARE} `), true)
    await mira.button('Close search').click()
    await mira.button('Jump to latest').click()
    await eventually(() => isInView(mira, `message ${SAID} `), true)
  })

  test('reading in one browser counts in the other, and deleted messages are subtracted', async () => {
    const whoAmI = await requestAs(mira, '/api/users/@me')
    const { id: myId }: Record<string, string> = await whoAmI.json()
    const other = await stage.person('mira')
    await other.page.goto('/')
    await other.page.getByLabel('Email or username').fill('mira')
    await other.page.getByLabel('Password').fill(mira.password)
    await other.button('Sign in').click()
    for (const browser of [mira, other]) await browser.room('lounge').click()
    await say(`<@${myId}> are you there?`)
    const mention = await say(`<@${myId}> look at this`)
    for (const browser of [mira, other]) await browser.room('general, 2 mentions, unread').waitFor()
    await eventually(() => mira.titleMark(), '(2)')
    const path = `/api/rooms/${room.split('/').at(-1)}/messages/${mention}`
    await requestAs(jonas, path, { method: 'DELETE' })
    for (const browser of [mira, other]) await browser.room('general, 1 mention, unread').waitFor()
    await mira.room('general, 1 mention, unread').click()
    await mira.message('are you there?').waitFor()
    await other.room('general, 1 mention, unread').waitFor({ state: 'detached' })
    assert.doesNotMatch(await other.page.title(), /^[(•]/)
    assert.deepEqual(other.complaints, [])
  })

  test('the consoles have no errors', () => {
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})

/** Returns texts of different lengths, so that no two screens are alike. */
function textOf(number: number): string {
  if (number === RARE) return `message ${number} speaks of Kaiserschmarrn`
  return `message ${number} speaks ${'of ridges, lakes and trains '.repeat((number * 7) % 11)}`
}

function isInView(person: Person, text: string): Promise<boolean> {
  return person.page.locator('.message-scroller').evaluate((box, wanted) => {
    const view = box.getBoundingClientRect()
    return [...box.querySelectorAll('[data-row]')].some((row) => {
      const { top, bottom } = row.getBoundingClientRect()
      return row.textContent.includes(wanted) && bottom > view.top && top < view.bottom
    })
  }, text)
}

function rowInMiddle(person: Person): Promise<string> {
  return person.page.locator('.message-scroller').evaluate((box) => {
    const view = box.getBoundingClientRect()
    const rows = [...box.querySelectorAll<HTMLElement>('[data-row]')]
    const row = rows.find((one) => one.getBoundingClientRect().bottom > view.top + view.height / 2)
    return row === undefined ? '' : `${row.dataset.row} ${Math.round(row.getBoundingClientRect().top)}`
  })
}

/** Scrolls as a mouse wheel does. */
function scroll(person: Person, distance: number): Promise<void> {
  return person.page.locator('.message-scroller').evaluate((box, by) => {
    box.scrollTop += by
  }, distance)
}

/**
 * Scrolls to one end in steps. Returns the steps in which the row in the middle did not move by the distance of the
 * step, and the maximum number of rows drawn.
 */
async function scrollThrough(person: Person, step: number): Promise<{ jumps: string[]; rows: number }> {
  const jumps: string[] = []
  let [rows, still] = [0, 0]
  for (let steps = 0; still < 5 && steps < MAX_STEPS; steps += 1) {
    const seen = await person.page.locator('.message-scroller').evaluate(stepOnce, step)
    rows = Math.max(rows, seen.rows)
    still = seen.moved === 0 && !seen.isLoading ? still + 1 : 0
    if (Math.abs(seen.jump) > 2) jumps.push(`${seen.key}: ${seen.jump}`)
  }
  return { jumps, rows }
}

async function stepOnce(box: Element, step: number) {
  const view = box.getBoundingClientRect()
  const all = () => [...box.querySelectorAll<HTMLElement>('[data-row]')]
  const middle = view.top + view.height / 2
  const row = all().find((one) => one.getBoundingClientRect().bottom > middle)
  const [key, before, top] = [row?.dataset.row, row?.getBoundingClientRect().top ?? 0, box.scrollTop]
  box.scrollTop += step
  const moved = box.scrollTop - top
  for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame)
  const now = all().find((one) => one.dataset.row === key)
  const jump = now === undefined ? Number.NaN : now.getBoundingClientRect().top - before + moved
  const isLoading = [...box.querySelectorAll('.loading-rows')].some((loading) => {
    const { top: begin, bottom: end } = loading.getBoundingClientRect()
    return end > view.top && begin < view.bottom
  })
  return {
    key: key ?? '',
    jump: Number.isNaN(jump) ? 9999 : jump,
    moved,
    isLoading,
    rows: box.querySelectorAll('li').length,
  }
}
