import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused } from './keys.ts'
import type { Person } from './person.ts'
import { type Sent, sentBy } from './sent-by.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** Nearly a thousand members, all in the member list, and almost the maximum number of rooms. */
describe('a large space', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let guest: Settled
  let general: string
  let quietRoom: string
  let sent: Sent

  before(async () => {
    stage = await Stage.openOwn()
    const host = await settle(stage, 'mira')
    guest = await settle(stage, 'jonas')
    const { space, general: first } = await gather('Festival', [host, guest])
    general = first.id
    const { parent_id } = first
    quietRoom = (await host.client.rooms.create(space.id, { name: 'backstage', type: 1, parent_id })).id
    await stage.seed(`
      insert into rooms (space_id, id, name, type, position, parent_id)
      select '${space.id}', gen_random_uuid(), 'stage ' || place, 1, place + 10, '${parent_id}'
      from generate_series(1, 480) as place`)
    await stage.seed(`
      with crowd as (
        insert into users (id, username)
        select gen_random_uuid(), 'crowd_' || lpad(place::text, 4, '0') from generate_series(1, 990) as place
        returning id, username
      ), joined as (
        insert into members (space_id, user_id, username_key) select '${space.id}', id, username from crowd
      )
      update spaces set member_count = member_count + 990 where id = '${space.id}'`)
    mira = host.person
    sent = sentBy(mira)
    await mira.page.goto(`/spaces/${space.id}`)
    await mira.composer('general').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const members = () => mira.page.getByRole('complementary', { name: 'Members' })
  const rows = () => members().getByRole('listitem').count()

  test('only members in view are rendered and requested', async () => {
    await members().getByText('Offline — 991').waitFor()
    await members().getByText('crowd_0001').waitFor()
    assert.ok((await rows()) < 100, `${await rows()} rows`)
    await members()
      .locator('.member-scroller')
      .evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight))
    await members().getByText('jonas').waitFor()
    assert.ok((await rows()) < 100, `${await rows()} rows`)
    const last = members().getByRole('listitem').last()
    assert.deepEqual(
      [await last.getAttribute('aria-posinset'), await last.getAttribute('aria-setsize')],
      ['991', '991'],
    )
    await mira.picture('member-list-crowd')
    assert.deepEqual(sent.subscriptions, [[[0, 99]], [[900, 999]]])
    assert.deepEqual(sent.requests, [], 'nobody asked for pages of members')
  })

  test('a member who is not in view is found while typing a mention', async () => {
    await mira.composer('general').pressSequentially('@crowd_05')
    await mira.page
      .getByRole('option', { name: 'crowd_0512' })
      .or(mira.page.getByRole('option').first())
      .first()
      .waitFor()
    await mira.composer('general').pressSequentially('12')
    await mira.page.getByRole('option', { name: 'crowd_0512' }).waitFor()
    await mira.page.keyboard.press('Enter')
    await mira.composer('general').press('Enter')
    await mira.message('@crowd_0512').getByRole('button', { name: '@crowd_0512' }).waitFor()
  })

  test('everyone who reacted is listed by name, in pages', async () => {
    const { id } = await guest.client.messages.create(general, { content: 'Who is here?' })
    await guest.client.reactions.add({ channel: general, id }, '🎪')
    await stage.seed(`
      insert into reactions (tenant_id, channel_id, message_id, emoji, user_id)
      select tenant_id, channel_id, message_id, emoji, users.id from reactions, users
      where message_id = '${id}' and username like 'crowd_0%'`)
    await stage.seed(`update reaction_counts set count = 991 where message_id = '${id}'`)
    await mira.page.reload()
    await mira.button('🎪, 991 reactions').click({ button: 'right' })
    const dialog = mira.page.getByRole('dialog', { name: 'Reactions' })
    const people = dialog.getByRole('listitem')
    for (const page of [1, 2, 3]) {
      await eventually(() => people.count(), page * 100)
      await dialog.getByRole('button', { name: `Show ${991 - page * 100} more` }).press('Enter')
    }
    await eventually(() => people.count(), 400)
    assert.equal(new Set(await people.allInnerTexts()).size, 400)
    await mira.page.keyboard.press('Tab')
    const place = await people
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map((each) => each === document.activeElement).indexOf(true))
    assert.equal(place, 300, 'one goes on among those who came last')
    await mira.picture('reactors-crowd')
    const asked: string[] = []
    mira.page.on('request', (request) => {
      if (request.method() === 'GET' && request.url().includes('/api/')) asked.push(request.url())
    })
    await people.nth(250).getByRole('button').press('Enter')
    await eventually(() => people.count(), 399)
    await eventually(() => isFocused(dialog.getByRole('list').nth(2)), true)
    assert.deepEqual(asked, [], 'the names that are there are kept')
    await mira.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  test('a category collapses except for unread rooms, and stays collapsed', async () => {
    const rooms = mira.page.getByRole('navigation', { name: 'Rooms' })
    const shown = () => rooms.getByRole('link').allInnerTexts()
    const toggle = rooms.getByRole('button', { name: 'Text rooms', exact: true })
    assert.equal(await rooms.getByRole('listitem').first().getAttribute('aria-setsize'), '482')
    assert.ok((await shown()).length < 120, `${(await shown()).length} rooms`)
    await toggle.focus()
    await mira.page.keyboard.press('ArrowLeft')
    await eventually(shown, ['general', 'lounge'])
    await guest.client.messages.create(quietRoom, { content: 'Over here!' })
    await eventually(shown, ['general', 'backstage', 'lounge'])
    await mira.page.reload()
    await eventually(shown, ['general', 'backstage', 'lounge'])
    await mira.picture('rooms-folded')
    await rooms.getByRole('link', { name: 'backstage, unread' }).click()
    await mira.message('Over here!').waitFor()
    await toggle.focus()
    await mira.page.keyboard.press('ArrowRight')
    await eventually(async () => (await shown()).length >= 50, true)
    await mira.page.keyboard.press('End')
    const focused = () => mira.page.evaluate(() => document.activeElement?.textContent.trim() ?? '')
    await eventually(focused, 'lounge')
    await mira.page.keyboard.press('Home')
    await eventually(focused, 'Text rooms')
    for (const place of [1, 2, 3]) await mira.page.keyboard.press(place < 3 ? 'ArrowDown' : 'ArrowUp')
    await eventually(focused, 'general')
    await rooms.evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await rooms.getByRole('link', { name: 'stage 480' }).waitFor()
    assert.ok((await shown()).length < 120, `${(await shown()).length} rooms`)
    assert.equal(await rooms.locator('a[tabindex="0"]').count(), 1, 'the Tab key stops at one room')
  })

  test('the list scrolls to the opened room', async () => {
    await mira.page.keyboard.press('Control+k')
    await mira.page.getByRole('combobox', { name: 'Go to' }).fill('stage 240')
    await mira.page.getByRole('option', { name: 'stage 240' }).waitFor()
    await mira.page.keyboard.press('Enter')
    await mira.composer('stage 240').waitFor()
    const link = mira.page.getByRole('navigation', { name: 'Rooms' }).getByRole('link', { name: 'stage 240' })
    await eventually(() => isInList(link), true)
  })

  test('a fully visible room does not scroll when it is clicked, even at the end of the view', async () => {
    const rooms = mira.page.getByRole('navigation', { name: 'Rooms' })
    const link = rooms.getByRole('link', { name: 'stage 242' })
    await link.evaluate((element) => element.scrollIntoView({ block: 'end' }))
    const scrolled = () => rooms.evaluate((list) => list.scrollTop)
    const before = await scrolled()
    await link.click()
    await mira.composer('stage 242').waitFor()
    assert.equal(await scrolled(), before)
  })
})

function isInList(link: Locator): Promise<boolean> {
  return link.evaluate((element) => {
    const [row, list] = [element.getBoundingClientRect(), element.closest('nav')?.getBoundingClientRect()]
    return list !== undefined && row.top >= list.top && row.bottom <= list.bottom
  })
}
