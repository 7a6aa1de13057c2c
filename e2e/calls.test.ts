import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { befriend, type Settled, settle } from './settled.ts'
import { playedNotes, voiceCounter, watchNotes, watchSound } from './sound.ts'
import { Stage } from './stage.ts'

/** Notes played when a user joins and when a user leaves, in hertz. */
const COMING = [523, 659]
const GOING = [659, 523]

/** The tests run in order: each continues where the previous one ended. */
describe('calls', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Person
  let host: Settled
  let guest: Settled
  let path: string

  before(async () => {
    stage = await Stage.openOwn({}, { microphone: true })
    host = await settle(stage, 'mira')
    guest = await settle(stage, 'jonas')
    await befriend(host, guest)
    const { id } = await host.client.conversations.create({ recipient_ids: [guest.id] })
    path = `/conversations/${id}`
    ;[mira, jonas] = [host.person, guest.person]
    for (const { page } of [mira, jonas]) {
      await watchSound(page)
      await watchNotes(page)
    }
    await mira.page.goto(path)
    await jonas.page.goto('/friends')
    await jonas.button('Message mira').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const incoming = ({ page }: Person, name: string) =>
    page.getByRole('alertdialog', { name: `${name} is calling` })
  const bar = ({ page }: Person) => page.getByRole('region', { name: 'Call', exact: true })
  const people = (person: Person) => bar(person).locator('.call-person-name').allInnerTexts()
  const gone = (locator: Locator) => locator.waitFor({ state: 'detached' })
  const notes = (pages: Page[]) => Promise.all(pages.map(async (page) => (await playedNotes(page)).length))
  const lastNotes = async ({ page }: Person) => (await playedNotes(page)).slice(-COMING.length)
  const hangUp = (person: Person) => bar(person).getByRole('button', { name: 'Hang up' }).click()

  /** Waits until the person receives audible sound. */
  async function hears(person: Person): Promise<void> {
    const listen = await voiceCounter(person.page)
    await eventually(async () => (await listen()) > 0, true)
  }

  test('a call rings on every page, and accepting it connects both', async () => {
    await mira.button('Start call').click()
    await incoming(jonas, 'mira').waitFor()
    await eventually(async () => (await jonas.page.title()).includes('mira is calling'), true)
    await jonas.picture('call-incoming')
    assert.deepEqual(await namelessParts(jonas.page), [])
    await bar(mira).getByText('ringing…').waitFor()
    await jonas.button('Accept').click()
    await gone(incoming(jonas, 'mira'))
    await jonas.page.getByRole('heading', { name: 'mira', level: 1 }).waitFor()
    await Promise.all([hears(mira), hears(jonas)])
    await eventually(() => people(mira), ['mira', 'jonas'])
    await eventually(async () => (await jonas.page.title()).includes('calling'), false)
    await jonas.picture('call')
    await jonas.page.emulateMedia({ colorScheme: 'dark' })
    await jonas.picture('call-dark')
    await jonas.page.emulateMedia({ colorScheme: 'light' })
    await jonas.page.setViewportSize({ width: 390, height: 844 })
    await jonas.picture('call-narrow')
    await jonas.page.setViewportSize({ width: 1280, height: 800 })
    assert.deepEqual(await namelessParts(jonas.page), [])
  })

  test('joining plays a sound for everyone in the call', async () => {
    await eventually(() => playedNotes(mira.page), [...COMING, ...COMING])
    await eventually(() => lastNotes(jonas), COMING)
  })

  test('the call goes on until the last user leaves, and then appears between the messages', async () => {
    await hangUp(mira)
    await mira.button('Join call').waitFor()
    await eventually(() => people(jonas), ['jonas'])
    await bar(jonas).getByText('You’re the only one here.').waitFor()
    await eventually(() => lastNotes(jonas), GOING)
    await hangUp(jonas)
    for (const person of [mira, jonas]) {
      await person.message('started a call that lasted').waitFor()
      await gone(bar(person))
    }
    assert.equal(await mira.message('Also in the call').count(), 0, 'between two it goes without saying')
    await mira.picture('call-message')
    await jonas.page.goto('/friends')
    await jonas.page.getByRole('link', { name: /^mira$/ }).waitFor()
  })

  test('the message of a group call names its participants', async () => {
    const third = await settle(stage, 'lena')
    await befriend(host, third)
    const { id } = await host.client.conversations.create({ recipient_ids: [guest.id, third.id] })
    await mira.page.goto(`/conversations/${id}`)
    await mira.button('Start call').click()
    await jonas.button('Accept').click()
    await eventually(() => people(mira), ['mira', 'jonas', 'lena'])
    await Promise.all([hears(mira), hears(jonas)])
    await hangUp(mira)
    await hangUp(jonas)
    await mira.message('Also in the call: jonas.').waitFor()
    await jonas.message('Also in the call: you.').waitFor()
    await host.client.friends.block(guest.id)
    await mira.message('Also in the call').waitFor({ state: 'detached' })
    await host.client.friends.unblock(guest.id)
    await befriend(host, guest)
    await mira.page.goto(path)
    await jonas.page.goto('/friends')
  })

  test('TAB-4: it rings in one tab, is declined on all devices by the keyboard, and accepted when it rings again', async () => {
    // Browsers play no sound before the first user gesture.
    await jonas.page.getByRole('heading', { name: 'Friends' }).click()
    const tablet = await jonas.context.newPage()
    await watchNotes(tablet)
    await tablet.goto('/friends')
    await tablet.getByRole('heading', { name: 'Friends' }).click()
    const tabs = [jonas.page, tablet]
    await mira.button('Start call').click()
    await incoming(jonas, 'mira').waitFor()
    await tablet.getByRole('alertdialog').waitFor()
    // A ring has four notes. One of the two tabs rings at least twice, the other one not at all.
    await eventually(async () => Math.max(...(await notes(tabs))) > 4, true)
    assert.equal(Math.min(...(await notes(tabs))), 0)
    await jonas.page.keyboard.press('Alt+Shift+Backspace')
    await gone(tablet.getByRole('alertdialog'))
    await gone(bar(mira).getByText('ringing…'))
    const played = Math.max(...(await notes(tabs)))
    await bar(mira).getByRole('button', { name: 'Ring again' }).click()
    await incoming(jonas, 'mira').waitFor()
    await eventually(async () => (await notes(tabs)).some((count) => count > 0 && count !== played), true)
    await jonas.page.keyboard.press('Alt+Shift+Enter')
    await gone(tablet.getByRole('alertdialog'))
    await tablet.close()
    await Promise.all([hears(mira), hears(jonas)])
    await hangUp(jonas)
    await hangUp(mira)
    await eventually(() => mira.message('started a call that lasted').count(), 2)
  })

  test('a missed call is unread, and can be called back', async () => {
    await jonas.page.goto('/friends')
    await mira.button('Start call').click()
    await incoming(jonas, 'mira').waitFor()
    await hangUp(mira)
    await gone(incoming(jonas, 'mira'))
    await mira.message('called. No answer.').waitFor()
    await mira.page.goto('/friends')
    await jonas.page.getByRole('link', { name: 'Home, 1 unread message' }).waitFor()
    await jonas.page.getByRole('link', { name: 'mira, 1 unread' }).click()
    await jonas.message('called you, but you missed it.').waitFor()
    await jonas.picture('call-missed')
    await jonas.button('Call back').click()
    await mira.button('Decline').click()
    await gone(bar(jonas).getByText('ringing…'))
    await hangUp(jonas)
  })

  test('a user with the status do not disturb is not rung, and finds the call in the list', async () => {
    await guest.client.users.chooseStatus('dnd')
    await jonas.page.goto('/friends')
    // Mira turns off the sounds for joining and leaving.
    await mira.page.evaluate(() => localStorage.setItem('foyer.voice', '{"signals":false}'))
    await mira.page.goto(path)
    await mira.button('Start call').click()
    await jonas.page.getByRole('link', { name: 'mira, call', exact: true }).click()
    await jonas.button('Join').waitFor()
    assert.equal(await incoming(jonas, 'mira').count(), 0)
    await jonas.button('Join').click()
    await Promise.all([hears(mira), hears(jonas)])
    await eventually(() => lastNotes(jonas), COMING)
    assert.deepEqual(await playedNotes(mira.page), [])
  })

  test('a block ends the call and prevents another, and the blocked user is not told why', async () => {
    await guest.client.friends.block(host.id)
    const why = bar(mira).getByRole('alert')
    await why.getByText('You can’t call right now').waitFor()
    assert.doesNotMatch(await why.innerText(), /space|room|block/)
    await mira.picture('call-refused')
    await mira.page.reload()
    await mira.button('Start call').click()
    await why.getByText('You can’t call right now').waitFor()
    assert.equal(await incoming(jonas, 'mira').count(), 0)
    assert.deepEqual([mira.complaints, jonas.complaints], [[], []])
  })
})
