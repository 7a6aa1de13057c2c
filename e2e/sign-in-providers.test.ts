import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { type RealProvider, startRealProvider } from '../apps/server/test/sign-in/real-provider.ts'
import { noBrowser } from './chromium-files.ts'
import { lookClosely } from './console.ts'
import type { Person } from './person.ts'
import { chooseSection, openSpaceSettings } from './settings.ts'
import { settle } from './settled.ts'
import { Stage } from './stage.ts'

const verified = (name: string) => ({
  ...{ email: `${name}@example.org`, email_verified: true, preferred_username: name },
})

/** The tests run in order: each continues where the previous one ended. */
describe('sign-in providers', { skip: noBrowser }, () => {
  let stage: Stage
  let provider: RealProvider
  let mira: Person
  let environment: Record<string, string>

  before(async () => {
    provider = await startRealProvider({
      mira: verified('mira'),
      lena: verified('lena'),
      jonas: { preferred_username: 'jonas' },
    })
    const { id, name, issuer, clientId, clientSecret } = provider.settings
    const setting = {
      id,
      name,
      issuer,
      client_id: clientId,
      client_secret: clientSecret,
      allow_insecure: true,
    }
    environment = { OIDC_PROVIDERS: JSON.stringify([setting]) }
    stage = await Stage.openOwn(environment)
    await provider.serve(stage.program.url)
    mira = await stage.person('mira')
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    await stage?.close()
    await provider.close()
  })

  const heading = ({ page }: Person, name: string) => page.getByRole('heading', { name, exact: true })

  /** Logs in at the page of the provider, and lets the server know who that is. */
  async function logInThere({ page }: Person, account: string): Promise<void> {
    await page.locator('input[name=login]').fill(account)
    await page.locator('input[name=password]').fill('any')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
  }

  /** Signs in again at the provider, in the window that the button opens. */
  async function confirmThere({ page }: Person, dialog: Locator, account: string): Promise<void> {
    const opening = page.waitForEvent('popup')
    await dialog.getByRole('button', { name: 'Confirm with Main login' }).click()
    const window = await opening
    await window.locator('input[name=login]').fill(account)
    await window.locator('input[name=password]').fill('any')
    await window.getByRole('button', { name: 'Sign-in' }).click()
    await dialog.getByText('Confirmed. Continue within five minutes.').waitFor()
  }

  async function openAccount(person: Person): Promise<void> {
    await person.button(/^Account: /).click()
    await person.button('User settings').click()
    await chooseSection(person, 'User settings', 'Account')
  }

  test('OIDC-5: a person signs up with a provider, which has verified the address', async () => {
    await mira.page.goto('/')
    const link = mira.page.getByRole('link', { name: 'Continue with Main login' })
    await link.waitFor()
    await lookClosely(mira, 'providers-sign-in', 'main')
    await link.click()
    await logInThere(mira, 'mira')
    await heading(mira, 'Create your account').waitFor()
    assert.equal(await mira.field('Username').inputValue(), 'mira')
    await mira.page.getByText('m•••a@example.org').waitFor()
    await lookClosely(mira, 'providers-sign-up', 'main')
    await mira.button('Create account').click()
    await mira.button(/^Account: mira/).waitFor()
    await mira.page.reload()
    await mira.button(/^Account: mira/).waitFor()
  })

  test('OIDC-4: the next time the provider is enough, and leads to the page that was open', async () => {
    await mira.button(/^Account: /).click()
    await mira.button('Sign out here and at Main login').waitFor()
    await mira.button('Sign out').click()
    await mira.page.getByRole('link', { name: 'Continue with Main login' }).waitFor()
    await mira.page.goto('/home?from=here')
    await mira.page.getByRole('link', { name: 'Continue with Main login' }).click()
    await mira.button(/^Account: mira/).waitFor()
    assert.equal(new URL(mira.page.url()).pathname, '/home')
  })

  test('OIDC-7: the settings show it, and do not unlink the only way in', async () => {
    await openAccount(mira)
    await heading(mira, 'Sign-in providers').waitFor()
    await mira.page.getByText(/^mira, linked since /).waitFor()
    await mira.page.getByText('Your account has no password.').waitFor()
    await mira.button('Unlink Main login').click()
    const dialog = mira.page.getByRole('dialog', { name: 'Unlink Main login?' })
    await confirmThere(mira, dialog, 'mira')
    await dialog.getByRole('button', { name: 'Unlink' }).click()
    await dialog.getByText('This is your only way to sign in. Set a password first.').waitFor()
    await dialog.getByText('Confirm it’s you first.').waitFor()
    await lookClosely(mira, 'providers-unlink')
    // The pages of the provider load a font from elsewhere.
    mira.forgiveOutage()
    await mira.takeRefusals(400)
  })

  test('FACTOR-13: a proof that was not used in time is asked for again', async () => {
    const dialog = mira.page.getByRole('dialog', { name: 'Unlink Main login?' })
    await mira.page.clock.install()
    await confirmThere(mira, dialog, 'mira')
    await mira.page.clock.fastForward('05:01')
    await dialog.getByText('Confirm it’s you first.').waitFor()
    await mira.page.clock.resume()
    mira.forgiveOutage()
  })

  test('OIDC-7: a person links a provider to their account with the password', async () => {
    const { person: lena } = await settle(stage, 'lena')
    await lena.page.goto('/home')
    await openAccount(lena)
    await lena.page.getByText('Not linked').waitFor()
    await lena.button('Link Main login').click()
    const dialog = lena.page.getByRole('dialog', { name: 'Link Main login?' })
    await dialog.getByLabel('Your password').fill(lena.password)
    await lookClosely(lena, 'providers-link')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await logInThere(lena, 'lena')
    await heading(lena, 'Linked').waitFor()
    await lookClosely(lena, 'providers-linked', 'main')
    await lena.page.getByRole('link', { name: 'Continue to Foyer' }).click()
    await lena.button(/^Account: lena/).waitFor()
  })

  test('OIDC-6: an account that exists is linked by its password', async () => {
    await settle(stage, 'jonas')
    const other = await stage.person('jonas-elsewhere')
    await other.page.goto('/')
    await other.page.getByRole('link', { name: 'Continue with Main login' }).click()
    await logInThere(other, 'jonas')
    await heading(other, 'Create your account').waitFor()
    await other.field('Email').waitFor()
    await other.button('Sign in instead').click()
    await heading(other, 'Sign in to your account').waitFor()
    await other.field('Email or username').fill('jonas')
    await other.page.getByLabel('Password', { exact: true }).fill(other.password)
    await lookClosely(other, 'providers-link-existing', 'main')
    await other.button('Sign in').click()
    await other.button(/^Account: jonas/).waitFor()
  })

  test('OIDC-16: the settings of a space give a role to a group', async () => {
    const { person: nora, client } = await settle(stage, 'nora')
    const { space } = await client.spaces.create({ name: 'Sunday hikers' })
    await client.roles.create(space.id, { name: 'Guides' })
    await nora.page.goto(`/spaces/${space.id}`)
    await nora.composer('general').waitFor()
    const dialog = await openSpaceSettings(nora, 'Sunday hikers', 'Sign-in groups')
    await dialog.getByText('No groups yet.').waitFor()
    await dialog.getByRole('textbox', { name: 'Group', exact: true }).fill('staff')
    await dialog.getByRole('button', { name: 'Add group' }).click()
    await dialog.getByText('Role: Guides · Main login').waitFor()
    await lookClosely(nora, 'providers-groups')
    await dialog.getByRole('button', { name: 'Remove staff' }).click()
    await dialog.getByText('No groups yet.').waitFor()
  })

  test('OIDC-17: the account menu signs out at the provider, too', async () => {
    await mira.page.goto('/home')
    await mira.button(/^Account: /).click()
    await mira.button('Sign out here and at Main login').click()
    await mira.page.getByRole('button', { name: 'Yes, sign me out' }).click()
    await mira.page.getByRole('link', { name: 'Continue with Main login' }).click()
    await mira.page.locator('input[name=login]').waitFor()
    mira.forgiveOutage()
  })

  test('OIDC-11: a login that does not end says so', async () => {
    const late = await stage.person('late')
    await late.page.goto('/api/auth/oidc/main/callback?code=x&state=y')
    await heading(late, 'Signing in didn’t work').waitFor()
    await late.page
      .getByText('Signing in took too long, or you started in another browser. Try again.')
      .waitFor()
    await lookClosely(late, 'providers-trouble', 'main')
    await late.page.getByRole('link', { name: 'Back to Foyer' }).click()
    await late.page.getByRole('link', { name: 'Continue with Main login' }).waitFor()
  })

  test('OIDC-8: with passwords off, the first page has only the providers', async () => {
    const off = await Stage.openOwn({ ...environment, PASSWORD_LOGIN: 'off' })
    try {
      const visitor = await off.person('visitor')
      await visitor.page.goto('/')
      await visitor.page.getByRole('link', { name: 'Continue with Main login' }).waitFor()
      assert.equal(await visitor.page.locator('input').count(), 0)
      await lookClosely(visitor, 'providers-only', 'main')
    } finally {
      await off.close()
    }
  })
})
