import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import type { Person } from './person.ts'
import { axeFindings, overflowingParts } from './screens/looks.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const QUESTION = 'Who brings the rope?'
const ANSWERS = ['I have one.', 'How long is it?', 'Sixty metres.']

describe('a thread that takes replies along', { skip: noBrowser }, () => {
  let stage: Stage
  let host: Settled
  let mira: Person
  let jonas: Person
  let path: string

  before(async () => {
    stage = await Stage.open()
    const guest = await settle(stage, 'jonas')
    host = await settle(stage, 'mira')
    mira = host.person
    jonas = guest.person
    const { space, general } = await gather('Sunday hikers', [host, guest])
    path = `/spaces/${space.id}/rooms/${general.id}`
    let { id } = await guest.client.messages.create(general.id, { content: QUESTION })
    for (const content of ANSWERS) {
      const reply = { content, reference: { message_id: id } }
      id = (await host.client.messages.create(general.id, reply)).id
    }
    for (const person of [mira, jonas]) {
      await person.page.goto(path)
      await person
        .message(ANSWERS[2] ?? '')
        .first()
        .waitFor()
    }
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const form = ({ page }: Person) => page.getByRole('dialog', { name: 'Start a thread', exact: true })
  const box = (person: Person) => form(person).getByRole('checkbox')

  async function ask(person: Person, text: string): Promise<void> {
    await person.message(text).first().press('s')
    await form(person).waitFor()
  }

  test('TROOM-19: only moderators are offered to move replies, and only from a message that has some', async () => {
    await ask(jonas, QUESTION)
    assert.equal(await box(jonas).count(), 0)
    await jonas.page.keyboard.press('Escape')
    await ask(mira, ANSWERS[2] ?? '')
    assert.equal(await box(mira).count(), 0)
    await mira.page.keyboard.press('Escape')
    await form(mira).waitFor({ state: 'detached' })
  })

  test('TROOM-19: a moderator starts a thread with the replies to the message, which all see leave the room', async () => {
    await ask(mira, QUESTION)
    assert.equal(await box(mira).isChecked(), false)
    await form(mira).getByLabel('Move its 3 replies into the thread').check()
    await mira.picture('thread-moves-replies')
    assert.deepEqual(await axeFindings(mira.page, '[role=dialog]'), [])
    assert.deepEqual(await overflowingParts(mira.page), [])
    await form(mira).getByLabel('First message (optional)').fill('Let us go on here.')
    await form(mira).getByRole('button', { name: 'Start thread' }).click()
    await mira.field(`Message ${QUESTION}`).waitFor()
    for (const text of [...ANSWERS, 'Let us go on here.']) await mira.message(text).first().waitFor()
    for (const text of ANSWERS) await jonas.message(text).first().waitFor({ state: 'detached' })
    const starter = jonas.page.locator('.starter-line').filter({ hasText: QUESTION })
    await starter.getByText('4 messages').waitFor()
    assert.equal(await jonas.page.locator('.thread-line').count(), 0)
  })

  test('TROOM-19: a moved reply leads to the message in the room that it answers', async () => {
    await jonas.page.locator('.starter-line').click()
    const reply = jonas.message(ANSWERS[0] ?? '').first()
    await reply.getByRole('button', { name: new RegExp(QUESTION.replace('?', '.')) }).click()
    const room = jonas.page.getByRole('region', { name: 'general', exact: true })
    const question = room.getByRole('log').getByRole('listitem').filter({ hasText: QUESTION })
    await question.and(jonas.page.locator('[data-target]')).waitFor()
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})
