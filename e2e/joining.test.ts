import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { closeSettings, openSpaceSettings } from './settings.ts'
import { settlePerson } from './settled.ts'
import { Stage } from './stage.ts'

const SPACE = 'Sunday hikers'

/** The tests run in order: each continues where the previous one ended. */
describe('new members of a space', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Person
  let kim: Person
  let invite: string

  before(async () => {
    stage = await Stage.open()
    mira = await stage.person('mira')
    jonas = await stage.speaker('jonas', 'de')
    kim = await stage.person('kim')
    for (const person of [mira, jonas, kim]) await settlePerson(person)
    await mira.page.goto('/home')
    await mira.createSpace(SPACE)
    invite = await mira.makeInvite()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const announced = (person: Person, text: string) =>
    person.page.getByRole('log').getByRole('listitem').filter({ hasText: text })

  test('SPACE-17: are announced in its first room, in the language of the viewer', async () => {
    await jonas.page.goto(invite)
    await jonas.button('Sunday hikers beitreten').click()
    await announced(mira, 'jonas joined the space.').waitFor()
    await announced(jonas, 'jonas ist dem Space beigetreten.').waitFor()
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.picture('joined')
  })

  test('SPACE-16: are no longer announced once the settings name no room', async () => {
    const settings = await openSpaceSettings(mira, SPACE, 'Overview')
    const field = settings.getByLabel('Announce new members in')
    assert.equal(await field.locator('option:checked').innerText(), 'general')
    await field.selectOption({ label: 'Don’t announce' })
    await mira.picture('settings-joining')
    await mira.button('Save changes').click()
    await mira.page.getByText('You have unsaved changes.').waitFor({ state: 'detached' })
    await closeSettings(mira, SPACE)
    await kim.page.goto(invite)
    await kim.button('Join Sunday hikers').click()
    await kim.composer('general').waitFor()
    await kim.say('Good morning!')
    await mira.message('Good morning!').waitFor()
    assert.equal(await announced(mira, 'joined the space.').count(), 1)
  })
})
