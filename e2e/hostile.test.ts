import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { LAST, makeHostileSpace, turnedParts, Watch } from './hostile-content.ts'
import type { Person } from './person.ts'
import { overflowingParts } from './screens/looks.ts'
import { type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }

/** The tests run in order: each continues where the previous one ended. */
describe('hostile content', { skip: noBrowser }, () => {
  let stage: Stage
  let watch: Watch
  let host: Settled
  let guest: Settled
  let mira: Person
  let jonas: Person
  let spaceId: string
  let generalId: string

  before(async () => {
    stage = await Stage.openOwn()
    watch = new Watch(stage.program.url)
    host = await settle(stage, 'mira')
    guest = await settle(stage, 'jonas')
    const kicked = await settle(stage, 'odd')
    const deleted = await settle(stage, 'lena')
    mira = host.person
    jonas = guest.person
    const made = await makeHostileSpace(host, guest, [kicked, deleted])
    spaceId = made.space.id
    generalId = made.general.id
    await host.client.members.kick(spaceId, kicked.id)
    await deleted.client.users.deleteMe({ password: deleted.person.password })
    for (const person of [mira, jonas]) {
      await watch.over(person)
      await enter(person)
    }
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  async function enter(person: Person): Promise<void> {
    await person.page.goto(`/spaces/${spaceId}/rooms/${generalId}`)
    await person.message(LAST).waitFor()
  }

  async function scrollThrough({ page }: Person, look: () => Promise<void>): Promise<void> {
    const list = page.getByRole('log')
    for (let step = 0; step < 12; step += 1) {
      await look()
      await list.evaluate((element) => {
        const scroller = [element, ...element.querySelectorAll('*'), element.parentElement].find(
          (part) => part !== null && part.scrollHeight > part.clientHeight + 100,
        )
        scroller?.scrollBy(0, -3000)
      })
    }
  }

  /** Asserts that nothing overflows and that no hostile content had an effect. */
  async function checkLook(person: Person): Promise<void> {
    assert.deepEqual(await overflowingParts(person.page), [])
    assert.deepEqual(await watch.findings(person), [])
  }

  test('hostile messages have no effect, and stay in their bounds on a desktop and a phone', async () => {
    for (const size of [DESKTOP, PHONE]) {
      await jonas.page.setViewportSize(size)
      await jonas.message(LAST).waitFor()
      await jonas.picture(`hostile-${size.width}`)
      await scrollThrough(jonas, () => checkLook(jonas))
      await enter(jonas)
    }
    await jonas.page.setViewportSize(DESKTOP)
  })

  test('names change the text direction only of themselves, wherever they appear', async () => {
    const { page } = jonas
    for (const part of ['.message-byline', '.message-text', '.system-text', '.member', '.page-header'])
      assert.deepEqual(await turnedParts(page, part), [], part)
    const ends = await page.title()
    assert.match(ends, / · \u2068<script>[^\u2069]*\u202e\u2069 · Foyer$/)
    await host.client.messages.typing(generalId)
    await page.getByText('is typing…').waitFor()
    assert.deepEqual(await turnedParts(page, '.typing-line'), [])
    await jonas.picture('hostile-names')
  })

  test('messages of deleted users remain, and their cards open', async () => {
    const theirs = mira.message('I was here')
    assert.equal(await theirs.count(), 2)
    for (const index of [0, 1]) {
      await theirs.nth(index).locator('.message-author').click()
      await mira.page.getByRole('dialog').waitFor()
      await mira.page.keyboard.press('Escape')
      await mira.page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await checkLook(mira)
  })
})
