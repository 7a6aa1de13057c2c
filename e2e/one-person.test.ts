import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { Keys } from './keys.ts'
import type { Person } from './person.ts'
import { Stage } from './stage.ts'

describe('a single user', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let keys: Keys

  before(async () => {
    stage = await Stage.openOwn({ DATABASE_URL: '' })
    mira = await stage.person('mira')
    keys = new Keys(mira.page)
    await mira.page.goto('/')
    await mira.signUp()
    await mira.createSpace('Sunday hikers')
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const press = (key: string) => mira.page.keyboard.press(key)

  test('signing out in one tab signs out the others', async () => {
    const second = await mira.context.newPage()
    await second.goto('/')
    await second.getByRole('textbox', { name: 'Message #general' }).waitFor()
    await mira.signOut()
    for (const page of [mira.page, second])
      await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
    await second.reload()
    await second.getByRole('heading', { name: 'Welcome back' }).waitFor()
    await second.close()
  })

  test('a wrong password is refused with a message, and the typed name stays', async () => {
    await mira.field('Email or username').fill('mira')
    await mira.page.getByLabel('Password').fill('not the password')
    await mira.button('Sign in').click()
    await mira.page.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
    assert.equal(await mira.field('Email or username').inputValue(), 'mira')
    await mira.picture('wrong-password')
    await mira.takeRefusals(401)
    await mira.page.reload()
  })

  test('the keyboard alone signs in', async () => {
    await mira.field('Email or username').waitFor()
    await keys.goTo(mira.field('Email or username'))
    await mira.page.keyboard.type('mira')
    await keys.goTo(mira.page.getByLabel('Password'))
    await mira.page.keyboard.type(mira.password)
    await press('Enter')
    await mira.composer('general').waitFor()
  })

  test('the keyboard alone moves between rooms', async () => {
    await keys.goTo(mira.room('general'))
    await keys.goTo(mira.room('lounge'), 'ArrowDown')
    await press('Enter')
    await mira.page.getByRole('heading', { level: 1, name: 'lounge' }).waitFor()
    await keys.goTo(mira.room('lounge'), 'Shift+Tab')
    await keys.goTo(mira.room('general'), 'ArrowUp')
    await press('Enter')
    await mira.page.getByRole('heading', { level: 1, name: 'general' }).waitFor()
  })

  test('the keyboard alone sends, edits and deletes', async () => {
    await keys.goTo(mira.composer('general'))
    for (const text of ['first', 'secnd']) {
      await mira.page.keyboard.type(text)
      await press('Enter')
    }
    await eventually(() => mira.history(), ['first', 'secnd'])
    await eventually(() => mira.outgoing(), 0)
    await press('ArrowUp')
    await keys.isAt(mira.field('Edit message'))
    for (let letters = 0; letters < 2; letters += 1) await press('Backspace')
    await mira.page.keyboard.type('ond')
    await press('Enter')
    await eventually(() => mira.history(), ['first', 'second'])
    await keys.isAt(mira.composer('general'))
    await keys.goTo(mira.message('second'), 'Shift+Tab')
    await keys.goTo(mira.message('second').getByRole('button', { name: 'Delete message' }))
    await press('Enter')
    const dialog = mira.page.getByRole('alertdialog')
    await keys.goTo(dialog.getByRole('button', { name: 'Delete message' }))
    await press('Enter')
    await eventually(() => mira.history(), ['first'])
    await dialog.waitFor({ state: 'detached' })
    await keys.isAt(mira.composer('general'))
  })

  test('Escape leaves a message unchanged', async () => {
    await mira.composer('general').focus()
    await press('ArrowUp')
    await keys.isAt(mira.field('Edit message'))
    await mira.page.keyboard.type(' draft')
    await press('Escape')
    await eventually(() => mira.history(), ['first'])
    await keys.isAt(mira.composer('general'))
  })

  test('private fields of an account are saved, with a phone number as usually written', async () => {
    await openAccount()
    await mira.page.getByLabel('Birthday').fill('1994-05-04')
    await mira.field('Phone number').fill('030 1234567')
    await mira.button('Save details').click()
    await mira.page.getByText('Include the country code').waitFor()
    await mira.field('Phone number').fill('0049 30 1234567')
    await mira.button('Save details').click()
    await mira.page.getByRole('status').getByText('Saved.').waitFor()
    await mira.picture('personal-details')
    await mira.page.reload()
    await openAccount()
    assert.equal(await mira.page.getByLabel('Birthday').inputValue(), '1994-05-04')
    assert.equal(await mira.field('Phone number').inputValue(), '+49301234567')
    await mira.page.getByLabel('Birthday').press('Backspace')
    await mira.button('Save details').click()
    await mira.page.getByText('Enter the full date or leave it empty.').waitFor()
    await press('Escape')
  })

  test('the account shows its masked address, and the old password sets a new one', async () => {
    await mira.page.reload()
    await openAccount()
    await mira.page.getByText('m•••a@example.org').waitFor()
    const current = mira.page.getByLabel('Current password')
    await current.fill('not the password')
    await mira.page.getByLabel('New password').fill('a wholly new password')
    await mira.button('Change password').click()
    await mira.page.getByText('Password is wrong.').waitFor()
    await mira.takeRefusals(400)
    await mira.picture('change-password')
    await current.fill(mira.password)
    await mira.button('Change password').click()
    await mira.page.getByText('Password changed').waitFor()
    await press('Escape')
  })

  async function openAccount(): Promise<void> {
    await mira.button(/^Account: /).click()
    await mira.button('User settings').click()
    await mira.button('Account').click()
    await mira.page.getByRole('heading', { name: 'Personal details' }).waitFor()
  }

  test('the console has no errors', () => {
    assert.deepEqual(mira.complaints, [])
  })
})
