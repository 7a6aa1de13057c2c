import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { SecondFactors } from '@foyer/sdk/api/second-factors'
import type { Locator } from 'playwright-core'
import { totpCode } from '../apps/server/src/people/auth/second-factors/totp.ts'
import { noBrowser } from './chromium-files.ts'
import { lookClosely } from './console.ts'
import type { Person } from './person.ts'
import { chooseSection } from './settings.ts'
import { type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** Lena protects her account. The tests run in order: each continues where the previous one ended. */
describe('two-step login', { skip: noBrowser }, () => {
  let stage: Stage
  let lena: Settled
  let person: Person
  let secret: string
  let codes: string[]

  before(async () => {
    stage = await Stage.open()
    lena = await settle(stage, 'lena')
    person = lena.person
    await person.page.goto('/home')
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const dialog = (name: string) => person.page.getByRole('dialog', { name, exact: true })
  const isGone = (locator: Locator) => locator.waitFor({ state: 'detached' })
  /** @param offset periods from now */
  const codeAt = (offset: number) => totpCode(secret, Math.floor(Date.now() / 30_000) + offset)

  async function openAccount(): Promise<void> {
    await person.button(/^Account: /).click()
    await person.button('User settings').click()
    await chooseSection(person, 'User settings', 'Account')
  }

  test('FACTOR-1: an authenticator app is set up with the password and its first code', async () => {
    await openAccount()
    await person.button('Set up an authenticator app…').click()
    const setUp = dialog('Set up an authenticator app')
    await setUp.getByLabel('Your password').fill('wrong')
    await setUp.getByRole('button', { name: 'Continue' }).click()
    await setUp.getByText('Password is wrong.').waitFor()
    await setUp.getByLabel('Your password').fill(person.password)
    await setUp.getByRole('button', { name: 'Continue' }).click()
    await setUp.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    secret = (await setUp.locator('code').innerText()).replaceAll(' ', '')
    assert.match(secret, /^[A-Z2-7]{32}$/)
    await setUp.getByLabel('Code from the app').fill('000000')
    await setUp.getByRole('button', { name: 'Turn on' }).click()
    await setUp.getByText(/^This code is wrong/).waitFor()
    await lookClosely(person, 'two-step-set-up')
    await setUp.getByLabel('Code from the app').fill(codeAt(0))
    await setUp.getByRole('button', { name: 'Turn on' }).click()
    const saving = dialog('Save your recovery codes')
    const list = saving.getByRole('list', { name: 'Recovery codes' })
    await list.waitFor()
    codes = await list.getByRole('listitem').allInnerTexts()
    assert.equal(codes.length, 10)
    await lookClosely(person, 'two-step-codes')
    const download = person.page.waitForEvent('download')
    await saving.getByRole('link', { name: 'Download' }).click()
    assert.equal((await download).suggestedFilename(), 'foyer-recovery-codes.txt')
    await saving.getByRole('button', { name: 'I’ve saved them' }).click()
    await isGone(saving)
    await person.page.getByText(/On since /).waitFor()
    await person.page.getByText('You have 10 unused recovery codes.').waitFor()
    await lookClosely(person, 'two-step-on')
  })

  test('FACTOR-5: changing the password asks for a code, and keeps what was typed', async () => {
    await person.page.getByLabel('Current password').fill(person.password)
    await person.page.getByLabel('New password').fill('another good password')
    await person.button('Change password').click()
    const code = person.page.getByLabel('Code', { exact: true })
    await code.waitFor()
    await person.page.getByText(/^A code of your second factor is needed/).waitFor()
    await code.fill(codeAt(1))
    await person.button('Change password').click()
    await person.page.getByText(/^Password changed/).waitFor()
  })

  test('FACTOR-2: signing in asks for a code after the password, and takes a recovery code', async () => {
    const other = await stage.person('otherdevice')
    await other.page.goto('/')
    await other.page.getByLabel('Email or username').fill('lena')
    await other.page.getByLabel('Password', { exact: true }).fill('another good password')
    await other.button('Sign in').click()
    const code = other.page.getByLabel('Code', { exact: true })
    await code.waitFor()
    await code.fill('123456')
    await other.button('Sign in').click()
    await other.page.getByText(/^This code is wrong/).waitFor()
    await lookClosely(other, 'two-step-sign-in', 'main')
    await other.button('Back').click()
    await other.page.getByLabel('Password', { exact: true }).fill('another good password')
    await other.button('Sign in').click()
    await code.fill(codes[0] ?? '')
    await other.button('Sign in').click()
    await other.button(/^Account: lena/).waitFor()
    assert.equal((await lena.client.api(SecondFactors).get()).recovery_codes, 9)
  })

  test('FACTOR-5: it is turned off with the password and a code', async () => {
    await person.button('Turn off…').click()
    const asking = dialog('Turn off two-step login?')
    await asking.getByLabel('Your password').fill('another good password')
    await asking.getByRole('button', { name: 'Turn off' }).click()
    await asking.getByText('Enter a code.').waitFor()
    await asking.getByLabel('Code', { exact: true }).fill(codes[1] ?? '')
    await asking.getByRole('button', { name: 'Turn off' }).click()
    await isGone(asking)
    await person.button('Set up an authenticator app…').waitFor()
  })
})
