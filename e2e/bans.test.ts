import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { openSpaceSettings } from './settings.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const SPACE = 'Sunday hikers'

/** Actions on the card and in the menu of a user who is neither a friend nor a member. */
const CARD = ['Message', 'Call', 'Add friend', 'Block', 'Report', 'View full profile', 'Close']
const MENU = ['View full profile', 'Message', 'Call', 'Add friend', 'Block', 'Report']

/** Lena posted spam and left the space. The tests run in order: each continues where the previous one ended. */
describe('BAN-1: a user who is not a member', { skip: noBrowser }, () => {
  let stage: Stage
  let lena: Settled
  let mira: Person
  let jonas: Person

  before(async () => {
    stage = await Stage.open()
    const host = await settle(stage, 'mira')
    const guest = await settle(stage, 'jonas')
    lena = await settle(stage, 'lena')
    const { space, general } = await gather(SPACE, [host, guest, lena])
    mira = host.person
    jonas = guest.person
    await lena.client.messages.create(general.id, { content: 'Buy cheap tents!' })
    await lena.client.members.leave(space.id)
    for (const { page } of [mira, jonas]) await page.goto(`/spaces/${space.id}`)
    for (const person of [mira, jonas]) await person.message('cheap tents').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  async function openCard({ page }: Person) {
    await page.getByRole('log').getByRole('button', { name: 'lena' }).last().click()
    const card = page.getByRole('dialog', { name: 'lena' })
    await card.getByText('No longer a member of Sunday hikers').waitFor()
    return card
  }

  /** Opens the menu once. "Ban" appears in it as soon as the client knows that she is not a member. */
  async function offers({ page }: Person, expected: string[]) {
    await page.getByRole('log').getByRole('button', { name: 'lena' }).last().click({ button: 'right' })
    await eventually(() => page.getByRole('menuitem').allInnerTexts(), expected)
  }

  async function close({ page }: Person) {
    await page.keyboard.press('Escape')
    await page.getByRole('menu').or(page.getByRole('dialog')).waitFor({ state: 'detached' })
  }

  test('cannot be banned by a user without the permission', async () => {
    const card = await openCard(jonas)
    await eventually(() => card.getByRole('button').allInnerTexts(), CARD)
    await close(jonas)
    await offers(jonas, MENU)
    await close(jonas)
  })

  test('is banned from their message, and their messages are deleted', async () => {
    await offers(mira, [...MENU, 'Ban'])
    await mira.picture('outsider-menu')
    await close(mira)
    const card = await openCard(mira)
    await mira.picture('outsider-card')
    await card.getByRole('button', { name: 'More options for lena' }).click()
    await mira.page.getByRole('menuitem', { name: 'Ban' }).click()
    await mira.page.getByText('They won’t be able to join Sunday hikers with any invite.').waitFor()
    await mira.field('Reason').fill('Tents')
    await mira.page.getByLabel('Delete message history').selectOption('Last hour')
    await mira.picture('outsider-ban')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.button('Ban').click()
    await mira.message('cheap tents').waitFor({ state: 'detached' })
  })

  test('BAN-4: stays banned when the reason is changed', async () => {
    const dialog = await openSpaceSettings(mira, SPACE, 'Bans')
    await dialog.getByText('Tents').waitFor()
    await mira.button('Edit ban reason for lena').click()
    await eventually(() => mira.field('Reason').inputValue(), 'Tents')
    await mira.field('Reason').fill('Advertising')
    await mira.picture('ban-reason')
    await mira.button('Save').click()
    await dialog.getByText('Advertising').waitFor()
    assert.equal(await dialog.getByText('Tents').count(), 0)
    assert.deepEqual(await namelessParts(mira.page), [])
  })

  test('is banned by username in any spelling', async () => {
    const dialog = mira.page.getByRole('dialog', { name: SPACE })
    const ban = async (username: string) => {
      await mira.field('Ban by username').fill(username)
      await mira.button('Ban…').click()
    }
    await ban('mira')
    await dialog.getByText('You can only ban members below your highest role.').waitFor()
    await ban('@lena')
    await dialog.getByText('lena is already banned.').waitFor()
    await mira.picture('ban-by-name')
    await mira.button('Unban lena').click()
    await mira.button('Unban').click()
    await dialog.getByText('No one is banned').waitFor()
    await ban('@Lena')
    await mira.page.getByText('They won’t be able to join Sunday hikers with any invite.').waitFor()
    await mira.button('Ban').click()
    await dialog.getByText('lena is banned.').waitFor()
    await mira.button('Unban lena').waitFor()
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})
