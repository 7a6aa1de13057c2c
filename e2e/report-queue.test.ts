import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Capability } from '@foyer/protocol/capabilities'
import { Permission } from '@foyer/protocol/permissions'
import { Reports, ServerReports } from '@foyer/sdk/api/reports'
import type { Locator } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { Console, lookClosely } from './console.ts'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'
import { closeSettings, openSpaceSettings } from './settings.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const SPACE = 'Sunday hikers'

/**
 * Olga runs the server, Mira owns the space, Jonas and Nele moderate it. Odd annoys Lena and Kim, who report him. The tests run
 * in order: each continues where the previous one ended.
 */
describe('the queue of reports', { skip: noBrowser }, () => {
  let stage: Stage
  let olga: Settled
  let jonas: Settled
  let nele: Settled
  let odd: Settled
  let lena: Settled
  let kim: Settled
  let spaceId: string
  let roomId: string

  before(async () => {
    stage = await Stage.openOwn()
    olga = await settle(stage, 'olga')
    const mira = await settle(stage, 'mira')
    jonas = await settle(stage, 'jonas')
    nele = await settle(stage, 'nele')
    odd = await settle(stage, 'odd')
    lena = await settle(stage, 'lena')
    kim = await settle(stage, 'kim')
    const { space, general } = await gather(SPACE, [mira, jonas, nele, odd, lena, kim])
    spaceId = space.id
    roomId = general.id
    const { id } = await mira.client.roles.create(spaceId, {
      name: 'Moderators',
      permissions: Permission.ManageMessages,
      capabilities: Capability.ManageReports | Capability.TimeoutMembers,
    })
    for (const moderator of [jonas, nele]) await mira.client.roles.assign(spaceId, moderator.id, id)
    for (const { person } of [jonas, nele, odd]) await person.page.goto(`/spaces/${spaceId}`)
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const isGone = (locator: Locator) => locator.waitFor({ state: 'detached' })
  const queueOf = ({ page }: Person) => page.getByRole('list', { name: 'Reports' })
  /** Behind a dialog the list has no role. */
  const behind = ({ page }: Person) => page.locator('.reports')
  const marks = ({ page }: Person) => page.locator('.settings-mark')
  const dialog = ({ page }: Person, name: string) => page.getByRole('dialog', { name, exact: true })

  async function write(content: string): Promise<string> {
    return (await odd.client.messages.create(roomId, { content })).id
  }

  async function report(by: Settled, messageId: string, text: string): Promise<string> {
    const body = { message_id: messageId, room_id: roomId, reason: 'harassment', text } as const
    return (await by.client.api(Reports).create(body)).id
  }

  test('REPORT-6: a member who may not decide about reports finds no such section', async () => {
    await odd.person.button(`${SPACE}, space menu`).click()
    await odd.person.page.getByRole('menuitem', { name: 'Report space' }).waitFor()
    assert.equal(await odd.person.page.getByRole('menuitem', { name: 'Space settings' }).count(), 0)
    await odd.person.page.keyboard.press('Escape')
  })

  test('REPORT-9: a report appears at once, with the copy of a message that is edited later', async () => {
    const { person } = jonas
    await openSpaceSettings(person, SPACE, 'Reports')
    await person.page.getByText('No reports').waitFor()
    await lookClosely(person, 'queue-empty')
    const messageId = await write('Lena smells of boots')
    await report(lena, messageId, 'He writes this every day.')
    await odd.client.messages.update(roomId, messageId, { content: 'Lena smells of roses' })
    const row = queueOf(person).getByRole('listitem', { name: 'Message by odd' })
    await row.getByText('Lena smells of boots').waitFor()
    await row.getByText('Reported by lena').waitFor()
    await row.getByText('He writes this every day.').waitFor()
    await row.getByText('Harassment or bullying').waitFor()
    await row.getByText('In #general').waitFor()
    await eventually(() => marks(person).allInnerTexts(), ['1'])
    assert.equal(await row.getByText('roses').count(), 0)
  })

  test('REPORT-8: a report is taken, and another moderator is asked before they take it over', async () => {
    await jonas.person.button('Take report').click()
    await jonas.person.page.getByText('Taken by you').waitFor()
    await eventually(() => marks(jonas.person).allInnerTexts(), [])
    await openSpaceSettings(nele.person, SPACE, 'Reports')
    await queueOf(nele.person).getByText('Taken by jonas').waitFor()
    await nele.person.button('Take over…').click()
    const asking = nele.person.page.getByRole('alertdialog', { name: 'Take over this report?' })
    await asking.getByText('jonas has taken it, and may be working on it.').waitFor()
    await nele.person.picture('operators-queue-take-over')
    await asking.getByRole('button', { name: 'Take over' }).click()
    await isGone(asking)
    await queueOf(jonas.person).getByText('Taken by nele').waitFor()
    await nele.person.button('Release').click()
    await queueOf(jonas.person).getByText('Not reviewed yet').waitFor()
  })

  test('REPORT-15: a moderator sees the report above the messages and in the menu; others do not', async () => {
    const { page } = nele.person
    await closeSettings(nele.person, SPACE)
    const banner = (person: Person) => person.page.getByRole('region', { name: 'Reports and appeals' })
    await banner(nele.person).getByText('1 report is waiting.').waitFor()
    await nele.person.button(`${SPACE}, space menu`).click()
    await page.getByRole('menuitem', { name: 'Space settings', exact: true }).waitFor()
    await eventually(() => page.locator('.space-undecided').allInnerTexts(), ['1'])
    await page.keyboard.press('Escape')
    await banner(nele.person).getByRole('button', { name: 'See reports' }).click()
    await queueOf(nele.person).waitFor()
    assert.equal(await banner(odd.person).count(), 0)
  })

  test('REPORT-11: moderators read each other’s notes', async () => {
    await jonas.person.page.getByText('Notes').click()
    await jonas.person.page.getByRole('textbox', { name: 'New note' }).fill('I know him from before.')
    await nele.person.page.getByText('Notes').click()
    await jonas.person.button('Add note').click()
    const notes = ({ page }: Person) => page.getByRole('list', { name: 'Notes' })
    await notes(nele.person).getByText('I know him from before.').waitFor()
    await notes(jonas.person).getByText('I know him from before.').waitFor()
    await lookClosely(jonas.person, 'queue')
  })

  test('REPORT-8: a decision that another moderator has made meanwhile is not overwritten', async () => {
    const [first] = await nele.client.api(Reports).list(spaceId)
    assert.ok(first !== undefined)
    const { person } = jonas
    await person.button('Decide…').click()
    const deciding = dialog(person, 'Decide on the report')
    await deciding.getByRole('button', { name: 'Decide', exact: true }).click()
    await deciding.getByText('Choose a result.').waitFor()
    await deciding.getByRole('radio', { name: 'No rules were broken' }).check()
    await deciding.getByRole('textbox', { name: 'Answer' }).fill('Nothing to see.')
    await lookClosely(person, 'queue-decide')
    // Jonas’s page reads the list too late.
    await person.page.route('**/reports**', (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    )
    await nele.client.api(Reports).update(spaceId, first.id, { state: 'taken' })
    await deciding.getByRole('button', { name: 'Decide', exact: true }).click()
    await deciding.getByText(/^Someone else has changed this report/).waitFor()
    assert.equal((await nele.client.api(Reports).get(spaceId, first.id)).state, 'taken')
    await person.page.unroute('**/reports**')
    await behind(person).getByText('Taken by nele').waitFor()
    assert.equal(await deciding.getByRole('textbox', { name: 'Answer' }).inputValue(), 'Nothing to see.')
    await deciding.getByRole('button', { name: 'Cancel' }).click()
    await isGone(deciding)
  })

  test('REPORT-8: what a moderator types outlives the decision of another one, and a note of another one', async () => {
    const { person } = jonas
    const [first] = await nele.client.api(Reports).list(spaceId)
    const note = person.page.getByRole('textbox', { name: 'New note' })
    await note.fill('Half a')
    await nele.client.api(Reports).addNote(spaceId, first?.id ?? '', { text: 'I look at it.' })
    await person.page.getByRole('list', { name: 'Notes' }).getByText('I look at it.').waitFor()
    assert.equal(await note.inputValue(), 'Half a')
    await note.fill('')
    await person.button('Decide…').click()
    const deciding = dialog(person, 'Decide on the report')
    await deciding.getByRole('textbox', { name: 'Answer' }).fill('I was about to')
    await nele.client.api(Reports).update(spaceId, first?.id ?? '', { state: 'closed', result: 'acted' })
    await isGone(behind(person))
    assert.equal(await deciding.getByRole('textbox', { name: 'Answer' }).inputValue(), 'I was about to')
    await deciding.getByRole('button', { name: 'Cancel' }).click()
    await isGone(deciding)
    await nele.client.api(Reports).update(spaceId, first?.id ?? '', { state: 'open' })
    await queueOf(person).waitFor()
  })

  test('REPORT-9: a moderator times the author out, deletes the message, and tells the reporter', async () => {
    const { person } = nele
    const row = queueOf(person).getByRole('listitem', { name: 'Message by odd' })
    await row.getByRole('button', { name: 'Moderate odd…' }).click()
    await row.getByRole('button', { name: 'Time out' }).click()
    const timeout = dialog(person, 'Time out odd?')
    await timeout.getByRole('button', { name: 'Time out' }).click()
    await isGone(timeout)
    await row.getByRole('button', { name: 'Delete message…' }).click()
    await person.page.getByRole('alertdialog').getByRole('button', { name: 'Delete message' }).click()
    await isGone(row.getByRole('button', { name: 'Delete message…' }))
    await row.getByText('Lena smells of boots').waitFor()
    await row.getByRole('button', { name: 'Decide…' }).click()
    const deciding = dialog(person, 'Decide on the report')
    await deciding.getByRole('radio', { name: 'Action was taken' }).check()
    await deciding.getByRole('textbox', { name: 'Answer' }).fill('He can’t write for a while.')
    await deciding.getByRole('button', { name: 'Decide', exact: true }).click()
    await isGone(row)
    await queueOf(jonas.person).waitFor({ state: 'detached' })
    const [own] = await lena.client.api(Reports).listOwn()
    assert.deepEqual([own?.result, own?.answer], ['acted', 'He can’t write for a while.'])
    await person.page.getByRole('combobox', { name: 'Show' }).selectOption('Decided')
    const decided = queueOf(person).getByRole('listitem', { name: 'Message by odd' })
    await decided.getByText('Decided by nele').waitFor()
    await lookClosely(person, 'queue-decided')
    await decided.getByRole('button', { name: 'Reopen' }).click()
    await isGone(decided)
    await queueOf(jonas.person).getByText('Lena smells of boots').waitFor()
  })

  test('REPORT-7: moderators do not see a report about themselves', async () => {
    const { id } = await jonas.client.messages.create(roomId, { content: 'Silence now' })
    await report(kim, id, 'Rude')
    await nele.person.page.getByRole('combobox', { name: 'Show' }).selectOption('Undecided')
    await queueOf(nele.person).getByText('Silence now').waitFor()
    assert.equal(await queueOf(jonas.person).getByText('Silence now').count(), 0)
    await closeSettings(jonas.person, SPACE)
  })

  test('REPORT-10, REPORT-13: an operator decides about several reports of a person at once', async () => {
    const { person } = olga
    for (const by of [lena, kim])
      await by.client.api(Reports).create({ user_id: odd.id, reason: 'spam', text: `Says ${by.person.name}` })
    const hers = new Console(person)
    await person.page.goto('/operator/reports')
    const rows = queueOf(person).getByRole('listitem', { name: 'Person: odd' })
    await rows.first().getByText('1 more report about this').waitFor()
    await lookClosely(person, 'queue-operator')
    await rows.first().getByRole('button', { name: 'Decide…' }).click()
    const deciding = dialog(person, 'Decide on the report')
    await deciding.getByRole('radio', { name: 'No rules were broken' }).check()
    assert.ok(
      await deciding
        .getByRole('checkbox', { name: 'Give 1 more report about this the same result' })
        .isChecked(),
    )
    await deciding.getByRole('button', { name: 'Decide', exact: true }).click()
    await isGone(rows.first())
    for (const by of [lena, kim])
      await eventually(
        async () =>
          (await by.client.api(Reports).listOwn()).find(({ text }) => text.startsWith('Says'))?.result,
        'no_violation',
      )
    assert.deepEqual(await olga.client.api(ServerReports).list(), [])
    await hers.open('Log')
    await hers.row('olga decided on a report: no rules were broken').waitFor()
  })

  test('REPORT-13: from a report an operator goes on to the account', async () => {
    await kim.client.api(Reports).create({ user_id: odd.id, reason: 'fraud' })
    const hers = new Console(olga.person)
    await hers.open('Reports')
    await olga.person.button('Open the account of odd').click()
    await hers.row('@odd').waitFor()
    assert.equal(await hers.row('@lena').count(), 0)
  })
})
