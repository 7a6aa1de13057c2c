import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Client } from '@foyer/sdk/client'
import { noBrowser } from './chromium-files.ts'
import { CONSOLE, Console } from './console.ts'
import { eventually } from './eventually.ts'
import { namelessParts } from './names.ts'
import { axeFindings } from './screens/looks.ts'
import { closeSettings, openSpaceSettings } from './settings.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const SPACE = 'Sunday hikers'

/** Mira runs the server, and Jonas owns a space, in which Lena is. Each test continues where the previous one ended. */
describe('erasure and retention', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled
  let jonas: Settled
  let lena: Settled
  let mirasConsole: Console
  let spaceId: string

  before(async () => {
    stage = await Stage.openOwn()
    mira = await settle(stage, 'mira')
    jonas = await settle(stage, 'jonas')
    lena = await settle(stage, 'lena')
    mirasConsole = new Console(mira.person)
    const { space, general } = await gather(SPACE, [jonas, lena])
    spaceId = space.id
    await lena.client.messages.create(general.id, { content: 'Who brings the map?' })
    for (const { person } of [jonas, lena]) {
      await person.page.goto(`/spaces/${spaceId}`)
      await person.message('Who brings the map?').waitFor()
    }
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  test('RETAIN-6: the owner keeps messages of the space for less time after a warning', async () => {
    const { person } = jonas
    const dialog = await openSpaceSettings(person, SPACE, 'Overview')
    const kept = dialog.getByLabel('Keep messages for')
    await kept.selectOption({ label: '30 days' })
    const asking = person.page.getByRole('alertdialog', { name: 'Keep messages for less time?' })
    await asking.getByText('Messages older than 30 days will be deleted for everyone').waitFor()
    assert.deepEqual(await axeFindings(person.page, '[role=alertdialog]'), [])
    await asking.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await kept.inputValue(), '')
    await kept.selectOption({ label: '30 days' })
    await asking.getByRole('button', { name: 'Delete older messages' }).click()
    await eventually(() => kept.inputValue(), '30')
    await kept.selectOption({ label: '90 days' })
    await eventually(() => kept.inputValue(), '90')
    await person.picture('retention-space')
    assert.deepEqual(
      [await namelessParts(person.page), await axeFindings(person.page, '[role=dialog]')],
      [[], []],
    )
    await closeSettings(person, SPACE)
  })

  test('RETAIN-6: a room follows its space, or has a time of its own', async () => {
    const { person } = jonas
    await person.button('Room settings').click()
    const kept = person.page.getByLabel('Keep messages for', { exact: true })
    assert.equal(await kept.locator('option:checked').innerText(), 'Space default (90 days)')
    await kept.selectOption({ label: '1 year' })
    await eventually(() => kept.inputValue(), '365')
    await kept.selectOption({ label: 'Space default (90 days)' })
    const asking = person.page.getByRole('alertdialog', { name: 'Keep messages for less time?' })
    await asking.getByText('Messages older than 90 days').waitFor()
    await asking.getByRole('button', { name: 'Delete older messages' }).click()
    await eventually(() => kept.inputValue(), '')
    await person.picture('retention-room')
    assert.deepEqual(await namelessParts(person.page), [])
    await person.page.keyboard.press('Escape')
    await person.page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('OPERATOR-42: a space is held and released', async () => {
    await mira.person.page.goto('/operator/spaces')
    await mirasConsole.row(SPACE).waitFor()
    await mirasConsole.choose(SPACE, 'Place legal hold…')
    const asking = mira.person.page.getByRole('dialog', { name: `Place ${SPACE} on legal hold?` })
    await asking.getByLabel('Reason').fill('Case 7')
    await asking.getByRole('button', { name: 'Place legal hold' }).click()
    await mirasConsole.row(SPACE).getByText('Legal hold', { exact: true }).waitFor()
    await mirasConsole.dialog.getByLabel('Show').selectOption('Spaces on legal hold')
    await mirasConsole.row(SPACE).getByText('Case 7').waitFor()
    await mirasConsole.look('held')
    await mirasConsole.choose(SPACE, 'Release legal hold…')
    const releasing = mira.person.page.getByRole('alertdialog', {
      name: `Release the legal hold on ${SPACE}?`,
    })
    await releasing.getByRole('button', { name: 'Release legal hold' }).click()
    await mirasConsole.row(SPACE).waitFor({ state: 'detached' })
    await mirasConsole.dialog.getByLabel('Show').selectOption('All spaces')
    await mirasConsole.row(SPACE).waitFor()
    assert.equal(await mirasConsole.row(SPACE).getByText('Legal hold', { exact: true }).count(), 0)
  })

  test('OPERATOR-42: a deleted space is brought back, and its members have it again at once', async () => {
    const link = lena.person.page.getByRole('link', { name: SPACE })
    await link.waitFor()
    await jonas.client.spaces.delete(spaceId)
    await link.waitFor({ state: 'detached' })
    // The page of the space asks whether its user was banned.
    for (const { person } of [jonas, lena]) await person.takeRefusals(404)
    await mirasConsole.dialog.getByLabel('Show').selectOption('Deleted spaces')
    await mirasConsole
      .row(SPACE)
      .getByText(/^erased after /)
      .waitFor()
    await mirasConsole.look('deleted')
    await mirasConsole.choose(SPACE, 'Bring back…')
    const asking = mira.person.page.getByRole('dialog', { name: `Bring back ${SPACE}?` })
    await mirasConsole.look('restore')
    await asking.getByRole('button', { name: 'Bring back' }).click()
    await mirasConsole.row(SPACE).waitFor({ state: 'detached' })
    await link.click()
    await lena.person.message('Who brings the map?').waitFor()
    await mirasConsole.open('Log')
    await mirasConsole.row(`mira brought back the space ${SPACE}`).waitFor()
    assert.equal(await mira.person.page.getByRole('dialog', { name: CONSOLE }).count(), 1)
  })

  test('OPERATOR-42: a space whose owner was deleted since the list was loaded gets another owner', async () => {
    const password = 'correct horse battery'
    const nils = new Client({ baseUrl: new URL(mira.person.page.url()).origin })
    await nils.auth.signin({ username: 'nils', email: 'nils@example.org', password })
    const { space } = await nils.spaces.create({ name: 'Night readers' })
    await nils.spaces.delete(space.id)
    await mirasConsole.open('Spaces')
    await mirasConsole.dialog.getByLabel('Show').selectOption('Deleted spaces')
    await mirasConsole.row('Night readers').getByText('owned by @nils').waitFor()
    await nils.users.deleteMe({ password })
    await mirasConsole.choose('Night readers', 'Bring back…')
    const asking = mira.person.page.getByRole('dialog', { name: 'Bring back Night readers?' })
    await asking.getByRole('button', { name: 'Bring back' }).click()
    await mira.person.takeRefusals(409)
    await asking.getByLabel('User ID of the new owner').fill('nobody')
    assert.deepEqual(await axeFindings(mira.person.page, '[role=dialog]'), [])
    await asking.getByRole('button', { name: 'Cancel' }).click()
    await asking.waitFor({ state: 'detached' })
  })

  test('the consoles have no errors', () => {
    for (const { person } of [mira, jonas, lena]) assert.deepEqual(person.complaints, [])
  })
})
