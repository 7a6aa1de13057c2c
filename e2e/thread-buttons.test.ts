import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const TEXT = 'Who brings the rope?'

describe('the buttons of a message for threads', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled

  before(async () => {
    stage = await Stage.open()
    mira = await settle(stage, 'mira')
    const { space, general } = await gather('Sunday hikers', [mira])
    await mira.person.page.goto(`/spaces/${space.id}/rooms/${general.id}`)
    await mira.person.saySent(TEXT)
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const row = () => mira.person.message(TEXT).first()

  test('TROOM-1: “Start thread” opens the form, and so does the key S', async () => {
    const { person } = mira
    const form = person.page.getByRole('dialog', { name: 'Start a thread', exact: true })
    await person.pointAt(row())
    await row().getByRole('button', { name: 'Start thread' }).click()
    await form.waitFor()
    await person.page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    await row().press('s')
    await form.getByRole('button', { name: 'Start thread' }).click()
    await person.field(`Message ${TEXT}`).waitFor()
  })

  test('TROOM-1: “Reply in thread” leads to the thread that has begun from the message', async () => {
    const { person } = mira
    await person.page.goBack()
    await person.page.locator('.starter-line').filter({ hasText: TEXT }).waitFor()
    await person.pointAt(row())
    assert.equal(await row().getByRole('button', { name: 'Start thread' }).count(), 0)
    await person.picture('thread-buttons')
    await row().getByRole('button', { name: 'Reply in thread' }).click()
    await person.field(`Message ${TEXT}`).waitFor()
    assert.deepEqual(person.complaints, [])
  })
})
