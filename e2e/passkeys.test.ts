import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Passkeys } from '@foyer/sdk/api/passkeys'
import type { CDPSession, Locator } from 'playwright-core'
import { plugIn } from './authenticator.ts'
import { noBrowser } from './chromium-files.ts'
import { lookClosely } from './console.ts'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'
import { chooseSection } from './settings.ts'
import { type Settled, settlePerson } from './settled.ts'
import { Stage } from './stage.ts'

/** Nora signs in without her password. The tests run in order: each continues where the previous one ended. */
describe('passkeys', { skip: noBrowser }, () => {
  let stage: Stage
  let nora: Settled
  let person: Person
  let devices: CDPSession
  let authenticatorId: string

  before(async () => {
    stage = await Stage.open()
    // Browsers keep no passkeys for addresses of numbers.
    person = await stage.person('nora', stage.program.url.replace('127.0.0.1', 'localhost'))
    nora = await settlePerson(person)
    devices = await person.context.newCDPSession(person.page)
    authenticatorId = await plugIn(devices)
    await person.page.goto('/home')
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const dialog = (name: string) => person.page.getByRole('dialog', { name, exact: true })
  const list = () => person.page.getByRole('list', { name: 'Passkeys' })
  const isGone = (locator: Locator) => locator.waitFor({ state: 'detached' })
  const recognise = (isUserVerified: boolean) =>
    devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  const isIn = () => person.button(/^Account: nora/).waitFor()

  async function openAccount(): Promise<void> {
    await person.button(/^Account: /).click()
    await person.button('User settings').click()
    await chooseSection(person, 'User settings', 'Account')
  }

  async function leaveSettings(): Promise<void> {
    await person.page.keyboard.press('Escape')
    await isGone(dialog('User settings'))
  }

  test('PASSKEY-1: a passkey is added with the password and a name', async () => {
    await openAccount()
    await person.button('Add a passkey…').click()
    const adding = dialog('Add a passkey')
    await adding.getByLabel('Your password').fill('wrong')
    await adding.getByRole('button', { name: 'Continue' }).click()
    await adding.getByText('Password is wrong.').waitFor()
    await person.takeRefusals(400)
    await adding.getByLabel('Your password').fill(person.password)
    await adding.getByRole('button', { name: 'Continue' }).click()
    const name = adding.getByLabel('Passkey name')
    await name.waitFor()
    assert.match(await name.inputValue(), /Chrome on /)
    await lookClosely(person, 'passkey-naming')
    await name.fill('Laptop')
    await adding.getByRole('button', { name: 'Create passkey' }).click()
    await isGone(adding)
    await list().getByText('Laptop').waitFor()
    await list().getByText('not used yet').waitFor()
    await list().scrollIntoViewIfNeeded()
    await lookClosely(person, 'passkeys')
  })

  test('PASSKEY-3: a device that has a passkey of the account makes no second one', async () => {
    await person.button('Add a passkey…').click()
    const adding = dialog('Add a passkey')
    await adding.getByLabel('Your password').fill(person.password)
    await adding.getByRole('button', { name: 'Continue' }).click()
    await adding.getByRole('button', { name: 'Create passkey' }).click()
    await adding.getByText('This device already has a passkey for your account.').waitFor()
    await adding.getByRole('button', { name: 'Cancel' }).click()
    await isGone(adding)
    assert.equal((await nora.client.api(Passkeys).list()).length, 1)
  })

  test('PASSKEY-1: a passkey is renamed', async () => {
    await person.button('Rename passkey: Laptop').click()
    const renaming = dialog('Rename passkey')
    await renaming.getByLabel('Passkey name').fill('Old laptop')
    await renaming.getByRole('button', { name: 'Save' }).click()
    await isGone(renaming)
    await list().getByText('Old laptop').waitFor()
  })

  test('PASSKEY-2: a passkey signs in without a password, by the button', async () => {
    await leaveSettings()
    // Otherwise the device answers the offer in the field at once.
    await person.page.evaluate(() =>
      Reflect.deleteProperty(PublicKeyCredential, 'isConditionalMediationAvailable'),
    )
    await person.signOut()
    const button = person.button('Sign in with a passkey')
    await button.waitFor()
    await lookClosely(person, 'passkey-sign-in', 'main')
    await recognise(false)
    const asked = person.page.waitForResponse('**/api/auth/passkeys/options')
    await button.click()
    await asked
    await eventually(() => button.getAttribute('aria-busy'), null)
    assert.equal(await person.page.getByRole('alert').count(), 0)
    await recognise(true)
    await button.click()
    await isIn()
  })

  test('PASSKEY-2: a passkey signs in from the field for the username', async () => {
    await person.page.reload()
    const login = person.page.waitForResponse('**/api/auth/passkeys/login')
    await person.signOut()
    assert.equal((await login).status(), 200)
    await isIn()
  })

  test('PASSKEY-1: a passkey that was removed signs in no longer', async () => {
    await openAccount()
    await list().getByText('last used just now').waitFor()
    await person.button('Remove passkey: Old laptop').click()
    const removing = dialog('Remove the passkey Old laptop?')
    await removing.getByLabel('Your password').fill(person.password)
    await lookClosely(person, 'passkey-removing')
    await removing.getByRole('button', { name: 'Remove' }).click()
    await isGone(removing)
    await isGone(list().getByText('Old laptop'))
    await leaveSettings()
    await person.signOut()
    await person.page.getByText(/^This passkey does not work here/).waitFor()
    await person.takeRefusals(401)
  })

  test('PASSKEY-1: after a login by password a passkey is offered, once in this browser', async () => {
    await devices.send('WebAuthn.clearCredentials', { authenticatorId })
    await signInByPassword()
    const offer = person.page.getByRole('region', { name: 'Passkeys' })
    await offer.waitFor()
    await lookClosely(person, 'passkey-offer', 'main')
    await offer.getByRole('button', { name: 'Add a passkey…' }).click()
    await dialog('Add a passkey').getByLabel('Your password').waitFor()
    await person.page.keyboard.press('Escape')
    await isGone(dialog('Add a passkey'))
    await isGone(offer)
    await person.signOut()
    await signInByPassword()
    await isIn()
    assert.equal(await person.page.evaluate(() => localStorage.getItem('foyer.passkey-offer')), 'answered')
    assert.equal(await offer.count(), 0)
  })

  test('PASSKEY-7: an address of numbers shows nothing about passkeys', async () => {
    const other = await stage.person('byNumbers')
    await other.page.goto('/')
    await other.button('Sign in').waitFor()
    assert.equal(await other.button('Sign in with a passkey').count(), 0)
    await other.field('Email or username').fill('nora')
    await other.page.getByLabel('Password', { exact: true }).fill(other.password)
    await other.button('Sign in').click()
    await other.button(/^Account: /).click()
    await other.button('User settings').click()
    await chooseSection(other, 'User settings', 'Account')
    await other.button('Set up an authenticator app…').waitFor()
    assert.equal(await other.button('Add a passkey…').count(), 0)
    assert.deepEqual(other.complaints, [])
  })

  async function signInByPassword(): Promise<void> {
    await person.field('Email or username').fill('nora')
    await person.page.getByLabel('Password', { exact: true }).fill(person.password)
    await person.button('Sign in').click()
  }
})
