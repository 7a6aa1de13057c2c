import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { meet } from './settled.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('slow mode', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Person

  before(async () => {
    stage = await Stage.open()
    mira = await stage.person('mira')
    jonas = await stage.person('jonas')
    await meet(mira, jonas)
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const line = ({ page }: Person) => page.locator('.typing-line').first()

  async function setSlowMode(choice: string): Promise<void> {
    await mira.button('Room settings').click()
    await mira.page.getByLabel('Slow mode').selectOption(choice)
    await mira.picture('slow-mode-settings')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.button('Save changes').click()
    await mira.page.getByText('You have unsaved changes.').waitFor({ state: 'detached' })
    await mira.page.keyboard.press('Escape')
    await mira.page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  test('SLOW-1: the room says that slow mode is on, except to moderators', async () => {
    await setSlowMode('One message every 5 seconds')
    await line(jonas).getByText('Slow mode is on: one message every 5 seconds.').waitFor()
    assert.equal(await line(mira).innerText(), '')
  })

  test('SLOW-2: the composer keeps the text and counts down to the next message', async () => {
    await jonas.say('first')
    await line(jonas)
      .getByText(/^Slow mode is on\. You can write again in \d seconds?\.$/)
      .last()
      .waitFor()
    await jonas.composer('general').fill('second')
    await jonas.composer('general').press('Enter')
    await jonas.picture('slow-mode')
    assert.equal(await jonas.composer('general').inputValue(), 'second')
    assert.equal(await jonas.button('Send message').isDisabled(), true)
    await eventually(() => jonas.button('Send message').isEnabled(), true)
    await jonas.composer('general').press('Enter')
    await mira.message('second').waitFor()
    assert.deepEqual(jonas.complaints, [])
  })

  test('SLOW-3: moderators write without waiting', async () => {
    for (const text of ['one', 'two', 'three']) await mira.say(text)
    await jonas.message('three').waitFor()
    await setSlowMode('Off')
    await eventually(() => line(jonas).innerText(), '')
  })
})
