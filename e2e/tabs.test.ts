import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Client } from '@foyer/sdk/client'
import type { ElementHandle, Page } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { GatewaySockets } from './gateway-sockets.ts'
import type { Person } from './person.ts'
import { gather, type Settled, settle } from './settled.ts'
import { voiceCounter, watchSound } from './sound.ts'
import { Stage } from './stage.ts'

/** Opcodes of the gateway. */
const IDENTIFY = 2
const RESUME = 6

/** Time for ten pages to draw on two cores that also do other work. */
const OPENING_MS = 90_000

/** The tests run in order: each continues where the previous one ended. */
describe('tabs of one user', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled
  let jonas: Settled
  let sockets: GatewaySockets
  let path: string
  let roomId: string
  let pages: Page[]
  /** All messages sent so far. */
  const sent: string[] = []

  before(async () => {
    stage = await Stage.openOwn({}, { microphone: true })
    ;[mira, jonas] = await Promise.all([settle(stage, 'mira'), settle(stage, 'jonas')])
    const { space, general } = await gather('Sunday hikers', [mira, jonas])
    path = `/spaces/${space.id}/rooms/${general.id}`
    roomId = general.id
    sockets = new GatewaySockets(mira.person.context)
    await jonas.person.page.goto(path)
    await jonas.person.composer('general').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const composer = (page: Page) => page.getByRole('textbox', { name: 'Message #general', exact: true })
  const history = (page: Page) => page.getByRole('log').locator('.message-text').allInnerTexts()
  const panel = (page: Page) => page.getByRole('region', { name: 'Voice', exact: true })
  const welcome = (page: Page) => page.getByRole('heading', { name: 'Welcome back' })
  const inRail = (page: Page) =>
    page.getByRole('navigation', { name: 'Spaces' }).getByRole('link', { name: /^Sunday hikers/ })
  const mentions = async (page: Page) =>
    (await inRail(page).getAttribute('aria-label'))?.includes('1 mention')
  const inLounge = (page: Page) => page.getByRole('list', { name: 'In lounge' }).first()

  async function openTab(): Promise<Page> {
    const page = await mira.person.context.newPage()
    page.on('pageerror', (error) => mira.person.complaints.push(String(error)))
    await watchSound(page)
    await page.goto(path, { waitUntil: 'commit' })
    await composer(page).waitFor({ timeout: OPENING_MS })
    return page
  }

  async function say(client: Client, ...texts: string[]): Promise<void> {
    for (const content of texts) await client.messages.create(roomId, { content })
    sent.push(...texts)
  }

  async function allSee(): Promise<void> {
    for (const page of pages) await eventually(() => history(page), sent)
  }

  /** Uses the list of spaces: loading the page would open another connection. */
  async function openSpace(page: Page): Promise<void> {
    await inRail(page).click()
    await composer(page).waitFor()
  }

  async function joinLounge(page: Page): Promise<void> {
    await page.getByRole('navigation', { name: 'Rooms' }).getByRole('link', { name: 'lounge' }).click()
    await panel(page).getByText('Voice connected').waitFor()
  }

  test('TAB-1: ten tabs opened at once each have a connection, and show each message once', async () => {
    await mira.person.page.close()
    pages = await Promise.all(Array.from({ length: 10 }, openTab))
    await say(jonas.client, 'for all ten', 'and once each')
    await allSee()
    assert.deepEqual([sockets.open.length, sockets.sent(IDENTIFY)], [10, 10])
  })

  test('TAB-1: ten tabs that lost the server all resume, and miss nothing', async () => {
    // Without a service worker, Chromium keeps a failed import until a reload: the popups load before the outage.
    for (const page of pages) await eventually(() => page.evaluate(hasPopups), true)
    await stage.program.kill()
    await stage.restart()
    await say(jonas.client, 'after the outage')
    await allSee()
    await eventually(() => [sockets.open.length, sockets.sent(RESUME), sockets.sent(IDENTIFY)], [10, 10, 10])
    for (const page of pages.splice(3)) await page.close()
    await jonas.person.composer('general').waitFor()
    for (const { person } of [mira, jonas]) person.forgiveOutage()
  })

  test('TAB-5: a room read in one tab is read in all', async () => {
    const [reading, other, third] = pages
    assert.ok(reading && other && third)
    for (const page of pages) {
      await page.getByRole('link', { name: /^Home/ }).click()
      await composer(page).waitFor({ state: 'detached' })
    }
    await say(jonas.client, `<@${mira.id}> here?`)
    for (const page of pages) await eventually(() => mentions(page), true)
    await openSpace(reading)
    for (const page of pages) await eventually(() => mentions(page), false)
    for (const page of [other, third]) await openSpace(page)
  })

  test('TAB-6: one tab is in voice, whatever happens to the others', async () => {
    const [talking, other, third] = pages
    assert.ok(talking && other && third)
    await watchSound(jonas.person.page)
    await jonas.person.page.reload()
    for (const page of [talking, jonas.person.page]) await joinLounge(page)
    await inLounge(other).getByText('mira').waitFor()
    assert.equal(await panel(other).count(), 0)
    pages = [talking, other]
    await third.close()
    await eventually(await voiceCounter(talking), 1)
    await eventually(await voiceCounter(jonas.person.page), 1)
    await panel(talking).getByRole('button', { name: 'Mute', exact: true }).click()
    for (const page of [other, jonas.person.page]) await inLounge(page).getByText('mira, muted').waitFor()
  })

  test('TAB-6: joining in another tab moves the user there', async () => {
    const [before, next] = pages
    assert.ok(before && next)
    await joinLounge(next)
    await before.getByText('You joined from another device or tab').waitFor()
    await eventually(await voiceCounter(next), 1)
    for (const page of [next, jonas.person.page])
      await panel(page).getByRole('button', { name: 'Leave voice' }).click()
    await inLounge(before).waitFor({ state: 'detached' })
  })

  test('TAB-7: signing out in one tab signs out all, and so does signing in', async () => {
    pages.push(await openTab())
    const [one, two] = pages
    assert.ok(one && two)
    await (await openSignOut(one)).click()
    for (const page of pages) await welcome(page).waitFor()
    await eventually(() => sockets.open.length, 0)
    await signIn(two, mira.person)
    for (const page of pages) await page.getByRole('button', { name: /^Account: / }).waitFor()
    await eventually(() => sockets.open.length, pages.length)
  })

  test('TAB-7: two tabs that sign out at once both return to the sign-in page, without an error', async () => {
    const buttons = await Promise.all(pages.slice(0, 2).map(openSignOut))
    await Promise.all(buttons.map((button) => button.dispatchEvent('click')))
    for (const page of pages) {
      await welcome(page).waitFor()
      assert.equal(await page.getByRole('alert').count(), 0)
    }
    await eventually(() => sockets.open.length, 0)
    assert.deepEqual([mira.person.complaints, jonas.person.complaints], [[], []])
  })
})

/** Returns true if the page has loaded all its popups. */
function hasPopups(): boolean {
  return performance.getEntriesByName('popups loaded', 'mark').length > 0
}

async function openSignOut(page: Page): Promise<ElementHandle> {
  await page.getByRole('button', { name: /^Account: / }).click()
  const button = page.getByRole('button', { name: 'Sign out', exact: true })
  await button.waitFor()
  const element = await button.elementHandle()
  assert.ok(element)
  return element
}

async function signIn(page: Page, { name, password }: Person): Promise<void> {
  await page.getByRole('textbox', { name: 'Email or username', exact: true }).fill(`${name}@example.org`)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
