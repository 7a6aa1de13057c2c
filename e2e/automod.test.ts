import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Capability } from '@foyer/protocol/capabilities'
import type { Locator } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { holdAnswers } from './held-answers.ts'
import { Keys } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { axeFindings, overflowingParts } from './screens/looks.ts'
import { closeSettings, openSpaceSettings } from './settings.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const SPACE = 'Sunday hikers'
const MESSAGES = 24
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

/**
 * Jonas moderates the space of Mira, and Lena writes in it. The tests run in order: each continues where the previous one
 * ended.
 */
describe('AutoMod', { skip: noBrowser }, () => {
  let stage: Stage
  let jonas: Person
  let lena: Settled
  let section: Locator

  before(async () => {
    stage = await Stage.open()
    const mira = await settle(stage, 'mira')
    const moderator = await settle(stage, 'jonas')
    lena = await settle(stage, 'lena')
    jonas = moderator.person
    const { space, general } = await gather(SPACE, [mira, moderator, lena])
    const capabilities = Capability.ManageAutomod
    const { id } = await mira.client.roles.create(space.id, { name: 'Moderators', capabilities })
    await mira.client.roles.assign(space.id, moderator.id, id)
    for (let count = 1; count <= MESSAGES; count += 1) {
      const content = count % 12 === 0 ? `Buy cheap boots ${count}` : `Hello ${count}`
      await lena.client.messages.create(general.id, { content })
    }
    for (const person of [jonas, lena.person]) {
      await person.page.goto(`/spaces/${space.id}`)
      await person.composer('general').waitFor()
    }
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const tab = (name: string | RegExp) => section.getByRole('tab', { name })
  const rule = (name: string) => section.getByRole('listitem').filter({ hasText: name })
  const outgoing = (text: string) =>
    lena.person.page
      .locator('[data-status]')
      .filter({ has: lena.person.page.getByText(text, { exact: true }) })

  async function look(name: string): Promise<void> {
    const { page } = jonas
    await jonas.picture(`automod-${name}`)
    assert.deepEqual(await namelessParts(page), [])
    assert.deepEqual(await axeFindings(page, '[role=dialog]'), [])
    await page.setViewportSize(PHONE)
    await jonas.picture(`automod-${name}-phone`)
    assert.deepEqual(await overflowingParts(page), [])
    await page.setViewportSize(DESKTOP)
  }

  test('AUTOMOD-40, AUTOMOD-43: a moderator tries a rule on recent messages before saving it', async () => {
    section = await openSpaceSettings(jonas, SPACE, 'AutoMod')
    await section.getByRole('heading', { name: 'No rules yet' }).waitFor()
    await look('empty')
    await section.getByRole('button', { name: 'Add rule' }).click()
    await section.getByLabel('Name', { exact: true }).fill('No adverts')
    await section.getByRole('textbox', { name: 'Words and phrases' }).fill('buy cheap*\nbuy cheap*')
    await section.getByText('1 line · One per line.').waitFor()
    await section.getByLabel('Message to the author').fill('no adverts here, please')
    await section.getByRole('button', { name: 'Try on recent messages' }).click()
    await section.getByText(`Would have caught 2 of the last ${MESSAGES} messages.`).waitFor()
    const examples = section.getByRole('list', { name: 'Examples' })
    await examples.getByText('Buy cheap boots 24').waitFor()
    await look('editor')
    await section.getByRole('button', { name: 'Add rule' }).click()
    await rule('No adverts').getByText('Catches 1 word or phrase').waitFor()
    const mode = section.getByLabel('Mode of No adverts')
    assert.equal(await mode.inputValue(), 'test')
    await new Keys(jonas.page).isAt(section.getByRole('button', { name: 'Edit No adverts' }))
    await look('rules')
  })

  test('AUTOMOD-46: a rule in testing lets a message pass and notes it', async () => {
    await lena.person.say('buy cheap tents')
    await lena.person.message('buy cheap tents').waitFor()
    await eventually(() => lena.person.outgoing(), 0)
    await eventually(async () => {
      await tab('Rules').click()
      await tab(/^Caught in the last/).click()
      return section.getByText('Would have been refused').count()
    }, 1)
    const held = await holdAnswers(jonas.page, /automod\/hits\?.*rule_id=/)
    await section.getByLabel('Rule', { exact: true }).selectOption({ label: 'No adverts' })
    await held.given
    await section.getByRole('status', { name: 'Loading…' }).waitFor()
    assert.equal(await section.getByText('buy cheap tents').count(), 0)
    await held.release()
    await section.getByText('buy cheap tents').waitFor()
    await look('caught')
    await tab('Rules').click()
  })

  test('AUTOMOD-44: a rule that would catch most messages is turned on only after a warning', async () => {
    await section.getByRole('button', { name: 'Add rule' }).click()
    await section.getByLabel('Name', { exact: true }).fill('Too broad')
    await section.getByRole('textbox', { name: 'Words and phrases' }).fill('hello')
    await section.getByRole('radio', { name: 'On', exact: true }).click()
    await section.getByRole('button', { name: 'Add rule' }).click()
    const warning = jonas.page.getByRole('alertdialog', {
      name: 'Turn on a rule that catches most messages?',
    })
    await warning.getByText('Would have caught 22 of the last 25 messages.').waitFor()
    await jonas.picture('automod-broad')
    await warning.getByRole('button', { name: 'Cancel' }).click()
    await section.getByRole('button', { name: 'Back to AutoMod' }).click()
    await jonas.page.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click()
    await section.getByLabel('Mode of No adverts').selectOption({ label: 'On' })
    await eventually(() => section.getByLabel('Mode of No adverts').inputValue(), 'on')
  })

  test('AUTOMOD-47: a message is refused with the words of the rule, and can be edited', async () => {
    const { person } = lena
    await person.say('Buy cheap socks')
    const row = outgoing('Buy cheap socks')
    await row.getByText('Not sent. no adverts here, please').waitFor()
    assert.equal(await row.getByRole('button', { name: 'Retry' }).count(), 0)
    await person.picture('automod-refused')
    await row.getByRole('button', { name: 'Edit' }).click()
    await eventually(() => person.composer('general').inputValue(), 'Buy cheap socks')
    await row.waitFor({ state: 'detached' })
    await person.takeRefusals(403)
  })

  test('AUTOMOD-45, AUTOMOD-48: a message is held, and a moderator posts it', async () => {
    await section.getByRole('button', { name: 'Add rule' }).click()
    await section.getByLabel('Name', { exact: true }).fill('Tents')
    await section.getByRole('textbox', { name: 'Words and phrases' }).fill('tent')
    await section.getByRole('radio', { name: 'Hold it for review' }).click()
    await section.getByRole('radio', { name: 'On', exact: true }).click()
    await section.getByRole('button', { name: 'Add rule' }).click()
    await rule('Tents').getByText('Holds it for review').waitFor()
    const { person } = lena
    await person.say('A tent for two?')
    const row = outgoing('A tent for two?')
    await row.getByText('Moderators review this message before others can see it.').waitFor()
    await person.picture('automod-held-author')
    await tab(/^Waiting for review/).click()
    await section.getByText('A tent for two?').waitFor()
    await section.getByText('Rule: Tents').waitFor()
    await look('held')
    await section.getByRole('button', { name: 'Post the message by lena' }).click()
    await section.getByRole('heading', { name: 'Nothing to review' }).waitFor()
    await closeSettings(jonas, SPACE)
    await jonas.message('A tent for two?').waitFor()
    await person.takeRefusals(403)
    await person.message('A tent for two?').waitFor()
    assert.deepEqual(jonas.complaints, [])
  })

  test('AUTOMOD-48: the note of a held message can be dismissed, and the message discarded', async () => {
    const { person } = lena
    await person.say('Another tent')
    await outgoing('Another tent').getByRole('button', { name: 'Dismiss' }).click()
    await outgoing('Another tent').waitFor({ state: 'detached' })
    section = await openSpaceSettings(jonas, SPACE, 'AutoMod')
    await tab(/^Waiting for review/).click()
    await section.getByRole('button', { name: 'Discard the message by lena' }).click()
    await section.getByRole('heading', { name: 'Nothing to review' }).waitFor()
    await person.takeRefusals(403)
    assert.deepEqual(jonas.complaints, [])
  })
})
