import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import type { Person } from './person.ts'
import { gather, settle } from './settled.ts'
import { Stage } from './stage.ts'

const LIST = ['Bring what one needs up there:', 'a hat', 'gloves', 'a lamp', 'a rope'].join('\n')

describe('pinned messages', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person

  before(async () => {
    stage = await Stage.open()
    const host = await settle(stage, 'mira')
    mira = host.person
    const { space, general } = await gather('Sunday hikers', [host])
    for (const content of ['Bring the map', LIST, 'Bring oranges']) {
      const { id } = await host.client.messages.create(general.id, { content })
      await host.client.pins.add(general.id, id)
    }
    await mira.page.goto(`/spaces/${space.id}`)
    await mira.message('Bring oranges').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  test('have their final size while they are loading, below their button and at the side of a phone', async () => {
    const answered = Promise.withResolvers<void>()
    await mira.page.route('**/pins', async (route) => {
      await answered.promise
      await route.continue()
    })
    await mira.button('Pinned messages').click()
    const panel = mira.page.getByRole('dialog', { name: 'Pinned messages' })
    await panel.getByRole('status', { name: 'Loading…' }).waitFor()
    const height = () => panel.evaluate((element) => element.clientHeight)
    const before = await height()
    await mira.picture('pins-loading')
    answered.resolve()
    await panel.getByText('Bring oranges').waitFor()
    assert.equal(await height(), before)
    await mira.page.setViewportSize({ width: 320, height: 640 })
    await panel.getByText('Bring oranges').waitFor()
    await mira.picture('pins-phone')
    await panel.getByRole('button', { name: 'Close' }).first().click()
    await panel.waitFor({ state: 'detached' })
    await mira.button('Pinned messages').click()
    await panel.getByText('Bring oranges').waitFor()
    assert.deepEqual(mira.complaints, [])
  })
})
