import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('a reload during voice', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled
  let jonas: Settled

  before(async () => {
    stage = await Stage.openOwn({}, { microphone: true })
    ;[mira, jonas] = await Promise.all([settle(stage, 'mira'), settle(stage, 'jonas')])
    const { space } = await gather('Sunday hikers', [mira, jonas])
    for (const { person } of [mira, jonas]) {
      await person.page.goto(`/spaces/${space.id}`)
      await person.composer('general').waitFor()
    }
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const panel = () => jonas.person.page.getByRole('region', { name: 'Voice', exact: true })
  const inLounge = ({ person: { page } }: Settled) =>
    page.getByRole('navigation').getByRole('list', { name: 'In lounge' })

  test('WEB-19: rejoins the room, muted as before', async () => {
    await jonas.person.room('lounge').click()
    await panel().getByText('Voice connected').waitFor()
    await panel().getByRole('button', { name: 'Mute', exact: true }).click()
    await inLounge(mira).getByText('jonas, muted').waitFor()
    await jonas.person.page.reload()
    await panel().getByText('Voice connected').waitFor()
    await inLounge(mira).getByText('jonas, muted').waitFor()
    await panel().getByRole('button', { name: 'Unmute', exact: true }).click()
    await inLounge(mira).getByText('jonas, muted').waitFor({ state: 'detached' })
  })

  test('WEB-19: does not rejoin a room that the user left before', async () => {
    await panel().getByRole('button', { name: 'Leave voice' }).click()
    await inLounge(mira).waitFor({ state: 'detached' })
    await jonas.person.page.reload()
    await jonas.person.room('lounge').waitFor()
    assert.equal(await jonas.person.page.evaluate(() => sessionStorage.getItem('foyer.voice.left')), null)
    assert.equal(await panel().count(), 0)
  })
})
