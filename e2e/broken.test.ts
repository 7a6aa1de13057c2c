import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Message } from '@foyer/protocol/messages'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('failures of parts of the page', { skip: noBrowser }, () => {
  let stage: Stage
  let miras: Settled
  let mira: Person
  let path: string
  let generalId: string

  before(async () => {
    stage = await Stage.open()
    miras = await settle(stage, 'mira')
    mira = miras.person
    const { space, general } = await gather('Sunday hikers', [miras])
    path = `/spaces/${space.id}/rooms/${general.id}`
    generalId = general.id
    for (const content of ['first', 'second', 'third'])
      await miras.client.messages.create(general.id, { content })
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  test('a message that cannot be rendered does not affect the others', async () => {
    await mira.page.route(/\/messages\?/, async (route) => {
      const response = await route.fetch()
      const messages: Message[] = await response.json()
      const json = messages.map((message) =>
        message.content === 'second' ? { ...message, embeds: [null] } : message,
      )
      await route.fulfill({ response, json })
    })
    await mira.page.goto(path)
    await mira.page.getByText('This message can’t be displayed.').waitFor()
    assert.deepEqual(await mira.history(), ['first', 'third'])
    await mira.picture('broken-message')
    await mira.say('fourth')
    await eventually(() => mira.history(), ['first', 'third', 'fourth'])
    await mira.page.unroute(/\/messages\?/)
  })

  test('a part that cannot be loaded says so, the rest works, and it appears once it can be loaded', async () => {
    await mira.page.goto(path)
    await mira.composer('general').waitFor()
    await mira.page.route(/\/assets\/user-settings-/, (route) => route.abort())
    await mira.button(/^Account: /).click()
    await mira.button('User settings').click()
    await mira.page.getByText('Couldn’t load this section').waitFor()
    await mira.picture('broken-part')
    await mira.say('fifth')
    await mira.message('fifth').waitFor()
    await mira.page.unroute(/\/assets\/user-settings-/)
    await mira.button('Reload').click()
    await mira.composer('general').waitFor()
    await mira.button(/^Account: /).click()
    await mira.button('User settings').click()
    await mira.page.getByRole('dialog', { name: 'User settings' }).waitFor()
    await mira.page.keyboard.press('Escape')
  })

  test('the toolbar of a message is missing without a network, and appears when pointed at again', async () => {
    const tools = mira.page.getByRole('toolbar', { name: 'Message' })
    await mira.page.reload()
    await mira.message('third').waitFor()
    await mira.context.setOffline(true)
    // The client checks for a new build when a file cannot be loaded.
    const looked = mira.page.waitForEvent(
      'requestfailed',
      (request) => new URL(request.url()).pathname === '/',
    )
    await mira.message('first').hover()
    await looked
    await mira.say('sixth')
    await mira.message('sixth').waitFor()
    assert.deepEqual([await tools.count(), await mira.page.getByText('Couldn’t load').count()], [0, 0])
    await mira.context.setOffline(false)
    await mira.pointAt(mira.message('third'))
    await tools.getByRole('button', { name: 'Delete message' }).waitFor()
    assert.equal(await tools.evaluate((element) => getComputedStyle(element).position), 'absolute')
    await eventually(() => mira.outgoing(), 0)
  })

  test('a file of the old build reloads the page after an update, and the draft is kept', async () => {
    await mira.composer('general').fill('Half a sent')
    await mira.page.route(/\/assets\/space-settings-/, (route) => route.fulfill({ status: 404, body: '' }))
    await mira.page.route(/^[^/]*\/\/[^/]+\/$/, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<script type="module" src="/assets/index-new.js"></script>',
      }),
    )
    const reloaded = mira.page.waitForEvent('load')
    await mira.button('Sunday hikers, space menu').click()
    await mira.page.getByRole('menuitem', { name: 'Space settings' }).click()
    await reloaded
    await eventually(() => mira.composer('general').inputValue(), 'Half a sent')
    await mira.page.unrouteAll()
    await mira.button('Sunday hikers, space menu').click()
    await mira.page.getByRole('menuitem', { name: 'Space settings' }).click()
    await mira.page.getByRole('dialog', { name: 'Sunday hikers' }).waitFor()
  })
  test('a system message keeps its words when the part with its links cannot be loaded', async () => {
    const { page } = mira
    const [message] = await miras.client.messages.list(generalId)
    assert.ok(message)
    await miras.client.pins.add(generalId, message.id)
    await page.route(/\/assets\/system-parts-/, (route) => route.abort())
    // The client looks for a new build when a file cannot be loaded.
    const looked = page.waitForResponse((response) => new URL(response.url()).pathname === '/')
    await page.goto(path)
    await looked
    await setTimeout(300)
    const line = page.getByRole('log').locator('.system-text').last()
    assert.match(await line.innerText(), /mira pinned a message\./)
    assert.equal(await line.getByRole('button', { name: 'a message' }).count(), 0)
    await page.unrouteAll()
  })
})
