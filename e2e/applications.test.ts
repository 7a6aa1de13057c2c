import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Client } from '@foyer/sdk/client'
import { requestAs } from './as-person.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { picture } from './sample-files.ts'
import { openSpaceSettings } from './settings.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('user settings', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let bot: Client | undefined
  const shown = { token: '', link: '' }

  before(async () => {
    stage = await Stage.openOwn()
    mira = await stage.person('mira')
    await mira.page.goto('/')
    await mira.signUp()
    await mira.createSpace('Sunday hikers')
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    bot?.gateway.close()
    await stage?.close()
  })

  async function openSettings(person: Person, section: string): Promise<void> {
    await person.button(/^Account: /).click()
    await person.button('User settings').click()
    await person.button(section).click()
    await person.page.getByRole('heading', { level: 3, name: section }).waitFor()
  }

  /** Locates loaded pictures inside an element. */
  const face = (around: string) => mira.page.locator(`${around} .picture[data-here]`)

  test('the username can be changed, and leaving asks before a change is lost', async () => {
    await openSettings(mira, 'Profile')
    await mira.field('Username').fill('mira.lindqvist')
    await mira.page.keyboard.press('Escape')
    const question = mira.page.getByRole('alertdialog', { name: 'Discard your changes?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await mira.button('Save profile').click()
    await mira.page.getByText('Profile saved.').waitFor()
    await mira.page.keyboard.press('Escape')
    await mira.button(/^Account: mira.lindqvist /).waitFor()
  })

  test('a new application shows its token only once', async () => {
    await openSettings(mira, 'Applications')
    await mira.button('Create application').click()
    await mira.field('Name').fill('Echo')
    const dialog = mira.page.getByRole('dialog', { name: 'Create an application' })
    await dialog.getByRole('button', { name: 'Create application' }).click()
    await mira.page.getByText('you won’t be able to see it again').waitFor()
    shown.token = await mira.field('Bot token').inputValue()
    shown.link = new URL(await mira.field('Link to add the bot').inputValue()).pathname
    await mira.picture('application')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.button('Back to applications').click()
    await mira.button(/^Echo @echo/).click()
    await mira.button('Reset token…').waitFor()
    assert.equal(await mira.field('Bot token').count(), 0)
  })

  test('an application has the avatar of its bot', async () => {
    const { buffer } = picture('face.png', { width: 64, height: 64, sky: [230, 120, 60] })
    const echo = new Client({ baseUrl: stage.program.url, botToken: shown.token })
    await echo.users.updateMe({ avatar: new Blob([Uint8Array.from(buffer)]) })
    await mira.page.reload()
    await openSettings(mira, 'Applications')
    await face('.application-row').waitFor()
    await mira.button(/^Echo @echo/).click()
    await face('.application-head').waitFor()
  })

  test('its name and link lead to a page that adds the bot to a space, where it answers', async () => {
    await requestAs(mira, '/api/users/@me', { method: 'PATCH', body: { alias: 'Foyer Team' } })
    await mira.page.goto('/')
    const settings = await openSpaceSettings(mira, 'Sunday hikers', 'Bots')
    await settings.getByLabel('Add a bot').fill('mira.lindqvist')
    await settings.getByRole('button', { name: 'Add bot' }).click()
    await settings.getByText('That’s a person. You can only add bots here.').waitFor()
    await settings.getByLabel('Add a bot').fill('@Echo')
    await settings.getByRole('button', { name: 'Add bot' }).click()
    await mira.page.getByRole('heading', { name: 'Add Echo to a space' }).waitFor()
    assert.equal(new URL(mira.page.url()).pathname, shown.link)
    await face('.add-bot-top').waitFor()
    await mira.page.getByText('Created by Foyer Team · @mira.lindqvist').waitFor()
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.button('Add to Sunday hikers').click()
    await mira.page.getByText('Echo is now in Sunday hikers.').waitFor()
    await mira.picture('add-bot')
    bot = await startEcho(stage.program.url, shown.token)
    await mira.page.getByRole('link', { name: 'Open Sunday hikers' }).click()
    await mira.say('Is anybody there?')
    await eventually(() => mira.history(), ['Is anybody there?', 'Is anybody there, mira.lindqvist?'])
  })

  test('a bot that is already a member is not added again', async () => {
    await mira.page.goto(shown.link)
    await mira.page.getByText('Echo is already in Sunday hikers.').waitFor()
    assert.equal(await mira.button('Add to Sunday hikers').count(), 0)
    // The page looked for the bot before it was a member. Browsers log every 404 response.
    await mira.takeRefusals(404)
    await mira.page.goto('/')
  })

  test('an application is deleted with its bot after its name is typed', async () => {
    await mira.page.getByRole('complementary', { name: 'Members' }).getByText('Echo').waitFor()
    await openSettings(mira, 'Applications')
    await mira.button(/^Echo @echo/).click()
    await mira.button('Delete application…').click()
    await mira.button('Delete for good').click()
    await mira.page.getByText('That doesn’t match. Type “Echo” exactly as shown.').waitFor()
    await mira.field('Type “Echo” to confirm').fill('Echo')
    await mira.button('Delete for good').click()
    await mira.page.getByRole('heading', { name: 'No applications yet' }).waitFor()
    await mira.page.keyboard.press('Escape')
    const members = mira.page.getByRole('complementary', { name: 'Members' })
    await members.getByText('Echo').waitFor({ state: 'detached' })
  })

  test('a session ended in the settings is signed out at once', async () => {
    const elsewhere = await stage.person('mira')
    await elsewhere.page.goto('/')
    await elsewhere.field('Email or username').fill('mira.lindqvist')
    await elsewhere.page.getByLabel('Password').fill(elsewhere.password)
    await elsewhere.button('Sign in').click()
    await elsewhere.composer('general').waitFor()
    await openSettings(mira, 'Sessions')
    await mira.page.getByText('This browser').waitFor()
    await mira.picture('sessions')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.button(/^End session: /).click()
    await elsewhere.page.getByRole('heading', { name: 'Welcome back' }).waitFor()
    await mira.button(/^End session: /).waitFor({ state: 'detached' })
    assert.deepEqual(elsewhere.complaints, [])
  })

  test('the console has no errors', () => {
    assert.deepEqual(mira.complaints, [])
  })
})

/** Starts a bot that repeats every message, addressed to its author. */
async function startEcho(baseUrl: string, botToken: string): Promise<Client> {
  const client = new Client({ baseUrl, botToken })
  client.gateway.on('MESSAGE_CREATE', async ({ author, content, room_id }) => {
    if (author.is_bot || room_id === null) return
    await client.messages.create(room_id, { content: content.replace('?', `, ${author.username}?`) })
  })
  const ready = new Promise<void>((resolve) => client.gateway.on('READY', () => resolve()))
  client.gateway.connect()
  await ready
  return client
}
