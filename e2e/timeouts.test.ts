import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { namelessParts } from './names.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('timeouts', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled
  let lena: Settled
  let spaceId: string

  before(async () => {
    stage = await Stage.open()
    mira = await settle(stage, 'mira')
    lena = await settle(stage, 'lena')
    const { space, general } = await gather('Sunday hikers', [mira, lena])
    spaceId = space.id
    await lena.client.messages.create(general.id, { content: 'Buy cheap tents!' })
    for (const { person } of [mira, lena]) {
      await person.page.goto(`/spaces/${space.id}`)
      await person.message('cheap tents').waitFor()
    }
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  async function openMenu(): Promise<void> {
    const { page } = mira.person
    await page.getByRole('complementary', { name: 'Members' }).getByText('lena').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'View full profile' }).waitFor()
  }

  test('TIMEOUT-3, TIMEOUT-4: a member who is timed out reads until when and why, and the composer is gone', async () => {
    const { person } = mira
    await openMenu()
    await person.picture('timeout-menu')
    await person.page.getByRole('menuitem', { name: 'Time out' }).click()
    await person.page.getByLabel('Duration').selectOption('1 hour')
    await person.field('Reason').fill('Advertising')
    await person.picture('timeout-dialog')
    assert.deepEqual(await namelessParts(person.page), [])
    await person.button('Time out').click()
    await person.page.getByRole('dialog').waitFor({ state: 'detached' })
    const { page } = lena.person
    await page
      .getByText(/^You’re timed out\. You can write again in (59|60) minutes\.$/)
      .last()
      .waitFor()
    await page.getByText('Reason: Advertising').waitFor()
    assert.equal(await lena.person.composer('general').count(), 0)
    await lena.person.message('cheap tents').hover()
    assert.equal(await page.getByRole('button', { name: 'Reply' }).count(), 0)
    await lena.person.picture('timed-out')
    assert.deepEqual(await namelessParts(page), [])
  })

  test('TIMEOUT-4: a moderator sees the timeout on the profile card, with the reason where it is ended', async () => {
    const { person } = mira
    await person.page.getByRole('complementary', { name: 'Members' }).getByText('lena').click()
    await person.page.getByText(/^Timed out until /).waitFor()
    await person.picture('timeout-profile')
    await person.page.keyboard.press('Escape')
    await openMenu()
    await person.page.getByRole('menuitem', { name: 'Remove timeout' }).click()
    await person.page.getByText('Reason: Advertising').waitFor()
    await person.picture('timeout-removal')
    await person.button('Remove timeout').click()
    await lena.person.composer('general').waitFor()
    await lena.person.say('Sorry.')
    await person.message('Sorry.').waitFor()
  })

  test('TIMEOUT-4: the menu of a message times out its author, too', async () => {
    const { person } = mira
    await person.message('Sorry.').click({ button: 'right' })
    await person.page.getByRole('menuitem', { name: 'Kick' }).waitFor()
    await person.page.getByRole('menuitem', { name: 'Ban' }).waitFor()
    await person.picture('timeout-message-menu')
    await person.page.getByRole('menuitem', { name: 'Time out' }).click()
    await person.button('Time out').click()
    await person.page.getByRole('dialog').waitFor({ state: 'detached' })
    await lena.person.page.getByText('You’re timed out.').last().waitFor()
    await person.message('Sorry.').click({ button: 'right' })
    await person.page.getByRole('menuitem', { name: 'Remove timeout' }).click()
    await person.button('Remove timeout').click()
    await lena.person.composer('general').waitFor()
    await lena.person.message('Sorry.').click({ button: 'right' })
    await lena.person.page.getByRole('menuitem', { name: 'Delete message' }).waitFor()
    assert.equal(await lena.person.page.getByRole('menuitem', { name: 'Ban' }).count(), 0)
    await lena.person.page.keyboard.press('Escape')
  })

  test('TIMEOUT-5: the composer is back when the timeout ends by itself', async () => {
    const until = new Date(Date.now() + 3000).toISOString()
    await mira.client.members.timeOut(spaceId, lena.id, { until })
    await lena.person.page.getByText('You’re timed out.').last().waitFor()
    await lena.person.composer('general').waitFor()
    assert.ok(Date.now() >= Date.parse(until))
    await lena.person.say('Back again.')
    await eventually(() => lena.person.outgoing(), 0)
    assert.deepEqual([mira.person.complaints, lena.person.complaints], [[], []])
  })
})
