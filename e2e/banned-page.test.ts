import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Capability } from '@foyer/protocol/capabilities'
import { Appeals } from '@foyer/sdk/api/appeals'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { Keys } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { axeFindings, overflowingParts } from './screens/looks.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const SPACE = 'Sunday hikers'
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

/** Mira owns the space, Jonas may ban, Kim is banned. The tests run in order: each continues where the previous one ended. */
describe('a ban while the client is open', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled
  let jonas: Settled
  let kim: Settled
  let spaceId: string

  before(async () => {
    stage = await Stage.openOwn()
    mira = await settle(stage, 'mira')
    jonas = await settle(stage, 'jonas')
    kim = await settle(stage, 'kim')
    spaceId = (await gather(SPACE, [mira, jonas, kim])).space.id
    const role = { name: 'Moderators', capabilities: Capability.BanMembers }
    await mira.client.roles.assign(spaceId, jonas.id, (await mira.client.roles.create(spaceId, role)).id)
    await jonas.person.page.goto(`/spaces/${spaceId}`)
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  /** Looks at the page as it is, and on a phone. */
  async function look(name: string, person: Person): Promise<void> {
    const { page } = person
    assert.deepEqual(await namelessParts(page), [])
    await person.picture(`appeal-${name}`)
    assert.deepEqual(await axeFindings(page, 'main'), [])
    await page.setViewportSize(PHONE)
    await person.picture(`appeal-${name}-phone`)
    assert.deepEqual(await overflowingParts(page), [])
    await page.setViewportSize(DESKTOP)
  }

  test('APPEAL-7: a member who is banned is told on the page of the space, and asks there', async () => {
    const { person } = kim
    const keys = new Keys(person.page)
    await person.page.goto(`/spaces/${spaceId}`)
    await person.composer('general').waitFor()
    // Requests that are on their way would be refused.
    await person.page.waitForLoadState('networkidle')
    await mira.client.bans.create(spaceId, kim.id)
    const title = person.page.getByRole('heading', { name: `You were banned from ${SPACE}` })
    await title.waitFor()
    // A request may have been on its way when the ban came, which is another refusal.
    person.forgiveRefusals(403)
    await person.takeRefusals(404)
    await keys.isAt(person.page.getByRole('heading', { name: 'Ask to be let in again' }))
    await look('outside', person)
    await person.field('Your message to the moderators').fill('I did not mean it.')
    await person.button('Send request').click()
    await person.page.getByRole('heading', { name: 'You’ve asked to be let in again' }).waitFor()
    await person.page.reload()
    await person.page.getByRole('heading', { name: 'You were banned from this space' }).waitFor()
    await person.page.getByText('I did not mean it.').waitFor()
    assert.equal(await person.button('Send request').count(), 0)
  })

  test('REPORT-15: moderators see how many appeals are undecided, on every page of the space', async () => {
    const { page } = jonas.person
    const banner = page.getByRole('region', { name: 'Reports and appeals' })
    await banner.getByText('1 appeal is waiting.').waitFor()
    await look('banner', jonas.person)
    await jonas.person.button(`${SPACE}, space menu`).click()
    await page.getByRole('menuitem', { name: 'Space settings', exact: true }).waitFor()
    await eventually(() => page.locator('.space-undecided').allInnerTexts(), ['1'])
    await page.keyboard.press('Escape')
    await new Keys(page).use(banner.getByRole('button', { name: 'See appeals' }))
    await page.getByRole('region', { name: 'Appeals' }).getByText('I did not mean it.').waitFor()
    const marks = page.locator('.settings-mark')
    await eventually(() => marks.allInnerTexts(), ['1'])
    const [open] = await mira.client.api(Appeals).list(spaceId)
    const answer = 'Last chance.'
    await mira.client.api(Appeals).decide(spaceId, open?.id ?? '', { accepted: true, answer })
    await page.locator('.door-banner').waitFor({ state: 'detached' })
    await eventually(() => marks.count(), 0)
  })

  test('APPEAL-8: an accepted user finds the answer on the page of the space', async () => {
    const { person } = kim
    await person.page.getByRole('heading', { name: 'You can join again' }).waitFor()
    await person.page.reload()
    await person.page.getByText('Last chance.').waitFor()
    await look('outside-accepted', person)
  })
})
