import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Client } from '@foyer/sdk/client'
import type { ElementHandle, Page } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { GatewaySockets } from './gateway-sockets.ts'
import type { Person } from './person.ts'
import { gather, type Settled, settle } from './settled.ts'
import { ear, watchSound } from './sound.ts'
import { Stage } from './stage.ts'

/** One story: each test goes on where the one before ended. */
describe('tabs of one person', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled
  let jonas: Settled
  let sockets: GatewaySockets
  let path: string
  let roomId: string
  let pages: Page[]
  /** All that was said so far. */
  const said: string[] = []

  before(async () => {
    stage = await Stage.open({}, { microphone: true })
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

  async function openTab(): Promise<Page> {
    const page = await mira.person.context.newPage()
    page.on('pageerror', (error) => mira.person.complaints.push(String(error)))
    await watchSound(page)
    await page.goto(path)
    await composer(page).waitFor()
    return page
  }

  async function say(client: Client, ...texts: string[]): Promise<void> {
    for (const content of texts) await client.messages.create(roomId, { content })
    said.push(...texts)
  }

  async function allSee(): Promise<void> {
    for (const page of pages) await eventually(() => history(page), said)
  }

  /** The tab that has the connection leaves the others. */
  async function takeLeader(): Promise<Page> {
    const leader = sockets.open[0]?.page
    assert.ok(leader)
    pages = pages.filter((page) => page !== leader)
    return leader
  }

  /** Another tab has taken up the connection where it was, without asking for everything again. */
  async function assertResumed(times: number): Promise<void> {
    await eventually(() => [sockets.open.length, sockets.sent(6), sockets.sent(2)], [1, times, 1])
  }

  test('TAB-1: five hold one connection, and all see what is said', async () => {
    await mira.person.page.close()
    pages = [await openTab()]
    pages.push(...(await Promise.all([openTab(), openTab(), openTab(), openTab()])))
    await say(jonas.client, 'for all five')
    await allSee()
    assert.deepEqual([sockets.all.length, sockets.open.length, sockets.sent(2)], [1, 1, 1])
  })

  test('TAB-2: the one that has it is closed while messages stream: nothing is lost, and nothing doubled', async () => {
    const texts = Array.from({ length: 30 }, (_, index) => `streamed ${index}`)
    const leader = await takeLeader()
    const streaming = say(jonas.client, ...texts)
    await pages[0]?.getByText('streamed 5', { exact: true }).waitFor()
    await leader.close()
    await streaming
    await allSee()
    await assertResumed(1)
  })

  test('TAB-2: the one that has it is put to sleep: another goes on, and it follows when it is awake again', async () => {
    const sleeper = await takeLeader()
    await sleeper.evaluate(() => document.dispatchEvent(new Event('freeze')))
    await say(jonas.client, 'while one sleeps')
    await allSee()
    await assertResumed(2)
    assert.equal((await history(sleeper)).includes('while one sleeps'), false)
    await sleeper.evaluate(() => document.dispatchEvent(new Event('resume')))
    pages.push(sleeper)
    await say(jonas.client, 'all awake')
    await allSee()
    assert.equal(sockets.open.length, 1)
  })

  test('TAB-6: one that has it not talks, also after the one that has it is closed', async () => {
    const leader = await takeLeader()
    const [talking] = pages
    assert.ok(talking)
    const lounge = (page: Page) =>
      page.getByRole('navigation', { name: 'Rooms' }).getByRole('link', { name: 'lounge' })
    await watchSound(jonas.person.page)
    await jonas.person.page.reload()
    for (const page of [talking, jonas.person.page]) {
      await lounge(page).click()
      await panel(page).getByText('Voice connected').waitFor()
    }
    await eventually(await ear(talking), 1)
    await leader.close()
    await assertResumed(3)
    await eventually(await ear(talking), 1)
    await eventually(await ear(jonas.person.page), 1)
    await panel(talking).getByRole('button', { name: 'Mute', exact: true }).click()
    await jonas.person.page
      .getByRole('list', { name: 'In lounge' })
      .first()
      .getByText('mira, muted')
      .waitFor()
    await panel(talking).getByRole('button', { name: 'Leave voice' }).click()
    await panel(jonas.person.page).getByRole('button', { name: 'Leave voice' }).click()
  })

  test('TAB-7: who signs out in one is signed out in all, and in again in all', async () => {
    const [one, two, three] = pages
    assert.ok(one && two && three)
    await (await openSignOut(one)).click()
    for (const page of pages) await welcome(page).waitFor()
    await eventually(() => sockets.open.length, 0)
    await signIn(two, mira.person)
    for (const page of pages) await page.getByRole('button', { name: /^Account: / }).waitFor()
    await eventually(() => sockets.open.length, 1)
  })

  test('TAB-7: two that sign out at once are both where one signs in, and say nothing of it', async () => {
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
