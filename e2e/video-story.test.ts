import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { seesPicture } from './moving-pictures.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

describe('two people with cameras and a screen', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled
  let jonas: Settled

  before(async () => {
    stage = await Stage.openOwn({}, { microphone: true })
    mira = await settle(stage, 'mira')
    jonas = await settle(stage, 'jonas')
    const { space } = await gather('Sunday hikers', [mira, jonas])
    for (const { person } of [mira, jonas]) {
      await person.page.goto(`/spaces/${space.id}`)
      await person.room('lounge').click()
      await person.page.getByText('Voice connected').first().waitFor()
    }
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const main = ({ person }: Settled) => person.page.getByRole('main')
  const tiles = (one: Settled) => main(one).getByRole('list', { name: 'In lounge' }).getByRole('listitem')
  const camera = (viewer: Settled, name: string) =>
    tiles(viewer)
      .filter({ hasText: new RegExp(`^${name}`) })
      .filter({ hasText: 'camera on' })

  test('CAMERA-1: two people see each other’s cameras', async () => {
    for (const one of [mira, jonas])
      await main(one).getByRole('button', { name: 'Camera', exact: true }).click()
    await seesPicture(camera(mira, 'jonas'))
    await seesPicture(camera(jonas, 'mira'))
    await jonas.person.picture('video-cameras')
  })

  test('CALLWINDOW-1, CALLWINDOW-3: a large picture arrives in more lines than a small one, as the figures say', async () => {
    const { page } = jonas.person
    const panel = page.getByRole('dialog', { name: 'Connection statistics' })
    const part = (title: string) => panel.locator('section').filter({ hasText: title })
    const figures = async () => {
      await main(jonas).getByRole('button', { name: 'Connection statistics' }).click()
      await panel.getByText('Route: UDP').waitFor()
    }
    await main(jonas).getByRole('button', { name: 'Speaker view' }).click()
    await figures()
    await part('mira')
      .getByText(/^(640 × 360|1280 × 720)$/)
      .waitFor()
    // One for each layer.
    await eventually(async () => (await part('Your camera').count()) > 1, true)
    await jonas.person.picture('video-figures')
    await page.keyboard.press('Escape')
    await main(jonas).getByRole('button', { name: 'Keep jonas large' }).click()
    await figures()
    await part('mira').getByText('320 × 180').waitFor()
    await part('mira')
      .getByText(/^Layer 1 of [23]$/)
      .waitFor()
    await page.keyboard.press('Escape')
    await main(jonas).getByRole('button', { name: 'Grid view' }).click()
    await panel.waitFor({ state: 'detached' })
  })

  test('CAMERA-4, CODEC-5: one shares a screen, which the other watches from the click on', async () => {
    await main(mira).getByRole('button', { name: 'Share screen', exact: true }).click()
    await mira.person.button('Choose what to share').click()
    await main(jonas).getByRole('button', { name: 'Watch stream' }).click()
    await seesPicture(tiles(jonas).filter({ hasText: 'mira’s screen' }))
    await jonas.person.picture('video-screen')
    const { page } = jonas.person
    await main(jonas).getByRole('button', { name: 'Connection statistics' }).click()
    const figures = page.getByRole('dialog', { name: 'Connection statistics' })
    await figures.locator('section').filter({ hasText: 'mira’s screen' }).getByText('AV1').waitFor()
    await page.keyboard.press('Escape')
    await mira.person.picture('video-own-screen')
    await main(mira).getByRole('button', { name: 'Stop sharing' }).click()
    await main(jonas).getByRole('button', { name: 'Stop watching' }).waitFor({ state: 'detached' })
  })

  test('the consoles have no errors', () => {
    for (const { person } of [mira, jonas]) assert.deepEqual(person.complaints, [], person.name)
  })
})
