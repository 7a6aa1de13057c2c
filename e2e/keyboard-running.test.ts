import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { Keys } from './keys.ts'
import type { Person } from './person.ts'
import { picture } from './sample-files.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const SPACE = 'Sunday hikers'
const SUNRISE = picture('sunrise.png', { width: 300, height: 200, sky: [255, 170, 110] })

/**
 * A user runs a space and never touches a mouse. The tests run in order: each continues where the previous one ended.
 */
describe('managing a space with the keyboard alone', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Settled
  let keys: Keys
  let host: Settled

  before(async () => {
    stage = await Stage.open()
    ;[host, jonas] = [await settle(stage, 'mira'), await settle(stage, 'jonas')]
    await gather(SPACE, [host, jonas])
    mira = host.person
    keys = new Keys(mira.page)
    // Answers every file chooser. Added here, because a listener added with the key press would come too late.
    mira.page.on('filechooser', (chooser) => void chooser.setFiles([SUNRISE]))
    await mira.page.goto('/')
    await mira.composer('general').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const menu = () => mira.button(`${SPACE}, space menu`)
  const dialog = (name: string) => mira.page.getByRole('dialog', { name })
  const question = (name: string | RegExp) => mira.page.getByRole('alertdialog', { name })

  async function closes(open: Locator): Promise<void> {
    await open.waitFor({ state: 'detached' })
  }

  /** Goes to another section of the open settings. In tab order, the list of sections precedes the section. */
  async function goToSection(settings: Locator, name: string, key = 'Tab'): Promise<void> {
    await keys.use(settings.getByRole('navigation').getByRole('button', { name, exact: true }), key)
    await settings.getByRole('heading', { level: 3, name }).waitFor()
  }

  /** Waits until the focus is in the settings again, after the element that had it was removed. */
  async function isStillIn(settings: Locator): Promise<void> {
    await eventually(() => settings.evaluate((element) => element.contains(document.activeElement)), true)
  }

  test('an avatar is cropped', async () => {
    await keys.use(mira.button(/^Account: /))
    await keys.use(mira.button('User settings'))
    await keys.use(mira.button('Choose: Avatar'))
    const cutting = dialog('Avatar')
    await keys.goTo(cutting.getByRole('slider', { name: 'Zoom' }))
    await keys.press('ArrowRight')
    await keys.goTo(cutting.getByRole('group', { name: /^Crop area/ }), 'Shift+Tab')
    await keys.press('ArrowLeft')
    await keys.use(cutting.getByRole('button', { name: 'Use picture' }))
    await closes(cutting)
    await keys.isAt(mira.button('Change: Avatar'))
  })

  test('an application is created and deleted', async () => {
    const settings = dialog('User settings')
    await goToSection(settings, 'Applications', 'Shift+Tab')
    await keys.use(mira.button('Create application'))
    await keys.isAt(mira.field('Name'))
    await keys.enter('Echo')
    await mira.page.getByText('you won’t be able to see it again').waitFor()
    await isStillIn(settings)
    await keys.use(mira.button('Delete application…'))
    await keys.goTo(mira.field('Type “Echo” to confirm'))
    await keys.enter('Echo')
    await settings.getByRole('heading', { name: 'No applications yet' }).waitFor()
    await isStillIn(settings)
    await keys.press('Escape')
    await closes(settings)
    await keys.isAt(mira.button(/^Account: /))
  })

  test('storage is set up, and an emoji is added, renamed and deleted', async () => {
    await keys.choose(menu(), 'Space settings')
    const settings = dialog(SPACE)
    await goToSection(settings, 'Storage')
    await keys.use(mira.button('Use the server’s storage'))
    await settings.getByRole('switch', { name: 'In use' }).waitFor()
    await isStillIn(settings)
    await goToSection(settings, 'Emoji', 'Shift+Tab')
    await keys.use(mira.button('Add emoji'))
    await keys.goTo(mira.field('Name of sunrise'))
    await keys.press('Control+a')
    await keys.enter('dawn')
    await keys.use(mira.button('Delete dawn'))
    const asked = question('Delete :dawn:?')
    await keys.use(asked.getByRole('button', { name: 'Delete' }))
    await closes(asked)
    await settings.getByText('0 of 500 emoji').waitFor()
    await isStillIn(settings)
  })

  test('an invite is revoked', async () => {
    const settings = dialog(SPACE)
    await goToSection(settings, 'Invites', 'Shift+Tab')
    await keys.use(mira.button(/^Revoke /))
    const asked = question('Revoke this invite?')
    await keys.use(asked.getByRole('button', { name: 'Revoke' }))
    await closes(asked)
    await settings.getByText('No active invites').waitFor()
    await isStillIn(settings)
  })

  test('a member is found, renamed, banned and unbanned', async () => {
    const settings = dialog(SPACE)
    await goToSection(settings, 'Members', 'Shift+Tab')
    await keys.choose(mira.button('More options for jonas'), 'Change nickname')
    await keys.isAt(mira.field('Nickname'))
    await keys.enter('Jo')
    await keys.isAt(mira.button('More options for Jo'))
    await keys.choose(mira.button('More options for Jo'), 'Ban')
    const banning = dialog('Ban Jo?')
    await keys.goTo(mira.field('Reason'))
    await mira.page.keyboard.type('Advertising')
    await keys.use(banning.getByRole('button', { name: 'Ban', exact: true }))
    await closes(banning)
    await mira.button('More options for Jo').waitFor({ state: 'detached' })
    await isStillIn(settings)
    await goToSection(settings, 'Bans', 'Shift+Tab')
    await keys.use(mira.button('Unban jonas'))
    const asked = question('Unban jonas?')
    await keys.use(asked.getByRole('button', { name: 'Unban' }))
    await closes(asked)
    await settings.getByText('No one is banned').waitFor()
    await isStillIn(settings)
    await keys.press('Escape')
    await closes(settings)
    await keys.isAt(menu())
  })

  test('a person and an emoji are inserted by their first letters', async () => {
    const composer = mira.composer('general')
    await keys.goTo(composer)
    await mira.page.keyboard.type('Where is @mi')
    await mira.page.getByRole('option', { name: /mira/ }).waitFor()
    await keys.press('Enter')
    await mira.page.keyboard.type('with the :comp')
    await mira.page.getByRole('option', { name: /compass/ }).waitFor()
    await keys.press('Tab')
    await keys.press('Enter')
    await eventually(() => mira.history(), ['Where is @mira with the 🧭'])
    await keys.isAt(composer)
  })

  test('the console has no errors', () => assert.deepEqual(mira.complaints, []))
})
