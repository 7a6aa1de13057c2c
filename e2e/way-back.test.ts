import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Client } from '@foyer/sdk/client'
import { awaitMail, tokenIn } from '../apps/server/test/outside/mailbox.ts'
import { noBrowser } from './chromium-files.ts'
import { lookClosely } from './console.ts'
import type { Person } from './person.ts'
import { chooseSection } from './settings.ts'
import { type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const STOLEN = 'password of a thief'
const OWN = 'a password of her own'

/** Frida takes her account back. The tests run in order: each continues where the previous one ended. */
describe('the way back', { skip: noBrowser }, () => {
  let stage: Stage
  let frida: Settled
  let visitor: Person
  let path: string

  before(async () => {
    stage = await Stage.open()
    frida = await settle(stage, 'frida')
    await frida.person.page.goto('/home')
    await frida.person.button(/^Account: /).waitFor()
    visitor = await stage.person('visitor')
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const heading = ({ page }: Person, name: string) => page.getByRole('heading', { name, exact: true })
  const mailed = (address: string, subject: string) => awaitMail(stage, address, { subject })

  /** Does what a thief does who knows the password. */
  async function steal(): Promise<void> {
    const client = new Client({ baseUrl: stage.program.url })
    const { password } = frida.person
    await client.auth.login({ email: 'frida', password })
    await client.auth.sendEmailChange({ email: 'thief@example.org', password })
    const token = tokenIn(await mailed('thief@example.org', 'Confirm your new'))
    await client.auth.changeEmail({ token })
    await client.auth.changePassword({ password, new_password: STOLEN })
  }

  test('WAYBACK-10: the link in the mail opens a page that lists the changes, and changes nothing', async () => {
    await steal()
    await heading(frida.person, 'Welcome back').waitFor()
    const mail = await mailed('frida@example.org', 'Your email address was changed')
    path = `/way-back?token=${tokenIn(mail)}`
    await visitor.page.goto(path)
    await heading(visitor, 'Wasn’t this you?').waitFor()
    const changes = visitor.page.getByRole('list', { name: 'Changes' }).getByRole('listitem')
    assert.equal(await changes.count(), 2)
    await changes.filter({ hasText: 'The email address was changed.' }).getByText('Node.js').waitFor()
    await changes.filter({ hasText: 'The password was changed.' }).waitFor()
    await lookClosely(visitor, 'way-back', 'main')
    await visitor.page.reload()
    await heading(visitor, 'Wasn’t this you?').waitFor()
  })

  test('WAYBACK-10: with a new password the account is its owner’s again', async () => {
    await visitor.page.getByLabel('New password').fill('short')
    await visitor.button('Undo and set password').click()
    await visitor.page.getByText('Use at least 8 characters.').waitFor()
    await visitor.page.getByLabel('New password').fill(OWN)
    await visitor.button('Undo and set password').click()
    await heading(visitor, 'Changes undone').waitFor()
    await lookClosely(visitor, 'way-back-taken', 'main')
    await visitor.page.getByRole('link', { name: 'Continue to Foyer' }).click()
    await visitor.page.getByLabel('Email or username').fill('frida@example.org')
    await visitor.page.getByLabel('Password', { exact: true }).fill(OWN)
    await visitor.button('Sign in').click()
    await visitor.button(/^Account: frida/).waitFor()
    await mailed('frida@example.org', 'Changes were undone')
  })

  test('WAYBACK-4: the link does not work again', async () => {
    await visitor.page.goto(path)
    await heading(visitor, 'This link doesn’t work').waitFor()
    visitor.complaints = []
  })

  test('DEVICE-5: a session that is not one’s own is ended with all others, and the password changed', async () => {
    await new Client({ baseUrl: stage.program.url }).auth.login({ email: 'frida', password: OWN })
    await mailed('frida@example.org', 'New sign-in')
    await visitor.page.goto('/home')
    await visitor.button(/^Account: /).click()
    await visitor.button('User settings').click()
    await chooseSection(visitor, 'User settings', 'Sessions')
    const sessions = visitor.page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
    await sessions.filter({ hasText: 'Node.js' }).waitFor()
    await lookClosely(visitor, 'sessions-not-me')
    await visitor.button('This wasn’t me…').click()
    await visitor.page.getByRole('alertdialog').getByRole('button', { name: 'End all others' }).click()
    await visitor.page.getByText('All other sessions have ended.').waitFor()
    await sessions.filter({ hasText: 'Node.js' }).waitFor({ state: 'detached' })
    await lookClosely(visitor, 'sessions-shut-out')
    await visitor.page.getByLabel('Current password').fill(OWN)
    await visitor.page.getByLabel('New password').fill('yet another password')
    await visitor.button('Change password').click()
    await visitor.page.getByText(/^Password changed/).waitFor()
  })
})
