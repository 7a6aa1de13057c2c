import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Capability } from '@foyer/protocol/capabilities'
import { Reports, ServerReports } from '@foyer/sdk/api/reports'
import type { Locator } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused, Keys } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { axeFindings, overflowingParts } from './screens/looks.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const SPACE = 'Sunday hikers'
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

/**
 * Olga runs the server, Mira owns the space, Jonas moderates it. Odd annoys Lena. Kim has an invite. The tests run in order:
 * each continues where the previous one ended.
 */
describe('reports', { skip: noBrowser }, () => {
  let stage: Stage
  let olga: Settled
  let jonas: Settled
  let odd: Settled
  let lena: Person
  let kim: Person
  let keys: Keys
  let spaceId: string
  let conversationId: string
  let invite: string

  before(async () => {
    stage = await Stage.openOwn()
    olga = await settle(stage, 'olga')
    const mira = await settle(stage, 'mira')
    jonas = await settle(stage, 'jonas')
    odd = await settle(stage, 'odd')
    const reporter = await settle(stage, 'lena')
    lena = reporter.person
    keys = new Keys(lena.page)
    kim = (await settle(stage, 'kim')).person
    const { space, general } = await gather(SPACE, [mira, jonas, odd, reporter])
    spaceId = space.id
    const { id } = await mira.client.roles.create(spaceId, {
      name: 'Moderators',
      capabilities: Capability.ManageReports,
    })
    await mira.client.roles.assign(spaceId, jonas.id, id)
    invite = (await mira.client.invites.create(spaceId, general.id)).code
    await reporter.client.messages.create(general.id, { content: 'Who brings the map?' })
    await odd.client.messages.create(general.id, { content: 'Buy my boots' })
    await mira.client.messages.create(general.id, { content: 'Silence, all of you' })
    conversationId = (await odd.client.conversations.create({ recipient_ids: [reporter.id] })).id
    for (const content of ['One', 'Two', 'Three', 'Four', 'I know where you live', 'Six'])
      await odd.client.messages.create({ conversation: conversationId }, { content })
    await lena.page.goto(`/spaces/${spaceId}`)
    await lena.message('Silence, all of you').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const dialog = (name: string, { page }: Person = lena) => page.getByRole('dialog', { name, exact: true })
  const isGone = (locator: Locator) => locator.waitFor({ state: 'detached' })
  const note = (text: string) => lena.page.getByRole('status').getByText(text)

  /** Opens the menu of a message by the keyboard, and chooses an item. */
  async function choose(text: string, item: string): Promise<void> {
    await lena.message(text).focus()
    await keys.press('Enter')
    await keys.use(lena.page.getByRole('menuitem', { name: item }), 'ArrowDown')
  }

  /** Looks at the page as it is, in the dark, and on a phone. */
  async function look(name: string, person = lena): Promise<void> {
    const { page } = person
    assert.deepEqual(await namelessParts(page), [])
    await person.picture(`report-${name}`)
    assert.deepEqual(await axeFindings(page, '[role=dialog]'), [])
    await page.emulateMedia({ colorScheme: 'dark' })
    await person.picture(`report-${name}-dark`)
    assert.deepEqual(await axeFindings(page, '[role=dialog]'), [])
    await page.emulateMedia({ colorScheme: null })
    await page.setViewportSize(PHONE)
    await person.picture(`report-${name}-phone`)
    assert.deepEqual(await overflowingParts(page), [])
    await page.setViewportSize(DESKTOP)
  }

  test('REPORT-2: neither the own messages nor the own account can be reported', async () => {
    await lena.message('Who brings the map?').focus()
    await keys.press('Enter')
    await lena.page.getByRole('menuitem', { name: 'Copy text' }).waitFor()
    assert.equal(await lena.page.getByRole('menuitem', { name: 'Report message' }).count(), 0)
    await keys.press('Escape')
    const members = lena.page.getByRole('complementary', { name: 'Members' })
    await members.getByText('lena', { exact: true }).click({ button: 'right' })
    await lena.page.getByRole('menuitem', { name: 'View full profile' }).waitFor()
    assert.equal(await lena.page.getByRole('menuitem', { name: 'Report', exact: true }).count(), 0)
    await keys.press('Escape')
    await isGone(lena.page.getByRole('menu'))
  })

  test('REPORT-1, REPORT-4: a member reports a message by the keyboard, to the moderators', async () => {
    await choose('Buy my boots', 'Report message')
    const report = dialog('Report message')
    await report.getByText(`The moderators of ${SPACE} will review your report and see your name.`).waitFor()
    await report.getByText('odd won’t be notified.').waitFor()
    await report.getByText('Buy my boots').waitFor()
    await keys.use(report.getByRole('button', { name: 'Send report' }))
    await report.getByText('Choose what’s wrong.').waitFor()
    await keys.isAt(report.getByRole('radiogroup', { name: 'What’s wrong?' }))
    await look('message')
    await keys.press('Tab', 'Space')
    assert.ok(await report.getByRole('radio', { name: 'Spam' }).isChecked())
    await keys.goTo(report.getByRole('textbox'))
    await lena.page.keyboard.type('Every day the same boots.')
    await keys.use(report.getByRole('button', { name: 'Send report' }))
    const thanks = dialog('Thanks for your report')
    await thanks
      .getByText(/^The moderators of Sunday hikers will look at it\. You’ll see the decision/)
      .waitFor()
    await thanks.getByRole('button', { name: 'Block odd' }).waitFor()
    await look('sent')
    await keys.use(thanks.getByRole('button', { name: 'Done' }))
    await isGone(thanks)
    await keys.isAt(lena.message('Buy my boots'))
    const [made] = await jonas.client.api(Reports).list(spaceId)
    assert.equal(made?.reason, 'spam')
    assert.equal(made?.text, 'Every day the same boots.')
    assert.deepEqual(
      made?.copy.messages.map(({ content }) => content),
      ['Buy my boots'],
    )
  })

  test('REPORT-5: a second report of it is refused, and what was typed stays', async () => {
    await choose('Buy my boots', 'Report message')
    const report = dialog('Report message')
    await report.getByRole('radio', { name: 'Fraud or a scam' }).check()
    await report.getByRole('textbox').fill('The boots do not exist.')
    await report.getByRole('button', { name: 'Send report' }).click()
    await report.getByText('You’ve already reported this. It hasn’t been decided yet.').waitFor()
    assert.equal(await report.getByRole('textbox').inputValue(), 'The boots do not exist.')
    assert.ok(await report.getByRole('radio', { name: 'Fraud or a scam' }).isChecked())
    await lena.takeRefusals(409)
    await keys.press('Escape')
    await isGone(report)
  })

  test('REPORT-4: about a message of the owner, the administrators of the server decide', async () => {
    await choose('Silence, all of you', 'Report message')
    const report = dialog('Report message')
    await report.getByText(/^The administrators of this server will review your report/).waitFor()
    await report.getByRole('button', { name: 'Cancel' }).click()
    await isGone(report)
  })

  test('REPORT-9: the reporter is told the decision at once, and finds it in the settings', async () => {
    const [made] = await jonas.client.api(Reports).list(spaceId)
    await jonas.client.api(Reports).update(spaceId, made?.id ?? '', {
      state: 'closed',
      result: 'acted',
      answer: 'Odd sells no more boots here.',
    })
    await note('One of your reports was decided.').waitFor()
    await lena.picture('report-decided')
    await lena.button('View report').click()
    await isGone(note('One of your reports was decided.'))
    const entry = dialog('User settings').getByRole('list', { name: 'Your reports' }).getByRole('listitem')
    await entry.getByText('Odd sells no more boots here.').waitFor()
    await entry.getByText('Every day the same boots.').waitFor()
    await entry.getByText('Decided', { exact: true }).waitFor()
    await look('own')
    await keys.press('Escape')
    await isGone(dialog('User settings'))
  })

  test('REPORT-4: from a conversation, the reporter chooses the messages that go with it', async () => {
    await lena.page.goto(`/conversations/${conversationId}`)
    await lena.message('I know where you live').waitFor()
    await choose('I know where you live', 'Report message')
    const report = dialog('Report message')
    await report.getByText(/^The administrators of this server will review your report/).waitFor()
    const box = (text: string) => report.getByRole('checkbox', { name: new RegExp(`${text}$`) })
    assert.equal(await report.getByRole('checkbox').count(), 6)
    const checked = async (texts: string[]) =>
      Promise.all(texts.map(async (text) => await box(text).isChecked()))
    assert.deepEqual(await checked(['One', 'Two', 'Three', 'Four', 'Six']), [false, true, true, true, false])
    assert.ok(await box('I know where you live').isDisabled())
    await box('Two').uncheck()
    await box('Six').check()
    await look('conversation')
    await report.getByRole('radio', { name: 'Violence or threats' }).check()
    await report.getByRole('button', { name: 'Send report' }).click()
    await dialog('Thanks for your report')
      .getByText(/^The administrators of this server will look at it\./)
      .waitFor()
    await lena.button('Done').click()
    const [made] = await olga.client.api(ServerReports).list()
    assert.deepEqual(
      made?.copy.messages.map(({ content }) => content),
      ['Three', 'Four', 'I know where you live', 'Six'],
    )
  })

  test('a member reports a user from their menu, and blocks them', async () => {
    await lena.page.goto(`/spaces/${spaceId}`)
    const members = lena.page.getByRole('complementary', { name: 'Members' })
    await members.getByText('odd', { exact: true }).click({ button: 'right' })
    await lena.page.getByRole('menuitem', { name: 'Report', exact: true }).click()
    const report = dialog('Report odd')
    await report.getByText('@odd').waitFor()
    await report.getByRole('radio', { name: 'Harassment or bullying' }).check()
    await look('user')
    await report.getByRole('button', { name: 'Send report' }).click()
    const thanks = dialog('Thanks for your report')
    await thanks.getByRole('button', { name: 'Block odd' }).click()
    await thanks.getByText('You’ve blocked odd.').waitFor()
    await isGone(thanks.getByRole('button', { name: 'Block odd' }))
    await thanks.getByRole('button', { name: 'Done' }).click()
    await lena.page.getByText('1 message from someone you blocked').waitFor()
    const reports = await olga.client.api(ServerReports).list()
    assert.deepEqual(
      reports.map(({ target_type, copy }) => [target_type, copy.user?.username]),
      [
        ['message', undefined],
        ['user', 'odd'],
      ],
    )
  })

  test('REPORT-2: a member reports the space, and so does somebody with an invite', async () => {
    await keys.choose(lena.button(`${SPACE}, space menu`), 'Report space')
    const report = dialog(`Report ${SPACE}`)
    await report.getByText(`No one in ${SPACE} will be notified.`).waitFor()
    await report.getByRole('radio', { name: 'Something illegal' }).check()
    await look('space')
    await report.getByRole('button', { name: 'Send report' }).click()
    await lena.button('Done').click()
    await kim.page.goto(`/invite/${invite}`)
    await new Keys(kim.page).use(kim.button('Report space'))
    const reportOfKim = dialog(`Report ${SPACE}`, kim)
    await reportOfKim.getByRole('radio', { name: 'Spam' }).waitFor()
    await look('invited', kim)
    await reportOfKim.getByRole('radio', { name: 'Spam' }).check()
    await reportOfKim.getByRole('button', { name: 'Send report' }).click()
    await kim.button('Done').click()
    await eventually(() => isFocused(kim.button('Report space')), true)
    const reports = await olga.client.api(ServerReports).list()
    assert.deepEqual(
      reports.filter(({ copy }) => copy.space?.name === SPACE).map(({ reporter }) => reporter.username),
      ['lena', 'kim'],
    )
  })

  test('a user without reports finds out how to make one', async () => {
    await odd.person.page.goto('/home')
    await odd.person.button(/^Account: /).click()
    await odd.person.button('User settings').click()
    await odd.person.page.getByRole('navigation').getByRole('button', { name: 'Reports and appeals' }).click()
    await odd.person.page.getByRole('heading', { name: 'You haven’t reported anything' }).waitFor()
    assert.deepEqual([...lena.complaints, ...kim.complaints, ...odd.person.complaints], [])
  })
})
