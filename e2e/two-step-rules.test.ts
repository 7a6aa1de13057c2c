import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Capability } from '@foyer/protocol/capabilities'
import { Administration } from '@foyer/sdk/api/administration'
import { SecondFactors } from '@foyer/sdk/api/second-factors'
import { totpCode } from '../apps/server/src/people/auth/second-factors/totp.ts'
import { noBrowser } from './chromium-files.ts'
import { lookClosely } from './console.ts'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'
import { openSpaceSettings } from './settings.ts'
import { gather, type Settled, settle, signIn } from './settled.ts'
import { Stage } from './stage.ts'

const TITLE = 'This server requires two-step login'

/** Lena runs the server and asks everybody for two-step login. The tests run in order. */
describe('rules for two-step login', { skip: noBrowser }, () => {
  let stage: Stage
  let lena: Settled
  let kim: Settled
  let phone: Person
  let codes: string[]

  before(async () => {
    stage = await Stage.openOwn()
    lena = await settle(stage, 'lena')
    kim = await settle(stage, 'kim')
    phone = await stage.person('phone')
    await signIn(phone, 'kim')
    await protect(lena)
    for (const { page } of [lena.person, kim.person, phone]) await page.goto('/home')
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const codeNow = (secret: string) => totpCode(secret, Math.floor(Date.now() / 30_000))

  async function protect({ client, person }: Settled): Promise<void> {
    const { secret } = await client.api(SecondFactors).prepareTotp({ password: person.password })
    await client.api(SecondFactors).confirmTotp({ code: codeNow(secret) })
  }

  test('FACTOR-11: people without a second factor set one up in place of the client, and go on', async () => {
    const { page, password } = kim.person
    await kim.person.button(/^Account: kim/).waitFor()
    await lena.client.api(Administration).updateLoginRules({ second_factor_for: 'everybody' })
    await page.getByRole('heading', { name: TITLE }).waitFor()
    await lookClosely(kim.person, 'second-factor-needed', 'main')
    await page.reload()
    await page.getByRole('heading', { name: TITLE }).waitFor()
    await kim.person.button('Set up an authenticator app…').click()
    const setUp = page.getByRole('dialog', { name: 'Set up an authenticator app' })
    await setUp.getByLabel('Your password').fill(password)
    await setUp.getByRole('button', { name: 'Continue' }).click()
    await setUp.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    const secret = (await setUp.locator('code').innerText()).replaceAll(' ', '')
    await setUp.getByLabel('Code from the app').fill(codeNow(secret))
    await setUp.getByRole('button', { name: 'Turn on' }).click()
    const saving = page.getByRole('dialog', { name: 'Save your recovery codes' })
    const list = saving.getByRole('list', { name: 'Recovery codes' })
    await list.waitFor()
    codes = await list.getByRole('listitem').allInnerTexts()
    await saving.getByRole('button', { name: 'I’ve saved them' }).click()
    await kim.person.button('Continue').click()
    await kim.person.button(/^Account: kim/).waitFor()
  })

  test('FACTOR-11: another session is confirmed with a code', async () => {
    await phone.page.reload()
    await phone.page.getByRole('heading', { name: TITLE }).waitFor()
    await phone.button('Enter a code…').click()
    const asking = phone.page.getByRole('dialog', { name: 'Confirm it’s you' })
    const code = asking.getByLabel('Code', { exact: true })
    await code.fill('000000')
    await asking.getByRole('button', { name: 'Confirm' }).click()
    await phone.page.getByText(/^This code is wrong/).waitFor()
    await lookClosely(phone, 'second-factor-confirm')
    await code.fill(codes[0] ?? '')
    await asking.getByRole('button', { name: 'Confirm' }).click()
    await phone.button('Continue').click()
    await phone.button(/^Account: kim/).waitFor()
  })

  test('FACTOR-12: an owner asks moderators for two-step login', async () => {
    const { space } = await lena.client.spaces.create({ name: 'Sunday hikers' })
    const { person } = lena
    await person.page.goto(`/spaces/${space.id}`)
    await openSpaceSettings(person, 'Sunday hikers', 'Overview')
    await person.page.getByRole('switch', { name: 'Moderators need two-step login' }).click()
    await eventually(async () => (await lena.client.spaces.get(space.id)).needs_second_factor, true)
    await lookClosely(person, 'second-factor-space')
    assert.equal((await lena.client.auditLog.list(space.id)).entries[0]?.action, 'space_update')
  })

  test('FACTOR-12: a moderator without it is told, and led to the settings', async () => {
    await lena.client.api(Administration).updateLoginRules({ second_factor_for: 'nobody' })
    const tom = await settle(stage, 'tom')
    const { space, general } = await gather('Winter hikers', [lena, tom])
    await lena.client.spaces.update(space.id, { needs_second_factor: true })
    const { page } = tom.person
    await page.goto(`/spaces/${space.id}/rooms/${general.id}`)
    await tom.person.composer('general').waitFor()
    const banner = page.getByRole('region', { name: 'Two-step login' })
    assert.equal(await banner.count(), 0)
    const { id } = await lena.client.roles.create(space.id, {
      name: 'Moderators',
      capabilities: Capability.BanMembers,
    })
    await lena.client.roles.assign(space.id, tom.id, id)
    await banner.getByText('Until you set it up, you can’t moderate here.').waitFor()
    await lookClosely(tom.person, 'second-factor-moderator', 'main')
    await banner.getByRole('button', { name: 'Set up' }).click()
    await page.getByRole('dialog', { name: 'User settings' }).getByText('Two-step login').first().waitFor()
    await protect(tom)
    await page.keyboard.press('Escape')
    await banner.waitFor({ state: 'detached' })
    await tom.client.bans.create(space.id, kim.id)
  })
})
