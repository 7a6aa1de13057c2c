import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Message, ReferenceType } from '@foyer/protocol/messages'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** Messages and reactions that a room accepts from one account per minute. */
const A_MINUTE = 64
/** Requests by the test in one second: with those of the page, fewer than the 50 that the account may make. */
const A_SECOND = 25
const SECOND_MS = 1_100

/** Does the step, and lets a second pass after some of them, so that only the limit of the minute is reached. */
async function paced(count: number, step: () => Promise<unknown>): Promise<void> {
  await step()
  if (count % A_SECOND === 0) await delay(SECOND_MS)
}

describe('a user over the rate limits', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let settled: Settled
  let roomId: string
  let first: Message

  before(async () => {
    stage = await Stage.openOwn({ RATE_LIMITS: 'on' })
    settled = await settle(stage, 'mira')
    mira = settled.person
    const jonas = await settle(stage, 'jonas')
    const { space, general } = await gather('Sunday hikers', [settled, jonas])
    roomId = general.id
    await mira.page.goto(`/spaces/${space.id}/rooms/${roomId}`)
    await mira.composer('general').waitFor()
    for (let count = 1; count < A_MINUTE; count += 1)
      await paced(count, () => settled.client.messages.create(roomId, { content: `Line ${count}` }))
    first = await jonas.client.messages.create(roomId, { content: 'Hello' })
    await jonas.client.reactions.add({ channel: roomId, id: first.id }, '🎉')
    const reference = { type: ReferenceType.Reply, message_id: first.id }
    await jonas.client.messages.create(roomId, { content: 'Anybody?', reference })
    await mira.message('Anybody?').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const slowed = (words: string | RegExp) => mira.page.locator('.typing-line [aria-hidden]').getByText(words)

  test('WEB-13 sees in the composer how many messages wait and for how long, and none is refused', async () => {
    for (const text of ['the last that goes', 'held 1', 'held 2', 'held 3']) await mira.say(text)
    await slowed(
      /^You’re going too fast\. 3 messages are waiting\. The next will be sent in \d+ seconds?\.$/,
    ).waitFor()
    await eventually(() => mira.outgoing(), 3)
    await mira.picture('slowed-down')
    assert.deepEqual(mira.complaints, [])
  })

  test('WEB-13 can cancel a waiting message', async () => {
    await mira.message('held 2').getByRole('button', { name: 'Cancel' }).click()
    await mira.message('held 2').waitFor({ state: 'detached' })
    await slowed(/^You’re going too fast\. 2 messages are waiting/).waitFor()
  })

  test('WEB-13 gets the waiting time announced once, however it counts down', async () => {
    const announced = mira.page.locator('.typing-line .visually-hidden')
    const shown = slowed(/^You’re going too fast/)
    const [before, counting] = [await announced.innerText(), await shown.innerText()]
    await eventually(async () => (await shown.innerText()) !== counting, true)
    assert.equal(await announced.innerText(), before)
  })

  test('WEB-13 sees the same below a thread, where the room may be hidden', async () => {
    await mira
      .message('Hello')
      .first()
      .getByRole('button', { name: /^1 reply/ })
      .click()
    const thread = mira.page.getByRole('complementary', { name: 'Replies' })
    await thread
      .locator('.typing-line [aria-hidden]')
      .getByText(/^You’re going too fast\. 2 messages are waiting/)
      .waitFor()
    await mira.picture('slowed-down-thread')
    await mira.button('Close replies').click()
  })

  test('WEB-13 sees how long another action waits', async () => {
    const add = () => settled.client.reactions.add({ channel: roomId, id: first.id }, '👍')
    for (let count = 1; count <= A_MINUTE; count += 1) await paced(count, add)
    await mira.page.getByRole('list', { name: 'Reactions' }).getByText('🎉').click()
    await mira.page
      .locator('.connection [aria-hidden]')
      .getByText(/^You’re going too fast\. Foyer continues in \d+ seconds?\.$/)
      .waitFor()
    await mira.picture('slowed-action')
    await mira.takeRefusals(429)
  })
})
