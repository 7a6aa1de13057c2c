import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Capability } from '@foyer/protocol/capabilities'
import { MAX_PAGE } from '@foyer/protocol/limits'
import { Appeals } from '@foyer/sdk/api/appeals'
import type { Locator } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { Keys } from './keys.ts'
import { withoutEvent } from './missed-events.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { axeFindings, overflowingParts } from './screens/looks.ts'
import { openSpaceSettings } from './settings.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const SPACE = 'Sunday hikers'
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

/** Inserts one appeal more than a page has, each of an account of its own. */
const crowd = (spaceId: string, ownerId: string) => `
  with crowd as (
    insert into users (id, username)
    select gen_random_uuid(), 'crowd_' || place from generate_series(0, ${MAX_PAGE}) as place
    returning id
  ), banned as (
    insert into bans (space_id, user_id, banned_by) select '${spaceId}', id, '${ownerId}' from crowd
  )
  insert into appeals (space_id, id, user_id, text) select '${spaceId}', gen_random_uuid(), id, 'Sorry' from crowd`

/**
 * Mira owns the space, Jonas may ban. Odd, Lena, Kim and Tom are banned, and have an invite. The tests run in order: each
 * continues where the previous one ended.
 */
describe('appeals', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled
  let jonas: Settled
  let odd: Settled
  let lena: Settled
  let kim: Settled
  let tom: Settled
  let spaceId: string
  let invite: string

  before(async () => {
    stage = await Stage.openOwn()
    mira = await settle(stage, 'mira')
    jonas = await settle(stage, 'jonas')
    odd = await settle(stage, 'odd')
    lena = await settle(stage, 'lena')
    kim = await settle(stage, 'kim')
    tom = await settle(stage, 'tom')
    const { space, general } = await gather(SPACE, [mira, jonas, odd])
    spaceId = space.id
    const { id } = await mira.client.roles.create(spaceId, {
      name: 'Moderators',
      capabilities: Capability.BanMembers,
    })
    await mira.client.roles.assign(spaceId, jonas.id, id)
    invite = (await mira.client.invites.create(spaceId, general.id)).code
    await mira.client.bans.create(spaceId, odd.id, { reason: 'Sold boots every day' })
    for (const { id: bannedId } of [lena, kim, tom]) await mira.client.bans.create(spaceId, bannedId)
    await jonas.person.page.goto(`/spaces/${spaceId}`)
    await openSpaceSettings(jonas.person, SPACE, 'Bans')
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const isGone = (locator: Locator) => locator.waitFor({ state: 'detached' })
  const appeals = () => jonas.person.page.getByRole('region', { name: 'Appeals' })
  const entry = (name: string) => appeals().getByRole('listitem').filter({ hasText: name })
  const decision = (name: string) => jonas.person.page.getByRole('dialog', { name, exact: true })

  const joinButton = ({ person }: Settled) => person.button(`Join ${SPACE}`)

  /** Opens the invite and tries to join. A browser that knows of the ban offers the appeal at once. */
  async function comeBack(settled: Settled, isKnown = false): Promise<Locator> {
    const { person } = settled
    await person.page.goto(`/invite/${invite}`)
    if (!isKnown) await joinButton(settled).click()
    await person.page.getByText('You’re banned from this space.').waitFor()
    return person.page.getByRole('main')
  }

  async function write(
    { person }: Settled,
    text: string,
    then = 'You’ve asked to be let in again',
  ): Promise<void> {
    await person.field('Your message to the moderators').fill(text)
    await person.button('Send request').click()
    await person.page.getByRole('heading', { name: then }).waitFor()
  }

  /** Looks at the page as it is, in the dark, and on a phone. */
  async function look(name: string, person: Person, part: string): Promise<void> {
    const { page } = person
    assert.deepEqual(await namelessParts(page), [])
    await person.picture(`appeal-${name}`)
    assert.deepEqual(await axeFindings(page, part), [])
    await page.emulateMedia({ colorScheme: 'dark' })
    await person.picture(`appeal-${name}-dark`)
    assert.deepEqual(await axeFindings(page, part), [])
    await page.emulateMedia({ colorScheme: null })
    await page.setViewportSize(PHONE)
    await person.picture(`appeal-${name}-phone`)
    assert.deepEqual(await overflowingParts(page), [])
    await page.setViewportSize(DESKTOP)
  }

  test('APPEAL-1: a banned user asks by the keyboard, and the moderators see it at once, with the reason', async () => {
    const { person } = odd
    const keys = new Keys(person.page)
    const page = await comeBack(odd)
    await keys.isAt(page.getByRole('heading', { name: 'Ask to be let in again' }))
    await person.takeRefusals(403, 404)
    await keys.use(person.button('Send request'))
    await page.getByText('Write something first.').waitFor()
    await keys.isAt(person.field('Your message to the moderators'))
    await look('form', person, 'main')
    await person.field('Your message to the moderators').fill('x'.repeat(2001))
    await page.getByText('1 character over the limit').waitFor()
    await person
      .field('Your message to the moderators')
      .fill('I am sorry about the boots.\nIt was my brother.')
    await keys.use(person.button('Send request'))
    const sent = page.getByRole('heading', { name: 'You’ve asked to be let in again' })
    await keys.isAt(sent)
    await page.getByText(`The moderators of ${SPACE} will decide. You’ll see their decision here.`).waitFor()
    await page.getByText('It was my brother.').waitFor()
    await look('sent', person, 'main')
    assert.equal(await person.page.getByText('Sold boots every day').count(), 0)
    await entry('odd').getByText('It was my brother.').waitFor()
    await entry('odd').getByText('Reason for the ban: Sold boots every day').waitFor()
    await look('listed', jonas.person, '[role=dialog]')
  })

  test('APPEAL-2: the oldest is listed first, and a changed reason is shown', async () => {
    await comeBack(lena)
    await write(lena, 'Please let me in.')
    await entry('lena').getByText('No reason was given for the ban.').waitFor()
    const names = () => appeals().getByRole('listitem').locator('.settings-name').allInnerTexts()
    await eventually(names, ['odd', 'lena'])
    await mira.client.bans.create(spaceId, lena.id, { reason: 'Rude' })
    await entry('lena').getByText('Reason for the ban: Rude').waitFor()
    await lena.person.takeRefusals(403, 404)
  })

  test('APPEAL-3: a moderator refuses with an answer, which the user sees at once and later', async () => {
    const keys = new Keys(jonas.person.page)
    await keys.use(jonas.person.button('Refuse odd’s appeal'))
    const refusal = decision('Refuse odd’s appeal?')
    await refusal.getByText('The ban stays, and they can’t appeal against it again.').waitFor()
    await keys.isAt(refusal.getByRole('textbox', { name: 'Your answer' }))
    await jonas.person.page.keyboard.type('Not before spring.')
    await look('refusal', jonas.person, '[role=dialog]')
    // The settings below became narrow meanwhile.
    await keys.isAt(refusal.getByRole('textbox', { name: 'Your answer' }))
    await keys.use(refusal.getByRole('button', { name: 'Refuse' }))
    await appeals().getByText('You refused odd’s appeal.').waitFor()
    await isGone(entry('Sold boots'))
    await keys.isAt(appeals().getByRole('heading', { name: 'Appeals' }))
    const { page } = odd.person
    await page.getByRole('heading', { name: 'Your request was refused' }).waitFor()
    await page.getByText('Not before spring.').waitFor()
    await look('refused', odd.person, 'main')
    await comeBack(odd, true)
    await page.getByText('Not before spring.').waitFor()
    assert.equal(await odd.person.button('Send request').count(), 0)
    assert.equal(await joinButton(odd).count(), 0)
  })

  test('APPEAL-9: the user is told of the decision anywhere, and finds it in the settings', async () => {
    const { page } = odd.person
    await page.goto('/home')
    await odd.person.button(/^Account: odd/).waitFor()
    for (const change of ['delete', 'create'] as const) await mira.client.bans[change](spaceId, odd.id)
    const { id } = await odd.client.api(Appeals).create(spaceId, { text: 'And now?' })
    await mira.client.api(Appeals).decide(spaceId, id, { accepted: false, answer: 'In spring.' })
    await page.getByText('Your appeal was decided.').waitFor()
    await odd.person.button('View decision').click()
    const list = page
      .getByRole('dialog', { name: 'User settings' })
      .getByRole('list', { name: 'Your appeals' })
    await list.getByText(SPACE).waitFor()
    await list.getByText('Refused', { exact: true }).waitFor()
    await list.getByText('In spring.').waitFor()
    await look('own-list', odd.person, '[role=dialog]')
    await page.keyboard.press('Escape')
    await isGone(page.getByText('Your appeal was decided.'))
  })

  test('APPEAL-3: a moderator accepts, and the user joins', async () => {
    const { person } = lena
    await jonas.person.button('Let in again: lena').click()
    const acceptance = decision('Let lena in again?')
    await acceptance.getByRole('textbox', { name: 'Your answer' }).fill('Be nice to odd.')
    await look('acceptance', jonas.person, '[role=dialog]')
    await acceptance.getByRole('button', { name: 'Let in again' }).click()
    await appeals().getByText('lena can join again.').waitFor()
    await appeals().getByText('No appeals are waiting for a decision.').waitFor()
    await look('none-left', jonas.person, '[role=dialog]')
    await person.page.getByRole('heading', { name: 'You can join again' }).waitFor()
    await person.page.getByText('Be nice to odd.').waitFor()
    await isGone(person.page.getByText('You’re banned from this space.'))
    await look('accepted', person, 'main')
    await person.page.goto('/home')
    await person.page.goto(`/invite/${invite}`)
    await person.page.getByText('Be nice to odd.').waitFor()
    await person.button(`Join ${SPACE}`).click()
    await person.composer('general').waitFor()
  })

  test('APPEAL-3: of two moderators who decide at once, the later one is told', async () => {
    await comeBack(kim)
    await write(kim, `${'So sorry! '.repeat(150)}${'x'.repeat(300)}`)
    await jonas.person.button('Let in again: kim').click()
    const [open] = await mira.client.api(Appeals).list(spaceId)
    await mira.client.api(Appeals).decide(spaceId, open?.id ?? '', { accepted: false })
    await isGone(entry('So sorry!'))
    await decision('Let kim in again?').getByRole('button', { name: 'Let in again' }).click()
    await appeals().getByText('kim’s appeal has already been decided.').waitFor()
    await jonas.person.takeRefusals(409)
    await kim.person.page.getByRole('heading', { name: 'Your request was refused' }).waitFor()
    await look('long', kim.person, 'main')
    await kim.person.takeRefusals(403, 404)
  })

  test('APPEAL-4: an appeal made in another tab is shown, and so is the end of the ban', async () => {
    const { person } = tom
    const page = await comeBack(tom)
    await page.getByRole('heading', { name: 'Ask to be let in again' }).waitFor()
    await tom.client.api(Appeals).create(spaceId, { text: 'From my phone' })
    await entry('tom').getByText('From my phone').waitFor()
    await person.field('Your message to the moderators').fill('From here')
    await person.button('Send request').click()
    await page.getByText('From my phone').waitFor()
    await person.takeRefusals(403, 404, 409)
    await mira.client.bans.delete(spaceId, tom.id)
    await page.getByRole('heading', { name: 'You can join again' }).waitFor()
    await isGone(entry('tom'))
    await person.button(`Join ${SPACE}`).click()
    await person.composer('general').waitFor()
  })

  test('APPEAL-4: a user whose ban has ended meanwhile joins instead of asking', async () => {
    const { person } = kim
    for (const change of ['delete', 'create'] as const) await mira.client.bans[change](spaceId, kim.id)
    await comeBack(kim, true)
    await person.field('Your message to the moderators').fill('Kept')
    await person.takeRefusals(404)
    assert.equal(await joinButton(kim).count(), 0)
    await mira.client.bans.delete(spaceId, kim.id)
    await write(kim, 'Am I still banned?', 'You can join again')
    await person.takeRefusals(404)
    await person.button(`Join ${SPACE}`).click()
    await person.composer('general').waitFor()
  })

  test('APPEAL-4: the end of a ban is also found out by a page that missed the event', async () => {
    const { person } = odd
    const breakOff = await withoutEvent(person.page, 'APPEAL_UPDATE')
    const page = await comeBack(odd, true)
    await page.getByRole('heading', { name: 'Your request was refused' }).waitFor()
    await mira.client.bans.delete(spaceId, odd.id)
    await breakOff()
    await page.getByRole('heading', { name: 'You can join again' }).waitFor()
    await isGone(person.page.getByText('You’re banned from this space.'))
    await person.takeRefusals(404)
  })

  test('APPEAL-2: appeals come in pages', async () => {
    await stage.seed(crowd(spaceId, mira.id))
    await jonas.person.page.reload()
    await openSpaceSettings(jonas.person, SPACE, 'Bans')
    const items = appeals().getByRole('listitem')
    await eventually(() => items.count(), MAX_PAGE)
    await appeals().getByRole('button', { name: 'Show more' }).click()
    await eventually(() => items.count(), MAX_PAGE + 1)
    await isGone(appeals().getByRole('button', { name: 'Show more' }))
    await jonas.person.page.locator('.settings-mark').getByText('99+').waitFor()
    for (const { person } of [jonas, odd, lena, kim, tom]) assert.deepEqual(person.complaints, [])
  })
})
