import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { Keys } from './keys.ts'
import type { Person } from './person.ts'
import { type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const SPACE = 'Sunday hikers'
/** Delay in milliseconds, longer than it takes to type a name. */
const SLOW_MS = 800

/** A user never touches a mouse. The tests run in order: each continues where the previous one ended. */
describe('using the client with the keyboard alone', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let keys: Keys
  let jonas: Settled

  before(async () => {
    stage = await Stage.openOwn()
    mira = await stage.person('mira')
    keys = new Keys(mira.page)
    await mira.page.goto('/')
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const menu = () => mira.button(`${SPACE}, space menu`)
  const dialog = (name: string) => mira.page.getByRole('dialog', { name })
  const gone = (name: string) => dialog(name).waitFor({ state: 'detached' })
  const value = (label: string) => () => mira.field(label).inputValue()

  test('a user signs up and creates a space', async () => {
    await keys.goTo(mira.field('Username'))
    await mira.page.keyboard.type('mira')
    await keys.goTo(mira.field('Email'))
    await mira.page.keyboard.type('mira@example.org')
    await keys.goTo(mira.page.getByLabel('Password'))
    await keys.enter(mira.password)
    await keys.use(mira.page.getByRole('main').getByRole('button', { name: 'Create a space' }))
    await keys.isAt(mira.field('Space name'))
    await keys.enter(SPACE)
    await mira.composer('general').waitFor()
  })

  test('a person is invited', async () => {
    await keys.choose(menu(), 'Invite people')
    await eventually(async () => (await value('Invite link')()).includes('/invite/'), true)
    jonas = await settle(stage, 'jonas')
    await jonas.client.invites.join((await value('Invite link')()).split('/').at(-1) ?? '')
    await keys.press('Escape')
    await mira.field('Invite link').waitFor({ state: 'detached' })
    await keys.isAt(menu())
  })

  test('a room is created, and the user moves between rooms', async () => {
    await keys.choose(menu(), 'Create room')
    await keys.isAt(mira.field('Name'))
    await keys.enter('tours')
    await keys.isAt(mira.composer('tours'))
    await keys.press('Control+k')
    await dialog('Go to').getByRole('combobox').waitFor()
    await keys.enter('gener')
    await gone('Go to')
    await keys.isAt(mira.composer('general'))
    await keys.press('Alt+ArrowDown')
    await keys.isAt(mira.composer('tours'))
    await keys.press('Alt+ArrowUp')
    await keys.isAt(mira.composer('general'))
  })

  test('the menus of a room and of a space open by a key, and return the focus', async () => {
    const item = (name: string) => mira.page.getByRole('menuitem', { name, exact: true })
    const room = mira.page.getByRole('link', { name: 'general', exact: true })
    await keys.goTo(room, 'Shift+Tab')
    await keys.press('Shift+F10')
    await keys.isAt(item('Notifications…'))
    await keys.press('Escape')
    await keys.isAt(room)
    const space = mira.page.getByRole('link', { name: SPACE, exact: true })
    await keys.goTo(space, 'Shift+Tab')
    await keys.press('Shift+F10')
    await keys.use(item('Change nickname'), 'ArrowDown')
    await dialog('Change your nickname').waitFor()
    await keys.press('Escape')
    await gone('Change your nickname')
    await keys.isAt(space)
    await keys.goTo(mira.composer('general'))
  })

  test('a message is written, with emojis at typing speed', async () => {
    await keys.enter('Who brings the map?')
    await eventually(() => mira.outgoing(), 0)
    await keys.press('Control+e')
    await keys.isAt(mira.page.getByRole('searchbox', { name: 'Search emoji' }))
    await keys.enter('rocket')
    await eventually(async () => (await mira.composer('general').inputValue()).trim(), '🚀')
    await keys.isAt(mira.composer('general'))
    await keys.enter('let us go')
    await eventually(() => mira.history(), ['Who brings the map?', '🚀let us go'])
    // The Tab key stops only at messages that the server has confirmed.
    await eventually(() => mira.outgoing(), 0)
  })

  test('messages are navigated, reacted to and replied to', async () => {
    const first = mira.message('Who brings the map?').first()
    await keys.goTo(mira.message('let us go'), 'Shift+Tab')
    await keys.goTo(first, 'ArrowUp')
    await keys.press('+')
    await keys.isAt(mira.page.getByRole('searchbox', { name: 'Search emoji' }))
    await keys.enter('thumbs up')
    await first.getByRole('button', { name: /👍/ }).waitFor()
    await keys.isAt(first)
    await keys.press('r')
    await keys.isAt(mira.composer('general'))
    await keys.enter('I do')
    await first.getByRole('button', { name: /^1 reply/ }).waitFor()
    await keys.goTo(mira.message('I do'), 'Shift+Tab')
    await keys.press('t')
    await keys.isAt(mira.field('Write a reply'))
    await keys.enter('And the rope')
    await mira.page.getByRole('complementary', { name: 'Replies' }).getByText('And the rope').waitFor()
    await keys.press('Escape')
    await mira.field('Write a reply').waitFor({ state: 'detached' })
    await keys.isAt(mira.message('I do'))
  })

  test('a message is pinned, and found among the pins and by its words', async () => {
    await keys.press('p')
    await keys.press('Alt+Shift+P')
    const pins = dialog('Pinned messages')
    await keys.goTo(pins.getByRole('button', { name: 'Close' }).last())
    await keys.press('Tab', 'Escape')
    await gone('Pinned messages')
    await keys.use(mira.button('Pinned messages'))
    await keys.use(pins.getByRole('button', { name: 'Go to message' }))
    await keys.isAt(mira.message('I do'))
    await keys.press('Control+f')
    await keys.isAt(mira.page.getByRole('combobox', { name: `Search ${SPACE}` }))
    await keys.enter('rope')
    await keys.use(mira.page.getByRole('complementary', { name: `Search ${SPACE}` }).getByRole('link'))
    await keys.use(mira.button('Close search'), 'Shift+Tab')
    await mira.button('Close search').waitFor({ state: 'detached' })
    await keys.isAt(mira.message('I do'))
  })

  test('messages are selected and deselected', async () => {
    const chosen = (count: string) => mira.page.getByText(`${count} selected`).waitFor()
    await keys.press('Enter')
    await keys.use(mira.page.getByRole('menuitem', { name: 'Select messages' }), 'ArrowDown')
    await chosen('1 message')
    await keys.isAt(mira.message('I do').getByRole('checkbox'))
    await keys.press('ArrowUp', 'Space')
    await chosen('2 messages')
    await keys.press('Space')
    await chosen('1 message')
    await keys.press('Escape')
    await mira.composer('general').waitFor()
    await keys.isAt(mira.message('let us go'))
  })

  test('a profile is opened, and its user messaged', async () => {
    const list = mira.page.getByRole('complementary', { name: 'Members' })
    await keys.goTo(list.getByRole('button').first())
    await keys.use(list.getByRole('button', { name: 'jonas' }), 'ArrowDown')
    await keys.use(dialog('jonas').getByRole('button', { name: 'Message' }))
    await keys.isAt(mira.field('Message jonas'))
    await keys.enter('Hello, Jonas')
    await eventually(() => mira.history(), ['Hello, Jonas'])
  })

  test('text typed before the switcher has opened goes into the switcher', async () => {
    const { page } = mira
    await page.route(/quick-switcher.*\.js$/, async (route) => {
      await delay(SLOW_MS)
      await route.continue()
    })
    await page.reload()
    await keys.isAt(mira.field('Message jonas'))
    await keys.press('Control+k')
    await keys.enter('tours')
    await keys.isAt(mira.composer('tours'))
    assert.equal(await mira.composer('tours').inputValue(), '')
    await page.goBack()
    await eventually(() => mira.history(), ['Hello, Jonas'])
    await page.goForward()
    await page.unroute(/quick-switcher.*\.js$/)
  })

  test('a role is created', async () => {
    await keys.choose(menu(), 'Space settings')
    const settings = dialog(SPACE)
    await keys.use(settings.getByRole('navigation').getByRole('button', { name: 'Roles' }))
    await keys.use(mira.button('Create role'))
    await keys.isAt(mira.field('Role name'))
    await mira.page.keyboard.type('Guests')
    await keys.use(mira.button('Reset'))
    await settings.locator('form :focus').waitFor()
    await keys.goTo(mira.field('Role name'), 'Shift+Tab')
    await keys.press('Control+a')
    await mira.page.keyboard.type('Guides')
    await keys.use(mira.button('Save changes'))
    await mira.page.getByText('You have unsaved changes.').waitFor({ state: 'detached' })
    await keys.press('Escape')
    await gone(SPACE)
    await keys.isAt(menu())
    const roles = await jonas.client.roles.list(/spaces\/([^/]+)/.exec(mira.page.url())?.[1] ?? '')
    assert.ok(roles.some(({ name }) => name === 'Guides'))
  })

  test('the appearance is changed, the shortcuts are listed, and the user signs out', async () => {
    await keys.press('Control+/')
    await dialog('Keyboard shortcuts').waitFor()
    await keys.press('Escape')
    await gone('Keyboard shortcuts')
    await keys.use(mira.button(/^Account: /))
    await keys.use(mira.button('User settings'))
    const settings = dialog('User settings')
    await keys.use(settings.getByRole('navigation').getByRole('button', { name: 'Appearance' }))
    await keys.goTo(settings.getByRole('radio', { name: 'System' }).first())
    await keys.goTo(settings.getByRole('radio', { name: 'Dark' }), 'ArrowRight')
    await eventually(() => mira.page.evaluate(() => document.documentElement.dataset.theme), 'dark')
    await keys.press('Escape')
    await gone('User settings')
    await keys.use(mira.button(/^Account: /))
    await keys.use(mira.button('Sign out'))
    await mira.page.getByRole('heading', { name: 'Welcome back' }).waitFor()
  })

  test('the console has no errors', () => assert.deepEqual(mira.complaints, []))
})
