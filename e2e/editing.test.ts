import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { holdEdits } from './attaching.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'
import { gather, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('editing', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let said: () => Promise<string[]>

  before(async () => {
    stage = await Stage.open()
    const settled = await settle(stage, 'mira')
    mira = settled.person
    const { space, general } = await gather('Sunday hikers', [settled])
    said = async () => {
      const messages = await settled.client.messages.list(general.id)
      return messages.map(({ content }) => content).sort()
    }
    await mira.page.goto(`/spaces/${space.id}/rooms/${general.id}`)
    await mira.say('Tea at nine')
    await mira.say('Cake at ten')
    await eventually(() => mira.outgoing(), 0)
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const saving = () => mira.page.locator('[aria-busy]', { hasText: 'Save' })

  async function edit(text: string): Promise<void> {
    await mira.pointAt(mira.message(text))
    await mira.message(text).getByRole('button', { name: 'Edit message' }).click()
  }

  test('text typed while an edit is saved is kept, and can be saved next', async () => {
    const field = mira.field('Edit message')
    const release = await holdEdits(mira)
    await edit('Tea at nine')
    await field.fill('Tea at six')
    await field.press('Enter')
    await saving().waitFor()
    await field.pressSequentially('teen')
    await release()
    await saving().waitFor({ state: 'detached' })
    assert.deepEqual(await said(), ['Cake at ten', 'Tea at six'])
    assert.equal(await field.inputValue(), 'Tea at sixteen')
    await mira.page.getByRole('link', { name: 'Home' }).click()
    await mira.composer('general').waitFor({ state: 'detached' })
    await mira.page.goBack()
    await edit('Tea at six')
    await eventually(() => field.inputValue(), 'Tea at sixteen')
    await field.press('Enter')
    await field.waitFor({ state: 'detached' })
    assert.deepEqual(await said(), ['Cake at ten', 'Tea at sixteen'])
  })

  test('saving does not close an edit that was begun in the meantime', async () => {
    const field = mira.field('Edit message')
    const release = await holdEdits(mira)
    const answered = mira.page.waitForResponse((response) => response.request().method() === 'PATCH')
    await edit('Tea at sixteen')
    await field.fill('Tea at five')
    await field.press('Enter')
    await edit('Cake at ten')
    await release()
    await (await answered).finished()
    await mira.message('Tea at five').waitFor()
    assert.equal(await field.inputValue(), 'Cake at ten')
  })

  test('the console has no errors', () => {
    assert.deepEqual(mira.complaints, [])
  })
})
