import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused, Keys } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { befriend, gather, type Settled, settle, signIn } from './settled.ts'
import { Stage } from './stage.ts'

/** Number of later mentions. Together with the earlier ones, they are more than a page. */
const LATER = 30

/** The tests run in order: each continues where the previous one ended. */
describe('mentions', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let host: Settled
  let jonas: Settled
  let hike: string
  let club: string
  let books: string
  let talk: string

  before(async () => {
    stage = await Stage.open()
    host = await settle(stage, 'mira')
    jonas = await settle(stage, 'jonas')
    mira = host.person
    await befriend(host, jonas)
    hike = (await gather('Sunday hikers', [host, jonas])).general.id
    const bookClub = await gather('Book club', [jonas, host])
    club = bookClub.space.id
    books = bookClub.general.id
    talk = (await jonas.client.conversations.create({ recipient_ids: [host.id] })).id
    await mira.page.goto(`/spaces/${club}/rooms/${books}`)
    await mira.composer('general').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  async function say(room: string | { conversation: string }, content: string): Promise<string> {
    const { id } = await jonas.client.messages.create(room, { content })
    return id
  }

  const dialog = (person: Person, name = 'Mentions') => person.page.getByRole('dialog', { name, exact: true })
  const hit = (text: string) => dialog(mira).getByRole('link').filter({ hasText: text })
  const texts = (inside: Locator) => inside.locator('.search-hit-text').allInnerTexts()
  const places = (inside: Locator) => inside.getByRole('heading', { level: 3 }).allInnerTexts()

  test('are empty at first, with a hint; the keyboard opens and closes the list', async () => {
    const keys = new Keys(mira.page)
    await mira.button('Mentions').focus()
    await keys.press('Enter')
    await dialog(mira).getByRole('heading', { name: 'No mentions yet' }).waitFor()
    await mira.picture('mentions-none')
    assert.deepEqual(await namelessParts(mira.page), [])
    await keys.press('Escape')
    await dialog(mira).waitFor({ state: 'detached' })
    await keys.isAt(mira.button('Mentions'))
  })

  test('are grouped from all spaces and conversations, the newest first', async () => {
    await say(hike, 'nobody is meant')
    await say(hike, `<@${host.id}>, are you coming on **Sunday**?`)
    await say(hike, `And who brings the map, <@${host.id}>?`)
    await say(books, '@everyone We begin with chapter three')
    await say({ conversation: talk }, `Psst, <@${host.id}>`)
    await mira.button('Mentions').click()
    await eventually(
      () => texts(dialog(mira)),
      [
        'Psst, @mira',
        '@everyone We begin with chapter three',
        'And who brings the map, @mira?',
        '@mira, are you coming on Sunday?',
      ],
    )
    await eventually(
      async () => (await places(dialog(mira))).map((place) => place.replaceAll(/\s+/g, ' ')),
      ['jonas', '#general Book club', '#general Sunday hikers'],
    )
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.picture('mentions')
    await mira.page.emulateMedia({ colorScheme: 'dark' })
    await mira.picture('mentions-dark')
    await mira.page.emulateMedia({ colorScheme: 'light' })
  })

  test('appear and disappear while the list is open', async () => {
    const status = dialog(mira).getByRole('status')
    const id = await say(hike, `Last call, <@${host.id}>`)
    await eventually(async () => (await texts(dialog(mira)))[0], 'Last call, @mira')
    await status.getByText('5 mentions').waitFor({ state: 'attached' })
    await jonas.client.messages.update(hike, id, { content: `Really the last call, <@${host.id}>` })
    await hit('Really the last call').waitFor()
    await jonas.client.messages.update(hike, id, { content: 'Never mind' })
    await eventually(async () => (await texts(dialog(mira)))[0], 'Psst, @mira')
    const other = await say(hike, `<@${host.id}>!`)
    await hit('@mira!').waitFor()
    await jonas.client.messages.delete(hike, other)
    await hit('@mira!').waitFor({ state: 'detached' })
  })

  test('include those of a role as long as the user has it', async () => {
    const role = await jonas.client.roles.create(club, { name: 'Readers' })
    await say(books, `<@&${role.id}> Page forty`)
    await jonas.client.roles.assign(club, host.id, role.id)
    await hit('Page forty').waitFor()
    await jonas.client.roles.remove(club, host.id, role.id)
    await hit('Page forty').waitFor({ state: 'detached' })
  })

  test('lead to their messages', async () => {
    await hit('And who brings the map').click()
    await dialog(mira).waitFor({ state: 'detached' })
    const message = mira.message('And who brings the map')
    await message.waitFor()
    await eventually(() => isFocused(message), true)
    assert.match(new URL(mira.page.url()).pathname, new RegExp(`/rooms/${hike}`))
  })

  test('load older ones by scrolling', async () => {
    for (let number = 1; number <= LATER; number += 1) await say(hike, `<@${host.id}> step ${number}.`)
    await mira.button('Mentions').click()
    await eventually(async () => (await texts(dialog(mira))).length, 25)
    const release = await failNext(mira)
    await hit('step 6.').scrollIntoViewIfNeeded()
    await dialog(mira).getByRole('alert').waitFor()
    await mira.takeRefusals(400)
    await release()
    await dialog(mira).getByRole('button', { name: 'Show more' }).click()
    await eventually(async () => (await texts(dialog(mira))).length, LATER + 4)
    await mira.page.keyboard.press('Escape')
  })

  test('show why they cannot be loaded, and try again', async () => {
    const release = await failNext(mira)
    await mira.button('Mentions').click()
    const alert = dialog(mira).getByRole('alert')
    await alert.waitFor()
    await mira.takeRefusals(400)
    await release()
    await alert.getByRole('button', { name: 'Try again' }).click()
    await hit('step 30.').waitFor()
    await host.client.friends.block(jonas.id)
    await dialog(mira).getByRole('heading', { name: 'No mentions yet' }).waitFor()
    await host.client.friends.unblock(jonas.id)
    await hit('step 30.').waitFor()
    await dialog(mira).getByRole('status').getByText('At least 25 mentions').waitFor({ state: 'attached' })
    await mira.page.keyboard.press('Escape')
  })

  test('are reachable on the narrowest phone, in German', async () => {
    const small = await stage.speaker('mira', 'de-DE')
    await signIn(small, 'mira')
    await small.page.setViewportSize({ width: 320, height: 640 })
    await small.page.goto('/home')
    await small.button('Spaces und Räume öffnen').click()
    await small.button('Erwähnungen').click()
    const list = dialog(small, 'Erwähnungen')
    await eventually(async () => (await texts(list)).length, 25)
    await small.picture('mentions-phone-german')
    await small.page.emulateMedia({ colorScheme: 'dark' })
    await small.picture('mentions-phone-dark')
    assert.ok((await small.page.evaluate(() => document.documentElement.scrollWidth)) <= 320)
    assert.deepEqual(await namelessParts(small.page), [])
    await list.getByRole('link').first().click()
    await small.message(`step ${LATER}.`).waitFor()
    await eventually(() => small.page.getByRole('dialog').count(), 0)
    assert.deepEqual([...mira.complaints, ...small.complaints], [])
  })
})

/** Makes requests for the list fail until the returned function is called. */
async function failNext({ page }: Person): Promise<() => Promise<void>> {
  const pattern = '**/api/users/@me/mentions*'
  await page.route(pattern, (route) =>
    route.fulfill({ status: 400, json: { error: 'something went wrong' } }),
  )
  return () => page.unroute(pattern)
}
