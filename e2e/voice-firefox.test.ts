import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { type Firefox, noFirefox } from './firefox.ts'
import { FirefoxPerson } from './firefox-person.ts'
import { type Settled, settle } from './settled.ts'
import { voiceCounter, watchSound } from './sound.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('a voice room with Firefox', { skip: noBrowser || noFirefox }, () => {
  let stage: Stage
  let jonas: FirefoxPerson
  let firefox: Firefox
  let mira: Settled

  before(async () => {
    stage = await Stage.openOwn({}, { microphone: true })
    mira = await settle(stage, 'mira')
    await watchSound(mira.person.page)
    jonas = await FirefoxPerson.join(mira, stage.program.url)
    firefox = jonas.firefox
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    await jonas?.close()
    await stage?.close()
  })

  test('both users hear each other', async () => {
    await jonas.enterLounge()
    await mira.person.room('lounge').click()
    await mira.person.page.getByRole('main').getByText('jonas, speaking').waitFor()
    await eventually(await voiceCounter(mira.person.page), 1)
    const energy = `window.peers.at(-1).getStats().then((stats) =>
      [...stats.values()].some((report) => report.type === 'inbound-rtp' && report.totalAudioEnergy > 0))`
    await eventually(() => firefox.evaluate(energy), 'true')
    assert.deepEqual(mira.person.complaints, [])
  })

  test('QUIET-6: the strong noise suppression loads in Firefox, too, under the policy of the page, and sound keeps flowing', async () => {
    const press = async (label: string) => {
      const control = `document.querySelector('[aria-label="${label}"]')`
      await eventually(() => firefox.evaluate(`${control} !== null`), 'true')
      await firefox.evaluate(`${control}.click()`)
    }
    const sent = `window.peers.at(-1).getSenders()[0].track`
    const plain = await firefox.evaluate(`${sent}.id`)
    await press('Voice settings')
    await press('Strong noise suppression')
    // Without a device for sound, Firefox starts no worklet: then it goes on waiting for a click.
    const texts = `document.body.innerText`
    const hasLoaded = `${texts}.includes('starts with your next click') || ${sent}.label !== 'Default Audio Device'`
    await eventually(() => firefox.evaluate(hasLoaded), 'true')
    assert.equal(await firefox.evaluate(`${texts}.includes('couldn’t be loaded')`), 'false')
    await eventually(() => firefox.evaluate(`${sent}.id !== '${plain}' && ${sent}.readyState`), 'live')
    assert.equal(await firefox.evaluate('window.peers.length'), '1')
  })
})
