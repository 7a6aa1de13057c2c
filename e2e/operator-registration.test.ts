import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import { Client } from '@foyer/sdk/client'
import { ApiError } from '@foyer/sdk/rest'
import type { Locator } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { Console } from './console.ts'
import { type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** Mira runs the server. Each test continues where the previous one ended. */
describe('sign-ups in the console of the operators', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled
  let mirasConsole: Console

  before(async () => {
    stage = await Stage.openOwn()
    mira = await settle(stage, 'mira')
    mirasConsole = new Console(mira.person)
    await mira.person.page.goto('/operator/registration')
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const isGone = (locator: Locator) => locator.waitFor({ state: 'detached' })

  /** Applies for an account in mode `approval`. */
  async function apply(username: string, answer: string): Promise<Client> {
    const client = new Client({ baseUrl: stage.program.url })
    const email = `${username}@school.example`
    await assert.rejects(
      client.auth.signin({ username, email, password: mira.person.password, answer }),
      (error) => error instanceof ApiError && error.code === 'approval_pending',
    )
    return client
  }

  test('REGISTRATION-40: the rules for sign-ups are changed, and a wrong mail domain is refused', async () => {
    const section = await mirasConsole.open('Sign-ups')
    await mirasConsole.look('registration')
    await section.getByRole('radio', { name: 'People an administrator approves' }).check()
    await section.getByLabel('Question for applicants').fill('How do you know us?')
    await section.getByLabel('Only email addresses at these domains').fill('@school.example\nada@example.org')
    await mira.person.button('Save changes').click()
    await section
      .getByText('“ada@example.org” isn’t a valid email domain. Write it like example.org.')
      .waitFor()
    await section.getByLabel('Only email addresses at these domains').fill('@school.example\n')
    await section.getByRole('radio', { name: 'Never' }).check()
    await mirasConsole.look('rules')
    await section.getByRole('button', { name: 'Save changes' }).dblclick()
    await isGone(section.getByText('You have unsaved changes.'))
    assert.deepEqual(await mira.client.api(Administration).getRegistration(), {
      mode: 'approval',
      question: 'How do you know us?',
      domains: ['school.example'],
      puzzle: 'off',
    })
    await section.getByText(/^No one is waiting\. People who apply/).waitFor()
  })

  test('REGISTRATION-41: applications are approved and declined', async () => {
    const nils = await apply('nils', 'From the choir, we sang together')
    await apply('spam', 'Cheap watches')
    await mira.person.button('Check for new applications').click()
    await mirasConsole.row('@nils').getByText('From the choir, we sang together').waitFor()
    await mirasConsole.row('@nils').getByText('email at school.example').waitFor()
    const names = mirasConsole.dialog
      .getByRole('list', { name: 'Account applications' })
      .locator('.settings-name')
    assert.deepEqual(await names.allInnerTexts(), ['nils', 'spam'])
    await mirasConsole.look('applications')
    await mira.person.button('Approve @nils').dblclick()
    await mirasConsole.row('@nils').getByText('@nils has an account now.').waitFor()
    const { user } = await nils.auth.login({ email: 'nils', password: mira.person.password })
    assert.equal(user.username, 'nils')
    await mira.person.button('Decline @spam').click()
    const asking = mira.person.page.getByRole('dialog', { name: 'Decline @spam?' })
    await asking.getByLabel('Message to the applicant').fill('No advertising here.')
    await mirasConsole.look('decline')
    await asking.getByRole('button', { name: 'Decline' }).click()
    await mirasConsole.row('@spam').getByText('@spam was declined.').waitFor()
    await mirasConsole.look('decided')
    assert.deepEqual(await mira.client.api(Administration).listRegistrations(), [])
  })

  test('REGISTRATION-41: an application that another operator has decided on is no error', async () => {
    await apply('odd', 'We met at the lake')
    await mira.person.button('Check for new applications').click()
    await mirasConsole.row('@odd').waitFor()
    assert.equal(await mirasConsole.row('@nils').count(), 0)
    const [waiting] = await mira.client.api(Administration).listRegistrations()
    await mira.client.api(Administration).refuseRegistration(waiting?.id ?? '')
    await mira.person.button('Approve @odd').click()
    await mirasConsole
      .row('@odd')
      .getByText('Another administrator has already decided on this application.')
      .waitFor()
    await mira.person.takeRefusals(404)
  })

  test('REGISTRATION-42: an invite is created, shown and revoked', async () => {
    await mira.person.button('Create invite').click()
    const making = mira.person.page.getByRole('dialog', { name: 'Create an invite to this server' })
    await making.getByLabel('Number of accounts').fill('-1')
    await making.getByRole('button', { name: 'Create invite' }).click()
    await making.getByText('Enter a number from 0 to 100,000.').waitFor()
    await making.getByLabel('Number of accounts').fill('3')
    await making.getByLabel('Note').fill('the choir')
    await mirasConsole.look('new-invite')
    await making.getByRole('button', { name: 'Create invite' }).dblclick()
    const made = mira.person.page.getByRole('dialog', { name: 'Your invite is ready' })
    await made.waitFor()
    const [invite, ...others] = await mira.client.api(Administration).listInvites()
    assert.deepEqual(others, [])
    const link = await made.getByLabel('Invite link').inputValue()
    assert.equal(new URL(link).pathname, `/sign-up/${invite?.code}`)
    await mirasConsole.look('made-invite')
    await made.getByRole('button', { name: 'Close' }).first().click()
    await mirasConsole.row('the choir').getByText('0 of 3 accounts').waitFor()
    await mirasConsole.look('invites')
    await mira.person.button(`Revoke ${invite?.code}`).click()
    await mira.person.page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await mirasConsole.dialog.getByText('There are no invites to this server.').waitFor()
  })

  test('OPERATOR-43: the log says what was done about sign-ups, and what changed', async () => {
    const log = await mirasConsole.open('Log')
    await mirasConsole.row('mira revoked the invite to this server for the choir').waitFor()
    assert.deepEqual(await log.locator('.audit-texts > p:first-child').allInnerTexts(), [
      'mira revoked the invite to this server for the choir',
      'mira created an invite to this server for the choir',
      'mira declined an application',
      'mira declined an application',
      'mira approved the application of nils',
      'mira changed the rules for sign-ups',
      'The server made mira an administrator',
    ])
    const changed = mirasConsole.row('mira changed the rules')
    await changed.getByText('Details').click()
    await changed.getByText('People an administrator approves').waitFor()
    await mirasConsole.look('log-of-sign-ups')
  })

  test('the console has no errors', () => {
    assert.deepEqual(mira.person.complaints, [])
  })
})
