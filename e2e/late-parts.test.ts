import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { gather, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** Parts that show nothing in an ordinary room. */
const NOTES = ['pane-end', 'room-banners', 'status-notes', 'unseen-parts']

/** Runs in the page. Without its limit in time, the wait ends with the messages alone. */
function dropLimit(): void {
  const { setTimeout: set } = window
  const isLimit = (ms: unknown) => ms === 1500
  Object.assign(window, { setTimeout: (run: () => void, ms?: number) => (isLimit(ms) ? 0 : set(run, ms)) })
}

describe('parts that seldom show anything', { skip: noBrowser }, () => {
  let stage: Stage

  before(async () => {
    stage = await Stage.open()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  test('WEB-26: they are requested once the messages are shown', async () => {
    const mira = await settle(stage, 'mira')
    const { person } = mira
    const { space, general } = await gather('Sunday hikers', [mira])
    await mira.client.messages.create(general.id, { content: 'first' })
    const { page } = person
    await page.addInitScript(dropLimit)
    const requested = new Set<string>()
    page.on('request', (request) => {
      const [, name] = /\/assets\/([\w-]+)-[\w-]{8}\.js$/.exec(request.url()) ?? []
      if (name !== undefined) requested.add(name)
    })
    const notes = () => NOTES.filter((name) => requested.has(name))
    const held = Promise.withResolvers<void>()
    await page.route(/\/messages\?/, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto(`/spaces/${space.id}/rooms/${general.id}`)
    await person.composer('general').waitFor()
    assert.deepEqual(notes(), [])
    held.resolve()
    await person.message('first').waitFor()
    await eventually(notes, NOTES)
  })

  test('WEB-27: rooms stay where they are while the followed threads below another one are loaded', async () => {
    const nora = await settle(stage, 'nora')
    const { page } = nora.person
    const { space, general } = await gather('Sunday hikers', [nora])
    for (const title of ['Boots', 'Maps']) await nora.client.api(ThreadRooms).create(general.id, { title })
    const threads = page.getByRole('list', { name: 'Threads' }).getByRole('link')
    const isBelow = async () => (await page.locator('[data-room]').last().boundingBox())?.y
    await page.goto(`/spaces/${space.id}/rooms/${general.id}`)
    await eventually(() => threads.count(), 2)
    const before = await isBelow()
    const held = Promise.withResolvers<void>()
    await page.route(/\/threads\?.*forums/, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.reload()
    await nora.person.composer('general').waitFor()
    assert.equal(await threads.count(), 0)
    assert.equal(await isBelow(), before)
    held.resolve()
    await eventually(() => threads.count(), 2)
    assert.equal(await isBelow(), before)
  })
})
