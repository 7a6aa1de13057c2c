import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { befriend, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const PLAN = [
  '## The plan',
  '- **8:12** train to Oberwald',
  '- *ridge*, ~~not the lake~~',
  '> They open at ten',
  'The surprise is ||cake|| and `tea`.',
  '```js',
  'const distance = 12.4 // km',
  'pack("oranges", { count: 6 })',
  '```',
].join('\n')

/** The tests run in order: each continues where the previous one ended. */
describe('messages', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Person
  let spaceId: string

  before(async () => {
    stage = await Stage.open()
    const host = await settle(stage, 'mira')
    const guest = await settle(stage, 'jonas')
    mira = host.person
    jonas = guest.person
    spaceId = await meet(host, guest)
    await befriend(host, guest)
    for (const { page } of [mira, jonas]) await page.goto(`/spaces/${spaceId}`)
    for (const person of [mira, jonas]) await person.composer('general').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  /** Creates a space with both users, whose display names have more than one word. Returns its id. */
  async function meet(host: Settled, guest: Settled): Promise<string> {
    await host.client.users.updateMe({ alias: 'Mira Lindqvist' })
    await guest.client.users.updateMe({ alias: 'Jonas Weber' })
    const { space, rooms } = await host.client.spaces.create({ name: 'Sunday hikers' })
    const general = rooms.find(({ name }) => name === 'general')
    const { code } = await host.client.invites.create(space.id, general?.id ?? '')
    await guest.client.invites.join(code)
    return space.id
  }

  /** Chooses an action from the menu of a sent message: one on its way has no menu. */
  async function act({ page }: Person, text: string, action: string): Promise<void> {
    await page
      .locator('.message:not([data-status])', { hasText: text })
      .first()
      .click({ button: 'right', position: { x: 300, y: 8 } })
    await page.getByRole('menuitem', { name: action }).click()
  }

  function mentioned({ page }: Person): Locator {
    return page.locator('.message[data-mention]')
  }

  test('markup formats a text, code is highlighted, and a spoiler opens on a click', async () => {
    await mira.composer('general').fill(PLAN)
    await mira.composer('general').press('Enter')
    const plan = jonas.message('The plan')
    await plan.locator('.code-keyword', { hasText: 'const' }).waitFor()
    assert.equal(await plan.getByRole('listitem').count(), 2)
    assert.equal(await plan.locator('blockquote').innerText(), 'They open at ten')
    const spoiler = plan.getByRole('button', { name: 'Show spoiler' })
    await jonas.picture('markdown')
    await spoiler.click()
    await spoiler.waitFor({ state: 'detached' })
    assert.equal(await plan.getByText('cake').isVisible(), true)
  })

  test('a user is mentioned while typing, and sees that they are mentioned', async () => {
    await mira.composer('general').pressSequentially('Bring the map, @jon')
    await mira.page.getByRole('option', { name: /Jonas Weber/ }).waitFor()
    await mira.picture('completions')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.page.keyboard.press('Enter')
    await eventually(() => mira.composer('general').inputValue(), 'Bring the map, @Jonas Weber ')
    await mira.page.keyboard.press('Enter')
    await eventually(() => mentioned(jonas).count(), 1)
    await mentioned(jonas).getByRole('button', { name: '@Jonas Weber' }).click()
    await jonas.page.getByRole('dialog', { name: 'Jonas Weber' }).waitFor()
    await jonas.page.keyboard.press('Escape')
    assert.equal(await mentioned(mira).count(), 0)
  })

  test('a fully typed name mentions its user, but not within another word', async () => {
    await mira.composer('general').pressSequentially('And the tea, @jonas. Or @jonasson')
    await mira.composer('general').press('Enter')
    await eventually(() => mentioned(jonas).count(), 2)
    await jonas.message('And the tea').getByRole('button', { name: '@Jonas Weber' }).waitFor()
    assert.equal(await jonas.message('And the tea').getByText('@jonasson').count(), 1)
  })

  test('a reply is kept after a reload, quotes its message and leads there', async () => {
    await act(jonas, 'Bring the map', 'Reply')
    await eventually(() => isFocused(jonas.composer('general')), true)
    await jonas.composer('general').fill('Already in the bag')
    await jonas.page.getByText('Replying to Mira Lindqvist').waitFor()
    await jonas.picture('replying')
    await jonas.page.reload()
    await jonas.page.getByText('Replying to Mira Lindqvist').waitFor()
    await eventually(() => jonas.composer('general').inputValue(), 'Already in the bag')
    await jonas.composer('general').press('Enter')
    await eventually(() => mentioned(mira).count(), 1)
    const line = mira.button('In reply to Mira Lindqvist: Bring the map, @Jonas Weber')
    await line.click()
    await eventually(() => mira.page.url().split('/').length, 7)
  })

  test('reactions are counted at once for both, and name their users', async () => {
    await jonas
      .message('Bring the map')
      .first()
      .click({ button: 'right', position: { x: 300, y: 8 } })
    await jonas.picture('message-menu')
    assert.deepEqual(await namelessParts(jonas.page), [])
    await jonas.page.getByRole('menuitem', { name: 'React with 🎉' }).click()
    await mira.button('🎉, 1 reaction').click()
    await jonas.button('🎉, 2 reactions').hover()
    await jonas.page.getByText('reacted with 🎉').waitFor()
    await jonas.picture('reactions')
    await jonas.button('🎉, 2 reactions').click()
    await mira.button('🎉, 1 reaction').waitFor()
  })

  test('a moderator removes reactions, one by one or all', async () => {
    await jonas.button('🎉, 1 reaction').click()
    await mira.button('🎉, 2 reactions').waitFor()
    await act(mira, 'Bring the map', 'Show reactions')
    const dialog = mira.page.getByRole('dialog', { name: 'Reactions' })
    await dialog.getByText('Jonas Weber').waitFor()
    await mira.picture('reactors')
    const remove = dialog.getByRole('button', { name: 'Remove Jonas Weber’s reaction' })
    await mira.page.route('**/reactions/**', (route) => route.fulfill({ status: 403, json: {} }))
    await remove.click()
    await dialog.getByRole('alert').waitFor()
    await mira.takeRefusals(403)
    await mira.page.unroute('**/reactions/**')
    assert.equal(await isFocused(remove), true)
    await remove.press('Enter')
    await jonas.button('🎉, 1 reaction').waitFor()
    await act(jonas, 'Bring the map', 'Show reactions')
    const theirs = jonas.page.getByRole('dialog', { name: 'Reactions' })
    await theirs.getByText('Mira Lindqvist').waitFor()
    assert.equal(await theirs.getByRole('button', { name: /^(Remove|Take back)/ }).count(), 0)
    await dialog.getByRole('button', { name: 'Remove all reactions' }).click()
    for (const shown of [dialog, theirs]) await shown.waitFor({ state: 'detached' })
    await mira.button('🎉, 1 reaction').waitFor({ state: 'detached' })
  })

  test('a pin is announced, appears in the panel, and is removed again', async () => {
    await act(mira, 'The plan', 'Pin')
    const notice = jonas.page.getByRole('log').getByText('Mira Lindqvist pinned a message.')
    await notice.waitFor()
    await jonas.button('Pinned messages').click()
    const panel = jonas.page.getByRole('dialog', { name: 'Pinned messages' })
    await panel.getByText('The plan').waitFor()
    await jonas.picture('pins')
    assert.equal(await panel.getByRole('button', { name: 'Unpin' }).count(), 0)
    await panel.getByRole('button', { name: 'Go to message' }).click()
    await act(mira, 'The plan', 'Unpin')
    await jonas.button('Pinned messages').click()
    await panel.getByText('No pinned messages yet').waitFor()
    await jonas.page.keyboard.press('Escape')
  })

  test('a message is forwarded to a person unchanged, and only once when a part of it is retried', async () => {
    await act(jonas, 'Already in the bag', 'Edit message')
    await jonas.field('Edit message').fill('Already in the bag, dry')
    await jonas.field('Edit message').press('Enter')
    await mira.message('Already in the bag, dry').getByText('edited').waitFor()
    await act(mira, 'Already in the bag', 'Forward')
    const search = mira.page.getByRole('searchbox', { name: 'Search rooms, groups and people' })
    await search.fill('jon')
    await mira.page.getByRole('checkbox', { name: /Jonas Weber/ }).waitFor()
    await search.press('Enter')
    await eventually(() => mira.page.getByRole('checkbox', { name: /Jonas Weber/ }).isChecked(), true)
    assert.equal(await search.inputValue(), '')
    await mira.field('Add a message (optional)').fill('Good to know')
    await mira.picture('forward')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.page.route('**/messages', (route) => {
      const isNote = route.request().postData()?.includes('Good to know') === true
      return isNote ? route.fulfill({ status: 403, json: { error: 'Not now' } }) : route.continue()
    })
    await mira.field('Add a message (optional)').press('Enter')
    await mira.page.getByRole('dialog').getByRole('alert').waitFor()
    await mira.takeRefusals(403)
    await mira.page.unroute('**/messages')
    await mira.button('Forward').click()
    await mira.page.getByRole('dialog').waitFor({ state: 'detached' })
    await jonas.page.goto('/home')
    const listed = jonas.page.getByRole('region', { name: 'Direct messages' })
    await listed.getByRole('link', { name: /^Mira Lindqvist/ }).click()
    const forwarded = jonas.page.locator('.forwarded', { hasText: 'Already in the bag, dry' })
    await forwarded.getByText('edited', { exact: true }).waitFor()
    await jonas.message('Good to know').waitFor()
    assert.equal(await jonas.page.locator('.forwarded').count(), 1)
    await jonas.picture('forwarded')
    await forwarded.getByRole('button', { name: /general/ }).click()
    await jonas.composer('general').waitFor()
    assert.ok(jonas.page.url().includes(`/spaces/${spaceId}/rooms/`))
    await jonas.page.goto(`/spaces/${spaceId}`)
  })

  test('an edit continues after visiting another room, and composition keys do not end it', async () => {
    const field = mira.field('Edit message')
    await mira.say('At the statoin')
    await act(mira, 'At the statoin', 'Edit message')
    await field.fill('At the station')
    const devtools = await mira.context.newCDPSession(mira.page)
    await devtools.send('Input.imeSetComposition', { text: '駅', selectionStart: 1, selectionEnd: 1 })
    await mira.page.keyboard.press('Escape')
    await devtools.send('Input.imeSetComposition', { text: '', selectionStart: 0, selectionEnd: 0 })
    await devtools.detach()
    assert.equal(await field.inputValue(), 'At the station')
    await mira.page.getByRole('link', { name: 'Home' }).click()
    await mira.composer('general').waitFor({ state: 'detached' })
    await mira.page.goBack()
    await act(mira, 'At the statoin', 'Edit message')
    await eventually(() => field.inputValue(), 'At the station')
    await field.press('Escape')
    await field.waitFor({ state: 'detached' })
    await act(mira, 'At the statoin', 'Edit message')
    await eventually(() => field.inputValue(), 'At the statoin')
  })

  test('Enter adds a line to an edit on a phone, and the button saves it', async () => {
    const field = mira.field('Edit message')
    const devtools = await mira.context.newCDPSession(mira.page)
    await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true })
    await field.fill('At the station')
    await field.press('Enter')
    await field.pressSequentially('at eight')
    assert.equal(await field.inputValue(), 'At the station\nat eight')
    await mira.button('Save').click()
    await field.waitFor({ state: 'detached' })
    await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: false })
    await devtools.detach()
    await jonas.message('At the station').getByText('at eight').waitFor()
    await act(mira, 'At the station', 'Edit message')
    await field.press('Enter')
    await field.waitFor({ state: 'detached' })
  })

  test('it looks right in the dark theme and on a phone', async () => {
    const { page } = jonas
    await jonas.message('Already in the bag').waitFor()
    await page.emulateMedia({ colorScheme: 'dark' })
    await jonas.picture('messages-dark')
    await page.setViewportSize({ width: 390, height: 844 })
    await jonas.picture('messages-phone-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await jonas.picture('messages-phone')
    assert.deepEqual(await namelessParts(page), [])
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('several messages are selected and deleted together', async () => {
    await act(mira, 'Bring the map', 'Select messages')
    await mira.message('Already in the bag').click()
    await mira.page.getByText('2 messages selected').waitFor()
    await mira.picture('selecting')
    const chosen = mira.message('Already in the bag')
    const [box, row] = [await chosen.getByRole('checkbox').boundingBox(), await chosen.boundingBox()]
    assert.ok(box !== null && row !== null)
    assert.ok(box.x - row.x >= 16, 'the box does not touch the edge of the page')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.button('Delete').click()
    await mira.button('Delete 2 messages').click()
    await eventually(() => jonas.message('Bring the map').count(), 0)
    await jonas.message('Already in the bag').waitFor({ state: 'detached' })
    await mira.composer('general').waitFor()
  })

  test('the consoles have no errors', () => {
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})
