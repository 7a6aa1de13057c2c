import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import type { Locator } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { CONSOLE, Console, lookClosely } from './console.ts'
import { eventually } from './eventually.ts'
import { Keys } from './keys.ts'
import type { Person } from './person.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const SPACE = 'Sunday hikers'

/** Mira runs the server, Jonas owns a space, and Lena is in it. Each test continues where the previous one ended. */
describe('the console of the operators', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled
  let jonas: Settled
  let lena: Settled
  let mirasConsole: Console
  let spaceId: string
  /** Scripts that Mira’s page has requested. */
  const scripts: string[] = []

  before(async () => {
    stage = await Stage.openOwn()
    mira = await settle(stage, 'mira')
    jonas = await settle(stage, 'jonas')
    lena = await settle(stage, 'lena')
    mirasConsole = new Console(mira.person)
    const { space, general } = await gather(SPACE, [jonas, lena])
    spaceId = space.id
    await lena.client.messages.create(general.id, { content: 'Who brings the map?' })
    mira.person.page.on('request', (request) => scripts.push(new URL(request.url()).pathname))
    for (const { person } of [jonas, lena]) {
      await person.page.goto(`/spaces/${space.id}`)
      await person.message('Who brings the map?').waitFor()
    }
    await mira.person.page.goto('/home')
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const banner = ({ page }: Person) =>
    page.getByText('This space is frozen by the administrators of this server.')
  const isGone = (locator: Locator) => locator.waitFor({ state: 'detached' })

  test('OPERATOR-40: only an operator finds it, and its code is loaded when it is opened', async () => {
    const { person } = jonas
    await person.button(/^Account: /).click()
    await person.button('User settings').waitFor()
    assert.equal(await person.page.getByRole('link', { name: CONSOLE }).count(), 0)
    await person.page.goto('/operator')
    await person.page.getByText('Only administrators of this server can open this page.').waitFor()
    await person.page.goto(`/spaces/${spaceId}`)
    const isLoaded = () => scripts.some((path) => path.includes('operator-console'))
    await mira.person.button(/^Account: /).click()
    const link = mira.person.page.getByRole('link', { name: CONSOLE })
    await link.waitFor()
    await mira.person.picture('operators-link')
    assert.equal(isLoaded(), false)
    await new Keys(mira.person.page).use(link)
    await mirasConsole.dialog.getByRole('heading', { level: 3, name: 'Overview' }).waitFor()
    assert.equal(isLoaded(), true)
    await mirasConsole.open('People')
    await mirasConsole.row('@lena').waitFor()
    await mirasConsole.look('people')
  })

  test('OPERATOR-41: a person is found and locked with a reason, and their page is signed out', async () => {
    const search = mirasConsole.dialog.getByRole('searchbox')
    await search.fill('@le')
    await isGone(mirasConsole.row('@jonas'))
    await search.fill('lena@example.org')
    await mirasConsole.row('@lena').waitFor()
    const keys = new Keys(mira.person.page)
    await keys.choose(mira.person.button('More options for @lena'), 'Lock…')
    const asking = mira.person.page.getByRole('dialog', { name: 'Lock @lena?' })
    await asking.getByText(/^They’re signed out on every device right away/).waitFor()
    await mirasConsole.look('lock')
    await asking.getByLabel('Reason').fill('Advertising')
    await asking.getByRole('button', { name: 'Lock account' }).dblclick()
    await isGone(asking)
    await mirasConsole.row('@lena').getByText('Locked', { exact: true }).waitFor()
    await mirasConsole.row('@lena').getByText('Advertising').waitFor()
    await mirasConsole.look('locked')
    const { page } = lena.person
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
    lena.person.complaints = []
  })

  test('OPERATOR-41: locked accounts are listed, and unlocked once that is confirmed', async () => {
    await mirasConsole.dialog.getByRole('searchbox').fill('')
    await mirasConsole.row('@jonas').waitFor()
    await mirasConsole.dialog.getByLabel('Show', { exact: true }).selectOption('Locked accounts')
    await isGone(mirasConsole.row('@jonas'))
    await mirasConsole.choose('@lena', 'Unlock…')
    const asking = mira.person.page.getByRole('alertdialog', { name: 'Unlock @lena?' })
    await asking.getByRole('button', { name: 'Unlock account' }).click()
    await isGone(asking)
    await isGone(mirasConsole.row('@lena').getByText('Locked', { exact: true }))
    await mirasConsole.dialog.getByLabel('Show', { exact: true }).selectOption('All accounts')
    await mirasConsole.row('@jonas').waitFor()
    const tokens = await lena.client.auth.login({ email: 'lena', password: lena.person.password })
    assert.equal(tokens.user.username, 'lena')
  })

  test('OPERATOR-41: a person who owns spaces is refused with what to do, and the spaces are a step away', async () => {
    await mirasConsole.choose('@jonas', 'Delete account…')
    const asking = mira.person.page.getByRole('dialog', { name: 'Delete @jonas?' })
    await asking.getByLabel('Type “jonas” to confirm').fill('jona')
    await asking.getByRole('button', { name: 'Delete account' }).click()
    await asking.getByText('That doesn’t match. Type “jonas” exactly as shown.').waitFor()
    await asking.getByLabel('Type “jonas” to confirm').fill('jonas')
    await asking.getByRole('button', { name: 'Delete account' }).click()
    await asking.getByText(/^This person owns spaces\. Delete those spaces first/).waitFor()
    await mirasConsole.look('owns-spaces')
    await asking.getByRole('button', { name: 'Cancel' }).click()
    await isGone(asking)
    await mira.person.takeRefusals(400)
    await mirasConsole.choose('@jonas', 'Spaces they own')
    await mirasConsole.dialog.getByRole('heading', { level: 3, name: 'Spaces' }).waitFor()
    await mirasConsole.row(SPACE).getByText('owned by @jonas').waitFor()
    assert.equal(new URL(mira.person.page.url()).pathname, '/operator/spaces')
  })

  test('OPERATOR-42, OPERATOR-44: a space is frozen, and its members see that they can only read', async () => {
    const { person } = jonas
    await person.message('Who brings the map?').waitFor()
    await mirasConsole.choose(SPACE, 'Freeze…')
    const asking = mira.person.page.getByRole('dialog', { name: `Freeze ${SPACE}?` })
    await asking.getByText(/^Everyone in it can only read and leave/).waitFor()
    await mirasConsole.look('freeze')
    await asking.getByLabel('Reason').fill('A report')
    await asking.getByRole('button', { name: 'Freeze space' }).click()
    await isGone(asking)
    await mirasConsole.row(SPACE).getByText('Frozen', { exact: true }).waitFor()
    await mirasConsole.look('spaces')
    await banner(person).waitFor()
    await person.page.getByText('This space is frozen. You can read, but not write.').waitFor()
    assert.equal(await person.composer('general').count(), 0)
    assert.equal(await person.page.getByText('A report').count(), 0)
    await lookClosely(person, 'frozen-space', 'main')
    await person.button(`${SPACE}, space menu`).click()
    const menu = person.page.getByRole('menu')
    await menu.getByText('you’re the owner').waitFor()
    for (const name of ['Space settings', 'Invite people', 'Create room'])
      assert.equal(await menu.getByRole('menuitem', { name }).count(), 0)
    await person.page.keyboard.press('Escape')
    await isGone(menu)
  })

  test('OPERATOR-42, OPERATOR-44: once it is unfrozen, its members can write again', async () => {
    await mirasConsole.choose(SPACE, 'Unfreeze…')
    const asking = mira.person.page.getByRole('alertdialog', { name: `Unfreeze ${SPACE}?` })
    await asking.getByRole('button', { name: 'Unfreeze space' }).click()
    await isGone(asking)
    await jonas.person.composer('general').waitFor()
    await isGone(banner(jonas.person))
  })

  test('OPERATOR-43: the log says what was done, and is narrowed', async () => {
    const log = await mirasConsole.open('Log')
    const sentences = () => log.locator('.audit-texts > p:first-child').allInnerTexts()
    await mirasConsole.row(`mira unfroze the space ${SPACE}`).waitFor()
    assert.deepEqual(await sentences(), [
      `mira unfroze the space ${SPACE}`,
      `mira froze the space ${SPACE}`,
      'mira unlocked the account of lena',
      'mira locked the account of lena',
      'The server made mira an administrator',
    ])
    await mirasConsole.row(`mira froze the space ${SPACE}`).getByText('A report').waitFor()
    await mirasConsole.look('log')
    await log.getByLabel('Action').selectOption('Account locked')
    await eventually(sentences, ['mira locked the account of lena'])
    await mira.person.button('Show only this: lena').click()
    await mira.person.button('Clear filters').waitFor()
    await log.getByLabel('Action').selectOption('All actions')
    await eventually(sentences, ['mira unlocked the account of lena', 'mira locked the account of lena'])
    await mirasConsole.look('log-filtered')
    await mira.person.button('Clear filters').click()
    await log.getByLabel('By', { exact: true }).selectOption('@mira')
    await mirasConsole.row(`mira unfroze the space ${SPACE}`).waitFor()
  })

  test('OPERATOR-41, OPERATOR-45: a person is made an operator, and the list says by whom', async () => {
    await mirasConsole.open('Administrators')
    await mira.person.button('Step down').click()
    const asking = mira.person.page.getByRole('alertdialog', { name: 'Step down as administrator?' })
    await asking.getByRole('button', { name: 'Step down' }).click()
    await asking.getByText(/^The server needs at least one administrator\./).waitFor()
    await mirasConsole.look('last', '[role=alertdialog]')
    await asking.getByRole('button', { name: 'Cancel' }).click()
    await mira.person.takeRefusals(409)
    await mira.person.button('Find a person').click()
    await mirasConsole.choose('@jonas', 'Make administrator…')
    await mira.person.button('Make administrator').click()
    await mirasConsole.row('@jonas').getByText('Administrator', { exact: true }).waitFor()
    await mirasConsole.open('Administrators')
    await mirasConsole
      .row('@jonas')
      .getByText(/^made administrator by mira/)
      .waitFor()
    await mirasConsole.look('administrators')
    await jonas.person.button(/^Account: /).click()
    await jonas.person.page.getByRole('link', { name: CONSOLE }).waitFor()
    await jonas.person.page.keyboard.press('Escape')
  })

  test('OPERATOR-42: a space is deleted once its name is typed, and then its owner can be', async () => {
    await mirasConsole.open('Spaces')
    await mirasConsole.dialog.getByRole('searchbox').fill('sunday')
    await mirasConsole.choose(SPACE, 'Delete space…')
    const asking = mira.person.page.getByRole('dialog', { name: `Delete ${SPACE}?` })
    await asking.getByLabel(`Type “${SPACE}” to confirm`).fill(SPACE)
    await asking.getByRole('button', { name: 'Delete space' }).click()
    await mirasConsole.dialog.getByRole('heading', { name: 'No spaces found' }).waitFor()
    await mirasConsole.look('no-spaces')
    // The page of the space asks whether its user was banned.
    await jonas.person.takeRefusals(404)
    await mirasConsole.open('People')
    await mirasConsole.choose('@lena', 'Delete account…')
    const deleting = mira.person.page.getByRole('dialog', { name: 'Delete @lena?' })
    await deleting.getByLabel('Type “lena” to confirm').fill('lena')
    await deleting.getByRole('button', { name: 'Delete account' }).click()
    await isGone(deleting)
    await mirasConsole.row('@jonas').waitFor()
    assert.equal(await mirasConsole.row('@lena').count(), 0)
    await assert.rejects(lena.client.users.me())
  })

  test('OPERATOR-40, OPERATOR-45: an operator who loses the rights sees a sentence at once', async () => {
    await jonas.client.api(Administration).revoke(mira.id)
    await mira.person.page.getByText('You’re no longer an administrator of this server.').waitFor()
    await isGone(mirasConsole.dialog)
    await mirasConsole.look('lost', 'body')
    await mira.person.page.reload()
    await mira.person.page.getByText('Only administrators of this server can open this page.').waitFor()
  })

  test('the consoles have no errors', () => {
    for (const { person } of [mira, jonas]) assert.deepEqual(person.complaints, [])
  })
})
