import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { noFirefox } from './firefox.ts'
import { FirefoxPerson } from './firefox-person.ts'
import { seesPicture } from './moving-pictures.ts'
import { type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('cameras and screens between Chromium and Firefox', { skip: noBrowser || noFirefox }, () => {
  let stage: Stage
  let jonas: FirefoxPerson
  let mira: Settled

  before(async () => {
    stage = await Stage.openOwn({}, { microphone: true })
    mira = await settle(stage, 'mira')
    jonas = await FirefoxPerson.join(mira, stage.program.url)
    await mira.person.room('lounge').click()
    await mira.person.page.getByText('Voice connected').first().waitFor()
    await jonas.enterLounge()
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    await jonas?.close()
    await stage?.close()
  })

  const main = () => mira.person.page.getByRole('main')
  const tile = (text: RegExp | string) =>
    main().getByRole('list', { name: 'In lounge' }).getByRole('listitem').filter({ hasText: text })

  test('CAMERA-1: each sees the other’s camera', async () => {
    await main().getByRole('button', { name: 'Camera', exact: true }).click()
    await jonas.press('Camera')
    await seesPicture(tile(/^jonas/).filter({ hasText: 'camera on' }))
    await eventually(() => jonas.movingPictures(), 1)
    await mira.person.picture('video-of-firefox')
  })

  test('CAMERA-4: Firefox watches a screen of Chromium', async () => {
    await main().getByRole('button', { name: 'Share screen', exact: true }).click()
    await mira.person.button('Choose what to share').click()
    await jonas.press('Watch stream')
    await eventually(() => jonas.movingPictures(), 2)
    await main().getByRole('button', { name: 'Stop sharing' }).click()
    await eventually(() => jonas.movingPictures(), 1)
  })

  test('CAMERA-4: Chromium watches a screen of Firefox', async () => {
    await jonas.drawScreen()
    await jonas.press('Share screen')
    await jonas.press('Choose what to share')
    await main().getByRole('button', { name: 'Watch stream' }).click()
    await seesPicture(tile('jonas’s screen'))
    await jonas.press('Stop sharing')
    await tile('jonas’s screen').waitFor({ state: 'detached' })
  })

  test('the console has no errors', () => assert.deepEqual(mira.person.complaints, []))
})
