import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { picture } from './sample-files.ts'
import { chooseFiles, chooseSection, closeSettings } from './settings.ts'
import { Stage } from './stage.ts'

const SUNRISE = picture('sunrise.png', { width: 200, height: 120, sky: [255, 170, 110] })
const BEGINNING = 'This is the beginning of #general'

/** The tests run in order: each continues where the previous one ended. */
describe('a new server', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Person
  let invite: string

  before(async () => {
    stage = await Stage.openOwn()
    mira = await stage.person('mira')
    jonas = await stage.person('jonas')
    await jonas.page.setViewportSize({ width: 390, height: 844 })
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const theme = (person: Person) =>
    person.page.evaluate(() => getComputedStyle(document.body).backgroundColor)

  /** Takes pictures in the light and dark themes, and with more contrast. */
  async function pictures(person: Person, name: string): Promise<void> {
    await person.picture(name)
    await person.page.emulateMedia({ colorScheme: 'dark' })
    await person.picture(`${name}-dark`)
    await person.page.emulateMedia({ colorScheme: 'light', contrast: 'more' })
    await person.picture(`${name}-contrast`)
    await person.page.emulateMedia({ colorScheme: 'light', contrast: 'no-preference' })
  }

  test('the first user is greeted as the administrator, and errors are shown at their fields', async () => {
    await mira.page.goto('/')
    await mira.page.getByRole('heading', { name: 'Welcome to your new Foyer' }).waitFor()
    await mira.page.getByText('server administrator').waitFor()
    assert.equal(await mira.button('Sign in instead').count(), 0, 'nobody has an account')
    await pictures(mira, 'first-person')
    await mira.field('Username').fill('M')
    await mira.field('Email').fill('mira')
    await mira.page.getByLabel('Password').fill('short')
    await mira.button('Create account').click()
    for (const complaint of ['lowercase letters', 'Enter an email', 'at least'])
      await mira.page.getByText(complaint, { exact: false }).waitFor()
    await mira.button('Show password').click()
    assert.equal(await mira.page.getByLabel('Password').inputValue(), 'short')
    assert.equal(await mira.page.getByLabel('Password').getAttribute('type'), 'text')
    await mira.picture('first-person-errors')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.signUp()
    await mira.page.getByText('Your server is ready.').waitFor()
    await mira.picture('first-home')
  })

  test('the first space only needs a name, and shows the next steps', async () => {
    await mira.createSpace('Sunday hikers')
    const steps = mira.page.getByRole('region', { name: 'Set up your space' })
    await steps.waitFor()
    await pictures(mira, 'first-space')
    await mira.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await steps.getByRole('button', { name: 'Invite people' }).click()
    await steps.getByText('Link copied.').waitFor()
    const copied = await mira.page.evaluate(() => navigator.clipboard.readText())
    invite = new URL(copied).pathname
    await steps.getByRole('button', { name: 'Invite people Done' }).waitFor()
    await steps.getByRole('button', { name: 'Say hello' }).click()
    await mira.page.keyboard.type('Hello!')
    await mira.page.keyboard.press('Enter')
    await steps.getByRole('button', { name: 'Say hello Done' }).waitFor()
    await mira.picture('first-steps')
    await steps.getByRole('button', { name: 'Hide these steps' }).waitFor()
  })

  test('WEB-14: a space created here has a picture and an emoji without setting up storage', async () => {
    const steps = mira.page.getByRole('region', { name: 'Set up your space' })
    await steps.getByRole('button', { name: 'Add a picture' }).click()
    await mira.page.getByRole('dialog', { name: 'Sunday hikers' }).waitFor()
    await chooseFiles(mira.button('Choose: Space icon'), [SUNRISE])
    await mira.button('Use picture').click()
    await mira.page.getByRole('dialog', { name: 'Space icon' }).waitFor({ state: 'detached' })
    const settings = await chooseSection(mira, 'Sunday hikers', 'Emoji')
    await chooseFiles(mira.button('Add emoji'), [SUNRISE])
    await settings.getByText('1 of 500 emoji').waitFor()
    assert.equal(await mira.button('Set up storage').count(), 0)
    await closeSettings(mira, 'Sunday hikers')
    await steps.getByRole('button', { name: 'Add a picture Done' }).waitFor()
    assert.deepEqual(mira.complaints, [])
  })

  test('the steps can be hidden for good', async () => {
    const steps = mira.page.getByRole('region', { name: 'Set up your space' })
    await steps.getByRole('button', { name: 'Hide these steps' }).click()
    await mira.page.reload()
    await mira.page.getByRole('heading', { name: BEGINNING }).waitFor()
    assert.equal(await steps.count(), 0, 'who does not want it is not shown it again')
  })

  test('the second user sees the invitation on a phone, and arrives in its room', async () => {
    await jonas.page.goto(invite)
    await jonas.page.getByText('mira invited you to join').waitFor()
    await pictures(jonas, 'invite-phone')
    await jonas.page.emulateMedia({ contrast: 'more' })
    const edgeOf = (name: string) =>
      jonas.button(name).evaluate((button) => getComputedStyle(button).borderTopWidth)
    const edges = async () => [await edgeOf('Create account'), await edgeOf('Sign in instead')]
    await eventually(edges, ['1px', '0px'])
    await jonas.page.emulateMedia({ contrast: 'no-preference' })
    await jonas.signUp()
    await jonas.composer('general').waitFor()
    await jonas.message('Hello!').waitFor()
    await jonas.page.goto(invite)
    await jonas.page.getByText('You’re already a member of this space.').waitFor()
    await jonas.page.getByRole('link', { name: 'Open Sunday hikers' }).click()
    await jonas.message('Hello!').waitFor()
  })

  test('the chosen appearance applies in every tab, before the first paint', async () => {
    const tab = await mira.context.newPage()
    await tab.goto('/')
    await tab.getByRole('heading', { name: BEGINNING }).waitFor()
    const light = await theme(mira)
    await mira.button(/^Account: /).click()
    await mira.button('User settings').click()
    const settings = await chooseSection(mira, 'User settings', 'Appearance')
    await pictures(mira, 'appearance')
    await settings.getByRole('radio', { name: 'Dark' }).check()
    await settings.getByRole('radio', { name: 'Very large' }).check()
    await settings.getByRole('radio', { name: 'Compact' }).check()
    await mira.picture('appearance-chosen')
    const dark = await theme(mira)
    assert.notEqual(dark, light)
    await eventually(() => tab.evaluate(() => getComputedStyle(document.body).backgroundColor), dark)
    // Blocks the app's own scripts, which run after the first paint.
    await tab.route('**/*.js', (route) => {
      const isFirst = route.request().url().includes('/assets/first-')
      return isFirst ? route.continue() : route.abort()
    })
    await tab.reload()
    assert.equal(await tab.evaluate(() => document.querySelector('#root')?.childElementCount), 0)
    assert.equal(await tab.evaluate(() => getComputedStyle(document.body).backgroundColor), dark)
    assert.deepEqual(await tab.evaluate(() => ({ ...document.documentElement.dataset })), {
      theme: 'dark',
      contrast: 'usual',
      textSize: '18',
      density: 'compact',
      motion: 'usual',
    })
    await tab.close()
    await settings.getByRole('radio', { name: 'Light' }).check()
    await settings.getByRole('radio', { name: 'Normal' }).check()
    await mira.page.keyboard.press('Escape')
  })

  test('a part that cannot be loaded says so, and the page around it stays', async () => {
    const { page } = mira
    await page.route('**/assets/search-side-*.js', (route) => route.abort())
    await page.reload()
    await mira.composer('general').fill('kept')
    await mira.button('Search messages').click()
    await page.getByRole('heading', { name: 'Couldn’t load this section' }).waitFor()
    await mira.picture('broken-part')
    assert.equal(await mira.composer('general').inputValue(), 'kept')
    await page.unroute('**/assets/search-side-*.js')
    mira.complaints = mira.complaints.filter((text) => !/ERR_FAILED|dynamically imported/.test(text))
  })

  test('the page reloads once after an update of the server, and keeps the draft', async () => {
    const { page } = mira
    await page.route('**/assets/search-side-*.js', (route) => route.abort())
    await page.route('/', async (route) => {
      const isAsked = route.request().resourceType() === 'fetch'
      const body = '<script type="module" crossorigin src="/assets/index-newer.js"></script>'
      if (isAsked) await route.fulfill({ contentType: 'text/html', body })
      else await route.continue()
    })
    let loads = 0
    page.on('load', () => {
      loads += 1
    })
    await page.reload()
    await mira.composer('general').waitFor()
    await mira.button('Search messages').click()
    await eventually(() => loads, 2)
    await eventually(() => mira.composer('general').inputValue(), 'kept')
    await mira.button('Search messages').click()
    await page.getByRole('heading', { name: 'Couldn’t load this section' }).waitFor()
    assert.equal(loads, 2)
    mira.complaints = mira.complaints.filter((text) => !/ERR_FAILED|dynamically imported/.test(text))
  })

  test('the page for a forgotten password focuses its first field', async () => {
    const lena = await stage.person('lena')
    await lena.page.goto('/')
    await lena.page.getByRole('link', { name: 'Forgot password?' }).click()
    await lena.page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
    await eventually(() => isFocused(lena.field('Email')), true)
  })

  test('the consoles have no errors', () => {
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})
