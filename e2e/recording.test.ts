import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import { send, stored, tray, warnsOfLeaving } from './attaching.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { lastMicrophone, refuseMicrophones, watchMicrophones } from './sent-voice.ts'
import { gather, settle } from './settled.ts'
import { Stage } from './stage.ts'

describe('voice messages', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Person

  before(async () => {
    stage = await Stage.openOwn({}, { microphone: true })
    const settled = await Promise.all([settle(stage, 'mira'), settle(stage, 'jonas')])
    const { space, general } = await gather('Sunday hikers', settled)
    await settled[0].client.rooms.create(space.id, { name: 'plans', type: RoomType.Text })
    ;[mira, jonas] = [settled[0].person, settled[1].person]
    await Promise.all(
      [mira, jonas].map(async (person) => {
        await person.page.goto(`/spaces/${space.id}/rooms/${general.id}`)
        await person.composer('general').waitFor()
      }),
    )
  })
  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const recorded = (person: Person) => person.page.getByRole('log').locator('audio')

  /** Returns the seconds on the recording's clock. A read may skip any of them, so only compare with a minimum. */
  const secondsRecorded = async (person: Person) => {
    const [minutes = '', seconds = ''] = (await person.page.getByRole('timer').innerText()).split(':')
    return Number(minutes) * 60 + Number(seconds)
  }

  test('a recording is sent, and announced to the other user while it is recorded', async () => {
    await mira.button('Record a voice message').click()
    await mira.page.getByText('Recording…').waitFor()
    await jonas.page.getByText('mira is recording…').waitFor()
    await eventually(async () => (await secondsRecorded(mira)) >= 2, true)
    await mira.picture('recording')
    await mira.button('Send recording').click()
    await recorded(jonas).waitFor({ state: 'attached' })
    await recorded(jonas).evaluate((audio: HTMLAudioElement) => audio.play())
    const length = () => recorded(jonas).evaluate((audio: HTMLAudioElement) => audio.duration)
    await eventually(async () => Math.round(await length()) >= 2, true)
    assert.ok((await length()) < 30, 'its length is known')
    await mira.composer('general').waitFor()
    await jonas.picture('recorded')
  })

  /** Heights of the bars in the last recording's waveform. */
  const bars = async (person: Person) => {
    const path = await person.page.locator('.waveform path').last().getAttribute('d')
    return [...(path ?? '').matchAll(/ (\S+)V(\S+?)(?=M|$)/g)].map(
      ([, from, to]) => Number(to) - Number(from),
    )
  }
  const positionOf = (person: Person) =>
    recorded(person).evaluate((audio: HTMLAudioElement) => audio.currentTime)

  test('WEB-21: both see the waveform, from where it is read, and seek in it with the keyboard', async () => {
    for (const person of [mira, jonas])
      await eventually(async () => new Set((await bars(person)).map(Math.round)).size > 3, true)
    await recorded(jonas).evaluate((audio: HTMLAudioElement) => audio.pause())
    const slider = jonas.page.getByRole('slider', { name: 'Position' })
    await slider.focus()
    await jonas.page.keyboard.press('Home')
    assert.equal(await positionOf(jonas), 0)
    await jonas.page.keyboard.press('ArrowRight')
    await eventually(async () => (await positionOf(jonas)) > 1, true)
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /^0:0\d of 0:0\d$/)
    await jonas.picture('recording-played')
    await jonas.page.keyboard.press('Home')
    await jonas.page.keyboard.press('Space')
    await jonas.button('Pause').waitFor()
    await jonas.button('Play').waitFor()
    assert.deepEqual(await namelessParts(jonas.page), [])
  })

  test('WEB-21: a speed applies to all recordings and is remembered', async () => {
    const speed = () =>
      recorded(jonas)
        .last()
        .evaluate((audio: HTMLAudioElement) => audio.playbackRate)
    await jonas.button('Speed: 1×').click()
    await jonas.button('Speed: 1.5×').click()
    await eventually(speed, 2)
    await jonas.page.reload()
    await jonas.button('Speed: 2×').waitFor()
    await eventually(speed, 2)
    await jonas.page.emulateMedia({ colorScheme: 'dark' })
    await jonas.picture('recording-dark')
    await jonas.page.emulateMedia({ colorScheme: 'light' })
  })

  test('a discarded recording is not sent, and the focus returns to the composer', async () => {
    await mira.button('Record a voice message').click()
    await mira.page.getByText('Recording…').waitFor()
    await mira.page.keyboard.press('Escape')
    await eventually(
      () => mira.composer('general').evaluate((field) => field === document.activeElement),
      true,
    )
    assert.equal(await recorded(mira).count(), 1)
  })

  /** Begins a recording and waits until it is a second long. */
  const begin = async () => {
    await mira.button('Record a voice message').click()
    await mira.page.getByText('Recording…').waitFor()
    await eventually(async () => (await secondsRecorded(mira)) >= 1, true)
  }
  const kept = (person: Person) => tray(person).getByText(/^Voice message\./)

  test('a recording left behind waits in its room, and is sent from there', async () => {
    await begin()
    assert.equal(await warnsOfLeaving(mira), true)
    await mira.room('plans').click()
    await mira.composer('plans').waitFor()
    assert.equal(await kept(mira).count(), 0)
    assert.equal(await warnsOfLeaving(mira), true)
    await mira.room('general').click()
    await kept(mira).waitFor()
    await eventually(() => stored(mira), 1)
    await mira.picture('recording-kept')
    await send(mira)
    await eventually(() => recorded(jonas).count(), 2)
    await recorded(jonas)
      .last()
      .evaluate((audio: HTMLAudioElement) => audio.play())
    assert.equal(await warnsOfLeaving(mira), false)
  })

  test('WEB-21: a recording that starts pauses the other one', async () => {
    const play = (audio: HTMLAudioElement) => {
      audio.loop = true
      return audio.play()
    }
    const arePaused = () =>
      recorded(jonas).evaluateAll((all) =>
        all.map((audio) => audio instanceof HTMLAudioElement && audio.paused),
      )
    await recorded(jonas).first().evaluate(play)
    await recorded(jonas).last().evaluate(play)
    await eventually(arePaused, [true, false])
    await recorded(jonas)
      .last()
      .evaluate((audio: HTMLAudioElement) => audio.pause())
  })

  test('a recording interrupted by selecting messages waits until that is done', async () => {
    await send(mira, 'Choose me')
    await begin()
    await mira.message('Choose me').click({ button: 'right', position: { x: 300, y: 8 } })
    await mira.page.getByRole('menuitem', { name: 'Select messages' }).click()
    await mira.button('Cancel').click()
    await kept(mira).waitFor()
    await eventually(() => stored(mira), 1)
    await mira.button(/^Remove Voice message/).click()
    await eventually(() => warnsOfLeaving(mira), false)
  })

  test('a recording is sent silently after @silent alone', async () => {
    await mira.composer('general').fill('@silent')
    await begin()
    await mira.button('Send recording').click()
    await eventually(() => recorded(jonas).count(), 3)
    await jonas.page.getByRole('log').getByRole('img', { name: 'Sent silently' }).waitFor()
    await eventually(() => mira.composer('general').inputValue(), '')
  })

  test('a discarded recording is not kept', async () => {
    await begin()
    await mira.button('Discard recording').click()
    await mira.composer('general').waitFor()
    assert.equal(await tray(mira).count(), 0)
    await eventually(() => warnsOfLeaving(mira), false)
  })

  test('a recording that cannot begin leaves the microphone off', async () => {
    await watchMicrophones(mira.page)
    await mira.page.reload()
    await mira.composer('general').waitFor()
    await refuseMicrophones(mira.page)
    await mira.button('Record a voice message').click()
    await eventually(() => mira.page.evaluate(() => window.microphones.length), 1)
    await eventually(async () => (await lastMicrophone(mira.page)).isOpen, false)
  })

  test('the consoles have no errors', () => {
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})
