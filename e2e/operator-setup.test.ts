import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { Console } from './console.ts'
import { type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** Mira runs the server. Each test continues where the previous one ended. */
describe('setting up a server in the console of the operators', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled
  let mirasConsole: Console

  before(async () => {
    stage = await Stage.openOwn()
    mira = await settle(stage, 'mira')
    mirasConsole = new Console(mira.person)
    await mira.person.page.goto('/operator/setup')
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  test('CONSOLE-20: what is missing is listed with what to do about it', async () => {
    const entry = mirasConsole.row('Invites may not work for other people')
    await entry.getByText('Set PUBLIC_URL to the address at which people reach this server.').waitFor()
    await mirasConsole.dialog.getByText('SMTP_URL', { exact: true }).waitFor()
    await mirasConsole.look('setup')
  })

  test('CONSOLE-22: mail, notifications and voice are tested, each with its result', async () => {
    await mira.person.button('Send a test email').click()
    await mirasConsole.row('This server has no mail server').waitFor()
    await mira.person.button('Send a test notification').click()
    await mirasConsole.dialog.getByText(/^Notifications are not on for any of your devices\./).waitFor()
    await mira.person.button('Test voice').click()
    await mirasConsole.row('it accepts an offer').waitFor()
    await mirasConsole.look('tests')
    await mira.person.button('Test connection').click()
    await mirasConsole.dialog.getByText(/^Audio works/).waitFor()
  })

  test('CONSOLE-24: settings are found, with their source, and rules lead to their page', async () => {
    const search = mirasConsole.dialog.getByRole('searchbox', { name: 'Find a setting' })
    await search.fill('secret_key')
    const key = mirasConsole.row('SECRET_KEY')
    await key.getByText('Set (hidden)').first().waitFor()
    await search.fill('registration new accounts')
    const rule = mirasConsole.row('New accounts until operators change it')
    await rule.getByText('Default').waitFor()
    await rule.scrollIntoViewIfNeeded()
    await mirasConsole.look('settings')
    await rule.getByRole('button', { name: 'Change' }).click()
    await mirasConsole.dialog.getByRole('heading', { level: 3, name: 'Sign-ups' }).waitFor()
    assert.deepEqual(mira.person.complaints, [])
  })
})
