import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { speechInNoise, waveFile } from '../apps/web/test/speech/speech-in-noise.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { namelessParts } from './names.ts'
import {
  lastMicrophone,
  measureSent,
  refuseMicrophones,
  requirePress,
  sentSource,
  soundFrame,
  suspendFilter,
  unplugMicrophone,
  watchFilters,
  watchMicrophones,
} from './sent-voice.ts'
import { chooseSection } from './settings.ts'
import { gather, type Settled, settle } from './settled.ts'
import { watchSound } from './sound.ts'
import { Stage } from './stage.ts'

/** Two phrases and two pauses. */
const MEASURED_SECONDS = 6.2

/** The tests run in order: each continues where the previous one ended. */
describe('strong noise suppression', { skip: noBrowser }, () => {
  let folder: string
  let stage: Stage
  let mira: Settled

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'foyer-speech-'))
    const file = join(folder, 'speech.wav')
    await writeFile(file, waveFile(speechInNoise().noisy))
    stage = await Stage.openOwn({}, { microphone: file })
    mira = await settle(stage, 'mira')
    const { space } = await gather('Sunday hikers', [mira])
    await watchSound(page())
    await watchMicrophones(page())
    await page().goto(`/spaces/${space.id}`)
    await mira.person.composer('general').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    await stage?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const page = () => mira.person.page
  const panel = () => page().getByRole('region', { name: 'Voice', exact: true })
  const plain = () => page().getByRole('switch', { name: 'Noise suppression', exact: true })
  const strong = () => page().getByRole('switch', { name: 'Strong noise suppression' })
  const openSettings = () => panel().getByRole('button', { name: 'Voice settings' }).click()

  async function enterLounge(): Promise<void> {
    await mira.person.room('lounge').click()
    await panel().getByText('Voice connected').waitFor()
    await eventually(async () => (await sentSource(page())) !== 'nothing', true)
  }

  async function closeSettings(): Promise<void> {
    await page().keyboard.press('Escape')
    await page().getByRole('dialog').waitFor({ state: 'detached' })
  }

  test('QUIET-4: if it cannot be loaded, the settings say so, the plain microphone is sent, and it can be tried again', async () => {
    await mira.person.context.route('**/*.wasm', (route) => route.abort())
    await enterLounge()
    await openSettings()
    assert.equal(await strong().isChecked(), false)
    await strong().click()
    const alert = page().getByRole('alert').filter({ hasText: 'Strong noise suppression couldn’t be loaded' })
    await alert.waitFor()
    assert.deepEqual([await sentSource(page()), await plain().isEnabled()], ['microphone', true])
    await mira.person.picture('noise-suppression-failed')
    await closeSettings()
    await page().getByRole('main').getByText('Strong noise suppression couldn’t be loaded.').waitFor()
    await mira.person.context.unroute('**/*.wasm')
    mira.person.complaints = []
    await openSettings()
    await alert.getByRole('button', { name: 'Try again' }).click()
    await eventually(() => sentSource(page()), 'filter')
    await alert.waitFor({ state: 'detached' })
    await strong().click()
    await eventually(() => sentSource(page()), 'microphone')
  })

  test('QUIET-4: if a part of it never arrives, the plain microphone is sent after ten seconds, and it can be tried again', async () => {
    for (const part of ['**/filtered-microphone*', '**/*.wasm']) {
      await mira.person.context.route(part, () => undefined)
      await page().reload()
      await panel().getByText('Voice connected').waitFor()
      await openSettings()
      await strong().click()
      await eventually(() => page().getByRole('alert').count(), 1)
      await eventually(() => sentSource(page()), 'microphone')
      await mira.person.context.unroute(part)
      await strong().click()
      await closeSettings()
    }
    mira.person.complaints = []
    await openSettings()
    await strong().click()
    await eventually(() => sentSource(page()), 'filter')
    await strong().click()
    await eventually(() => sentSource(page()), 'microphone')
  })

  test('QUIET-1: the switch filters what is sent in the middle of a call, and nobody rejoins', async () => {
    await plain().click()
    await eventually(() => lastMicrophone(page()), { suppresses: false, isOpen: true })
    const connections = await page().evaluate(() => window.peers.length)
    const before = await measureSent(page(), MEASURED_SECONDS)
    await plain().click()
    await eventually(() => lastMicrophone(page()), { suppresses: true, isOpen: true })
    await strong().click()
    await eventually(() => sentSource(page()), 'filter')
    assert.deepEqual(await lastMicrophone(page()), { suppresses: false, isOpen: true })
    assert.equal(await plain().isDisabled(), true)
    const after = await measureSent(page(), MEASURED_SECONDS)
    assert.equal(await page().evaluate(() => window.peers.length), connections)
    const gained = after.speech - after.pauses - (before.speech - before.pauses)
    assert.ok(gained >= 15, `pauses are ${gained} dB quieter: ${JSON.stringify({ before, after })}`)
    await mira.person.picture('noise-suppression')
    assert.deepEqual(await namelessParts(page()), [])
    await closeSettings()
  })

  test('QUIET-1: muting, another microphone and an unplugged one keep the filter', async () => {
    await panel().getByRole('button', { name: 'Mute', exact: true }).click()
    const isHeard = () => page().evaluate(() => window.microphones.at(-1)?.enabled)
    await eventually(isHeard, false)
    await eventually(() => sentSource(page()), 'nothing')
    await panel().getByRole('button', { name: 'Unmute', exact: true }).click()
    await eventually(() => sentSource(page()), 'filter')
    await eventually(isHeard, true)
    const opened = await page().evaluate(() => window.microphones.length)
    await openSettings()
    const choice = page().getByRole('combobox', { name: 'Microphone' })
    await choice.selectOption({ index: 1 })
    await eventually(() => page().evaluate(() => window.microphones.length), opened + 1)
    await eventually(() => sentSource(page()), 'filter')
    await closeSettings()
    await unplugMicrophone(page())
    await page().getByRole('main').getByText('You can only listen: no microphone found.').waitFor()
    assert.equal(await sentSource(page()), 'nothing')
    await page().getByRole('main').getByRole('button', { name: 'Try again' }).click()
    await eventually(() => sentSource(page()), 'filter')
  })

  test('QUIET-4: a filter that stops is replaced by the plain sound, and one that sleeps is started again, both with a sentence', async () => {
    await openSettings()
    await strong().click()
    await eventually(() => sentSource(page()), 'microphone')
    const frame = soundFrame(page())
    await watchFilters(frame)
    await strong().click()
    await eventually(() => sentSource(page()), 'filter')
    await suspendFilter(frame, { mayResume: true })
    await eventually(() => frame.evaluate(() => window.filter?.context.state), 'running')
    const before = await measureSent(page(), MEASURED_SECONDS)
    await frame.evaluate(() => window.filter?.dispatchEvent(new Event('processorerror')))
    const alert = page().getByRole('alert').filter({ hasText: 'Strong noise suppression' })
    await alert.filter({ hasText: 'Your microphone works without it.' }).waitFor()
    const after = await measureSent(page(), MEASURED_SECONDS)
    assert.ok(after.pauses - before.pauses >= 15, JSON.stringify({ before, after }))
    const failed = await page().evaluateHandle(() => window.microphones.at(-1))
    await alert.getByRole('button', { name: 'Try again' }).click()
    await alert.waitFor({ state: 'detached' })
    // The failed one sends until the new one replaces it.
    await eventually(() => failed.evaluate((track) => track?.readyState), 'ended')
    await eventually(() => sentSource(page()), 'filter')
    await suspendFilter(frame, { mayResume: false })
    await alert.filter({ hasText: 'starts with your next click or key press' }).waitFor()
    await page().keyboard.press('Shift')
    await alert.waitFor({ state: 'detached' })
    await eventually(() => frame.evaluate(() => window.filter?.context.state), 'running')
    await closeSettings()
  })

  test('QUIET-4: a browser that cannot filter this microphone says so, and offers no other try', async () => {
    await openSettings()
    await strong().click()
    await eventually(() => sentSource(page()), 'microphone')
    await refuseMicrophones(soundFrame(page()))
    await strong().click()
    const alert = page()
      .getByRole('alert')
      .filter({ hasText: 'This browser can’t use strong noise suppression' })
    await alert.waitFor()
    assert.equal(await alert.getByRole('button').count(), 0)
    await eventually(() => sentSource(page()), 'microphone')
    assert.deepEqual(await lastMicrophone(page()), { suppresses: true, isOpen: true })
    await closeSettings()
  })

  test('QUIET-1: it is kept in this browser, also for the room after a reload, and off again sends the plain microphone', async () => {
    await page().reload()
    await panel().getByText('Voice connected').waitFor()
    await eventually(() => sentSource(page()), 'filter')
    await openSettings()
    assert.equal(await strong().isChecked(), true)
    await strong().click()
    await eventually(() => sentSource(page()), 'microphone')
    assert.deepEqual(await lastMicrophone(page()), { suppresses: true, isOpen: true })
    await strong().click()
    await eventually(() => sentSource(page()), 'filter')
    await closeSettings()
  })

  test('QUIET-4: while the browser waits for a click or key press, the plain microphone is sent, and then the filtered one', async () => {
    await requirePress(page())
    await page().reload()
    const note = page()
      .getByRole('main')
      .getByText('Strong noise suppression starts with your next click or key press.')
    await note.waitFor()
    assert.equal(await sentSource(page()), 'microphone')
    await mira.person.picture('noise-suppression-asleep')
    await page().keyboard.press('Shift')
    await eventually(() => sentSource(page()), 'filter')
    await note.waitFor({ state: 'detached' })
  })

  test('QUIET-6: the page itself may not compile WebAssembly', async () => {
    const empty = [0, 97, 115, 109, 1, 0, 0, 0]
    const outcome = await page().evaluate(
      (bytes) =>
        WebAssembly.compile(new Uint8Array(bytes)).then(
          () => 'compiled',
          () => 'refused',
        ),
      empty,
    )
    assert.equal(outcome, 'refused')
    mira.person.complaints = mira.person.complaints.filter((text) => !text.includes('WebAssembly.compile'))
  })

  test('QUIET-7: the microphone test plays the user’s own voice, outside of rooms and calls, also by keyboard', async () => {
    await openSettings()
    assert.equal(await mira.person.button('Test microphone').isDisabled(), true)
    await page().getByText('You can test your microphone when you aren’t in a room or call.').waitFor()
    await closeSettings()
    await panel().getByRole('button', { name: 'Leave voice' }).click()
    await mira.person.button(/^Account: /).click()
    await mira.person.button('User settings').click()
    await chooseSection(mira.person, 'User settings', 'Voice')
    const level = page().getByRole('meter', { name: 'Microphone level' })
    const isLoud = async () => Number(await level.getAttribute('value')) > 0.3
    await mira.person.button('Test microphone').focus()
    await page().keyboard.press('Enter')
    await page().getByText('Speak now. In 4 seconds you’ll hear yourself.').waitFor()
    assert.equal((await lastMicrophone(page())).isOpen, true)
    await eventually(isLoud, true)
    await mira.person.picture('microphone-test')
    await page().getByText('This is how you sound to others.').waitFor()
    assert.equal((await lastMicrophone(page())).isOpen, false)
    await eventually(isLoud, true)
    await mira.person.button('Test microphone').waitFor()
    await page().keyboard.press('Enter')
    await page().getByText('Speak now.').waitFor()
    await page().keyboard.press('Enter')
    await page().getByText('Speak now.').waitFor({ state: 'detached' })
    assert.equal((await lastMicrophone(page())).isOpen, false)
    const opened = await page().evaluate(() => window.microphones.length)
    await refuseMicrophones(page())
    await page().keyboard.press('Enter')
    await eventually(() => page().evaluate(() => window.microphones.length), opened + 1)
    await eventually(async () => (await lastMicrophone(page())).isOpen, false)
    assert.deepEqual(mira.person.complaints, [])
  })
})
