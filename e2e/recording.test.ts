import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'
import { gather, settle } from './settled.ts'
import { Stage } from './stage.ts'

describe('voice messages', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Person

  before(async () => {
    stage = await Stage.open({}, { microphone: true })
    const settled = await Promise.all([settle(stage, 'mira'), settle(stage, 'jonas')])
    const { space } = await gather('Sunday hikers', settled)
    ;[mira, jonas] = [settled[0].person, settled[1].person]
    await Promise.all(
      [mira, jonas].map(async (person) => {
        await person.page.goto(`/spaces/${space.id}`)
        await person.composer('general').waitFor()
      }),
    )
  })
  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const recorded = (person: Person) => person.page.getByRole('log').locator('audio')

  /** Seconds that the clock beside a recording shows: it may be past any of them when it is read. */
  const secondsRecorded = async (person: Person) => {
    const [minutes = '', seconds = ''] = (await person.page.getByRole('timer').innerText()).split(':')
    return Number(minutes) * 60 + Number(seconds)
  }

  test('what one records is heard by the other, who sees it coming', async () => {
    await mira.button('Record a voice message').click()
    await mira.page.getByText('Recording…').waitFor()
    await jonas.page.getByText('mira is recording…').waitFor()
    await eventually(async () => (await secondsRecorded(mira)) >= 2, true)
    await mira.picture('recording')
    await mira.button('Send the recording').click()
    await recorded(jonas).waitFor()
    await recorded(jonas).evaluate((audio: HTMLAudioElement) => audio.play())
    const length = () => recorded(jonas).evaluate((audio: HTMLAudioElement) => audio.duration)
    await eventually(async () => Math.round(await length()) >= 2, true)
    assert.ok((await length()) < 30, 'its length is known')
    await mira.composer('general').waitFor()
    await jonas.picture('recorded')
  })

  test('what is discarded is not sent, and the keyboard is back where one writes', async () => {
    await mira.button('Record a voice message').click()
    await mira.page.getByText('Recording…').waitFor()
    await mira.page.keyboard.press('Escape')
    await eventually(
      () => mira.composer('general').evaluate((field) => field === document.activeElement),
      true,
    )
    assert.equal(await recorded(mira).count(), 1)
  })

  test('the consoles are silent', () => {
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})
