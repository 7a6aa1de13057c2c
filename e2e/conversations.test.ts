import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { MUTED_FOR_EVER } from '@foyer/protocol/notifications'
import type { Locator } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { closeSettings } from './settings.ts'
import { befriend, gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('conversations', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Person
  let host: Settled
  let lena: Settled

  before(async () => {
    stage = await Stage.open()
    const people = [
      await settle(stage, 'mira'),
      await settle(stage, 'jonas'),
      await settle(stage, 'lena'),
    ] as const
    await befriend(people[0], people[1])
    await befriend(people[0], people[2])
    host = people[0]
    mira = host.person
    jonas = people[1].person
    lena = people[2]
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  /** Locates an entry in the list of direct messages. */
  function listed({ page }: Person, name: string | RegExp): Locator {
    return page.getByRole('region', { name: 'Direct messages' }).getByRole('link', { name })
  }

  async function write(person: Person, to: string, text: string): Promise<void> {
    await person.field(`Message ${to}`).fill(text)
    await person.field(`Message ${to}`).press('Enter')
  }

  test('a friend is messaged from the list of friends, and sees the unread conversation at once', async () => {
    await jonas.page.goto('/home')
    await jonas.page.getByText('Your direct messages and groups appear here.').waitFor()
    await mira.page.goto('/friends')
    await mira.button('Message jonas').click()
    await mira.page.getByRole('heading', { name: 'jonas', level: 2 }).waitFor()
    await write(mira, 'jonas', 'Are you coming on Sunday?')
    await listed(jonas, 'mira, 1 unread').waitFor()
    await jonas.page.getByRole('link', { name: 'Home, 1 unread message' }).click()
    await eventually(() => jonas.history(), ['Are you coming on Sunday?'])
    await listed(jonas, /^mira$/).waitFor()
    await jonas.field('Message mira').pressSequentially('Yes')
    await mira.page.getByText('jonas is typing…').waitFor()
    await jonas.page.keyboard.press('Enter')
    await eventually(() => mira.history(), ['Are you coming on Sunday?', 'Yes'])
    await jonas.picture('conversation')
    assert.deepEqual(await namelessParts(jonas.page), [])
  })

  test('the name above a direct conversation opens the other user’s card', async () => {
    await mira.page.getByRole('heading', { level: 1, name: 'jonas' }).getByRole('button').click()
    const card = mira.page.getByRole('dialog', { name: 'jonas' })
    await card.getByRole('button', { name: 'Block' }).waitFor()
    await mira.picture('conversation-profile')
    await mira.page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
  })

  test('the menu of a direct conversation opens the other user’s profile', async () => {
    await mira.page.getByRole('link', { name: /^jonas/ }).click({ button: 'right' })
    await mira.page.getByRole('menuitem', { name: 'View full profile' }).click()
    const profile = mira.page.getByRole('dialog', { name: 'jonas' })
    await profile.getByText('@jonas').waitFor()
    await mira.page.keyboard.press('Escape')
    await profile.waitFor({ state: 'detached' })
  })

  test('adding people makes a group, which can be renamed', async () => {
    const begin = mira.button('New message')
    await mira.page.mouse.move(800, 600)
    const color = () => begin.evaluate((button) => getComputedStyle(button).color)
    assert.notEqual(await color(), 'rgba(0, 0, 0, 0)', 'it is in sight without being pointed at')
    await begin.click()
    await mira.page.getByRole('checkbox', { name: 'jonas, @jonas' }).check({ force: true })
    await mira.page.getByRole('checkbox', { name: 'lena, @lena' }).check({ force: true })
    await mira.field('Group name').fill('Trip')
    await mira.picture('new-conversation')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.button('Create group').click()
    await mira.page.getByRole('complementary', { name: 'People' }).getByText('lena').waitFor()
    await write(mira, 'Trip', 'Who brings the tent?')
    await listed(jonas, 'Trip 3 people, 1 unread').click()
    await eventually(() => jonas.history(), ['Who brings the tent?'])
    await jonas.picture('group')
    await jonas.page.emulateMedia({ colorScheme: 'dark' })
    await jonas.picture('group-dark')
    await jonas.page.setViewportSize({ width: 390, height: 844 })
    await jonas.page.getByRole('complementary', { name: 'People' }).waitFor({ state: 'detached' })
    await jonas.picture('group-phone-dark')
    await jonas.page.emulateMedia({ colorScheme: 'light' })
    await jonas.button('Open spaces and rooms').click()
    await listed(jonas, 'Trip').waitFor()
    await jonas.picture('conversations-phone')
    assert.deepEqual(await namelessParts(jonas.page), [])
    await jonas.page.keyboard.press('Escape')
    await jonas.page.setViewportSize({ width: 1280, height: 800 })
  })

  test('the owner transfers the group, and a user who leaves disappears for all', async () => {
    await mira.button('Group settings').click()
    await mira.button('People').click()
    await mira.button('Transfer group to jonas').click()
    await mira.button('Transfer group').click()
    await mira.page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await mira.picture('group-settings')
    await closeSettings(mira, 'Trip')
    await listed(mira, 'Trip').click({ button: 'right' })
    await mira.page.getByRole('menuitem', { name: 'Leave group' }).click()
    await mira.page.getByRole('alertdialog').getByRole('button', { name: 'Leave group' }).click()
    await listed(mira, 'Trip').waitFor({ state: 'detached' })
    const people = jonas.page.getByRole('complementary', { name: 'People' })
    await people.getByText('People — 2').waitFor()
    await jonas.button('Group settings').click()
    await jonas.button('People').click()
    await jonas.button('Remove lena').click()
    await jonas.button('Remove').click()
    await jonas.page.getByRole('alertdialog').waitFor({ state: 'detached' })
    assert.deepEqual(await lena.client.conversations.list(), [])
    await closeSettings(jonas, 'Trip')
  })

  test('the composer shows a block, and tells the other user only that they cannot write', async () => {
    await jonas.page.keyboard.press('Control+k')
    await jonas.page.getByRole('combobox', { name: 'Go to a room, person or space' }).fill('mi')
    await jonas.picture('switcher')
    await jonas.page.keyboard.press('Enter')
    const name = jonas.page.getByRole('log').getByRole('button', { name: 'mira' }).first()
    await name.click()
    await jonas.button('Block').click()
    await jonas.page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click()
    await jonas.page.getByText('You blocked mira.').waitFor()
    await jonas.picture('conversation-blocked')
    await listed(mira, 'jonas').click()
    await write(mira, 'jonas', 'Hello?')
    await mira.page.getByText(/^Not sent\./).waitFor()
    // The typing indicator was refused, too.
    await mira.takeRefusals(403, 403)
    await mira.button('Delete').click()
    await jonas.button('Unblock to send messages').click()
    await jonas.field('Message mira').waitFor()
  })

  async function closeConversation(): Promise<void> {
    const row = mira.page.getByRole('region', { name: 'Direct messages' }).getByRole('listitem')
    await row.filter({ hasText: 'jonas' }).hover()
    await mira.button('Close direct message with jonas').click()
    await listed(mira, 'jonas').waitFor({ state: 'detached' })
    await eventually(() => new URL(mira.page.url()).pathname, '/home')
  }

  test('an error while closing a conversation is shown in the list', async () => {
    const row = mira.page.getByRole('region', { name: 'Direct messages' }).getByRole('listitem')
    await mira.page.route('**/api/conversations/*', (route) => route.fulfill({ status: 403, json: {} }))
    await row.filter({ hasText: 'jonas' }).hover()
    await mira.button('Close direct message with jonas').click()
    await row.filter({ hasText: 'jonas' }).getByRole('alert').waitFor()
    await mira.takeRefusals(403)
    await mira.picture('conversation-not-closed')
    await mira.page.unroute('**/api/conversations/*')
    await mira.field('Message jonas').waitFor()
  })

  test('a closed conversation reappears with the next message', async () => {
    await closeConversation()
    await write(jonas, 'mira', 'I am back')
    await listed(mira, 'jonas, 1 unread').waitFor()
  })

  test('the keyboard moves through the conversations, and the help lists its keys', async () => {
    await mira.page.keyboard.press('Alt+Shift+ArrowDown')
    await eventually(() => mira.history(), ['Are you coming on Sunday?', 'Yes', 'I am back'])
    await mira.page.keyboard.press('Control+/')
    await mira.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await mira.picture('shortcuts')
    await mira.page.keyboard.press('Escape')
  })

  test('a draft in a closed conversation is there when it reappears', async () => {
    await mira.field('Message jonas').fill('Before I forget')
    await closeConversation()
    await write(jonas, 'mira', 'Where are you?')
    await listed(mira, 'jonas, 1 unread').click()
    await mira.message('Where are you?').waitFor()
    assert.equal(await mira.field('Message jonas').inputValue(), 'Before I forget')
  })

  test('a muted conversation is neither opened by the Home link nor listed as unread in the switcher', async () => {
    const [direct] = await host.client.conversations.list()
    await host.client.notifications.updateSetting('conversation', direct?.id ?? '', {
      muted_until: MUTED_FOR_EVER,
    })
    await mira.page.goto('/friends')
    await listed(mira, 'jonas, muted').waitFor()
    const { id } = await lena.client.conversations.create({ recipient_ids: [host.id] })
    await lena.client.messages.create({ conversation: id }, { content: 'Shall I bring soup?' })
    await write(jonas, 'mira', 'Nobody is called by this')
    await listed(mira, 'jonas, 1 unread, muted').waitFor()
    await mira.page.keyboard.press('Control+k')
    const places = mira.page.getByRole('option')
    await places.filter({ hasText: 'lena' }).getByText('unread').waitFor()
    assert.equal(await places.getByText('unread').count(), 1)
    await mira.picture('switcher-muted')
    await mira.page.keyboard.press('Escape')
    await mira.page.getByRole('link', { name: 'Home, 1 unread message' }).click()
    await eventually(() => mira.history(), ['Shall I bring soup?'])
    const home = mira.page.getByRole('navigation', { name: 'Spaces' }).getByRole('link', { name: 'Home' })
    assert.equal(await home.getAttribute('href'), '/home')
  })

  test('members of a space that was not opened yet can be chosen', async () => {
    await gather('Bakers', [host, await settle(stage, 'nora')])
    await mira.page.goto('/home')
    await mira.button('New message').click()
    await mira.page.getByRole('checkbox', { name: 'nora, @nora' }).waitFor()
    await mira.page.keyboard.press('Escape')
  })

  test('the home page leads back to recent places', async () => {
    await mira.page.getByText('Continue where you left off').waitFor()
    await mira.picture('home-places')
    await mira.page.getByRole('main').getByRole('link', { name: /^lena/ }).click()
    await eventually(() => mira.history(), ['Shall I bring soup?'])
    await mira.page.goto('/home')
  })

  test('a person found by typing is chosen with Enter, which does nothing without a query', async () => {
    const { page } = mira
    await mira.button('New message').click()
    const dialog = page.getByRole('dialog', { name: 'New message' })
    await dialog.getByRole('checkbox', { name: /^jonas/i }).waitFor()
    const search = dialog.getByRole('searchbox', { name: 'Find people' })
    await search.pressSequentially('jona')
    await search.press('Enter')
    await dialog.getByRole('button', { name: /^Remove jonas/i }).waitFor()
    assert.equal(await search.inputValue(), '')
    const begin = dialog.getByRole('button', { name: 'Start chatting' })
    const height = async () => (await begin.boundingBox())?.y
    const before = await height()
    await search.pressSequentially('nobody at all')
    await dialog.getByRole('button', { name: /^Search for/ }).waitFor()
    assert.equal(await height(), before, 'what one is about to press stays where it is')
    await search.press('Enter')
    assert.equal(await dialog.getByRole('alert').count(), 0)
    await search.fill('')
    await search.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await mira.field('Message jonas').or(mira.field('Message Jonas')).waitFor()
  })

  test('the consoles have no errors', () => {
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})
