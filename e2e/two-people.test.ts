import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { isForDocumentation, takeDocumentationPicture } from './pictures.ts'
import { furnish } from './scenery.ts'
import { Stage } from './stage.ts'

const conversation = [
  ['mira', 'Morning! The forecast for Sunday looks good: dry until six.'],
  ['jonas', 'Then let’s hike the ridge instead of the lake.'],
  ['jonas', 'There is a train at 8:12 that stops in Oberwald.'],
  [
    'mira',
    'Perfect. From the station it is an hour up to the hut.\nThey open at ten, so we are just in time for cake.',
  ],
  ['jonas', 'I will bring the map: https://www.openstreetmap.org/'],
  ['mira', 'And I bring tea for everybody.'],
] as const

/** The tests run in order: each continues where the previous one ended. */
describe('two people', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Person
  let invite: string

  before(async () => {
    stage = await Stage.openOwn()
    mira = await stage.person('mira')
    jonas = await stage.person('jonas')
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const others = (person: Person) => (person === mira ? jonas : mira)

  async function bothSee(expected: string[]): Promise<void> {
    for (const person of [mira, jonas]) await eventually(() => person.history(), expected)
  }

  test('the first user creates an account, a space and an invite', async () => {
    await mira.page.goto('/')
    await mira.page.getByRole('heading', { name: 'Welcome to your new Foyer' }).waitFor()
    await mira.picture('first-sign-up')
    await mira.signUp()
    await mira.page.getByRole('heading', { name: 'Welcome, mira' }).waitFor()
    await mira.picture('empty-state')
    await mira.page.getByRole('main').getByRole('button', { name: 'Create a space' }).click()
    await mira.field('Description').fill('Every other Sunday, whatever the weather.')
    await mira.field('Space name').fill('Sunday hikers')
    await mira.picture('create-space')
    await mira.button('Create space').click()
    await mira.composer('general').waitFor()
    await mira.page.getByRole('heading', { name: 'This is the beginning of #general' }).waitFor()
    await mira.picture('empty-room')
    invite = await mira.makeInvite()
  })

  test('the second user sees where the invite leads, creates an account and is in its room', async () => {
    await jonas.page.goto(invite)
    await jonas.page.getByRole('heading', { name: 'Sunday hikers' }).waitFor()
    await jonas.page.getByText('mira invited you to join').waitFor()
    await jonas.page.getByText('1 member · You’ll start in #general').waitFor()
    await jonas.picture('invite')
    assert.deepEqual(await namelessParts(jonas.page), [])
    await jonas.signUp()
    await jonas.composer('general').waitFor()
    await jonas.page.getByRole('heading', { level: 1, name: 'general' }).waitFor()
    await mira.page.getByRole('complementary', { name: 'Members' }).getByText('jonas').waitFor()
  })

  test('each sees the name that the other chose', async () => {
    for (const [person, name] of [
      [mira, 'Mira Lindqvist'],
      [jonas, 'Jonas Weber'],
    ] as const) {
      await person.button(/^Account: /).click()
      await person.field('Display name').fill(name)
      await person.picture('account')
      await person.button('Save profile').click()
      const members = others(person).page.getByRole('complementary', { name: 'Members' })
      await members.getByText(name).waitFor()
    }
  })

  test('typing is shown until the message arrives', async () => {
    const [[, text]] = conversation
    const notice = jonas.page.getByRole('status').getByText('Mira Lindqvist is typing…')
    await mira.composer('general').fill(text)
    await notice.waitFor()
    await mira.composer('general').press('Enter')
    await jonas.message(text).waitFor()
    await notice.waitFor({ state: 'detached' })
  })

  test('each sees the other’s messages at once', async () => {
    for (const [name, text] of conversation.slice(1)) {
      const writer = name === 'mira' ? mira : jonas
      await writer.say(text)
      await others(writer).message(text.slice(0, 20)).waitFor()
    }
    await bothSee(conversation.map(([, text]) => text))
  })

  test('it looks right on a desktop, in the dark theme and on a phone', async () => {
    const { page } = mira
    if (isForDocumentation) await furnish(mira, jonas)
    await mira.composer('general').focus()
    await page.mouse.move(0, 0)
    // The server drops a typing indicator that follows the last one too soon. Jonas types until one passes.
    await eventually(async () => {
      await jonas.composer('general').press('e')
      return page.getByText('Jonas Weber is typing…').isVisible()
    }, true)
    await takeDocumentationPicture(page, 'chat')
    await page.emulateMedia({ colorScheme: 'dark' })
    await takeDocumentationPicture(page, 'chat-dark')
    await page.setViewportSize({ width: 390, height: 844 })
    await mira.picture('phone-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await mira.picture('phone')
    assert.deepEqual(await namelessParts(page), [])
    await mira.button('Open spaces and rooms').click()
    await mira.room('lounge').waitFor()
    await mira.picture('phone-drawer')
    assert.deepEqual(await namelessParts(page), [])
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1280, height: 800 })
    await jonas.composer('general').fill('')
  })

  test('an edit and a deletion reach the other user', async () => {
    const texts: string[] = conversation.map(([, text]) => text)
    await mira.pointAt(mira.message('tea for everybody'))
    await mira.picture('message-tools')
    await mira.message('tea for everybody').getByRole('button', { name: 'Edit message' }).click()
    await mira.field('Edit message').fill('And I bring tea and oranges.')
    await mira.picture('editing')
    await mira.button('Save').click()
    await bothSee([...texts.slice(0, -1), 'And I bring tea and oranges.'])
    await jonas.message('oranges').getByText('edited').waitFor()
    await jonas.pointAt(jonas.message('bring the map'))
    await jonas.message('bring the map').getByRole('button', { name: 'Delete message' }).click()
    const dialog = jonas.page.getByRole('alertdialog', { name: 'Delete this message?' })
    await dialog.waitFor()
    await jonas.picture('delete-message')
    assert.deepEqual(await namelessParts(jonas.page), [])
    await dialog.getByRole('button', { name: 'Delete message' }).click()
    await bothSee([...texts.slice(0, 4), 'And I bring tea and oranges.'])
    await jonas.pointAt(jonas.message('oranges'))
    await jonas.message('oranges').getByRole('button', { name: 'Reply', exact: true }).waitFor()
    const changing = jonas.message('oranges').getByRole('button', { name: /Edit|Delete/ })
    assert.equal(await changing.count(), 0, 'what others wrote is not for him to change')
  })

  test('a room is marked unread for a user elsewhere, until it is opened', async () => {
    await jonas.room('lounge').click()
    await jonas.page.getByRole('heading', { level: 1, name: 'lounge' }).waitFor()
    await mira.say('Are you there?')
    await jonas.room('general, unread').waitFor()
    await eventually(() => jonas.titleMark(), '•')
    await jonas.picture('unread')
    await jonas.room('general').click()
    await jonas.message('Are you there?').waitFor()
    await jonas.page.getByRole('log').getByText('1 new message').waitFor()
    await jonas.room('general, unread').waitFor({ state: 'detached' })
    await jonas.page.reload()
    await jonas.message('Are you there?').waitFor()
    assert.equal(await jonas.room('general, unread').count(), 0, 'the server knows that it was read')
  })

  test('the page has its landmarks, and every control has a name', async () => {
    const { page } = mira
    for (const name of ['Spaces', 'Rooms'])
      assert.equal(await page.getByRole('navigation', { name }).count(), 1)
    assert.equal(await page.getByRole('main').count(), 1)
    assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1)
    assert.equal(await page.getByRole('log', { name: 'Messages in #general' }).count(), 1)
    assert.deepEqual(await namelessParts(page), [])
  })

  test('the consoles have no errors', () => {
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})
