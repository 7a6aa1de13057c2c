import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused, Keys } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('ROOM-13: a private room', { skip: noBrowser }, () => {
  let stage: Stage
  let host: Settled
  let maker: Settled
  let jonas: Settled
  let lena: Settled
  let mira: Person
  let spaceId: string

  before(async () => {
    stage = await Stage.open()
    host = await settle(stage, 'host')
    maker = await settle(stage, 'mira')
    jonas = await settle(stage, 'jonas')
    lena = await settle(stage, 'lena')
    mira = maker.person
    const { space } = await gather('Sunday hikers', [host, maker, jonas, lena])
    spaceId = space.id
    const { id } = await host.client.roles.create(spaceId, { name: 'Guides', permissions: 16 })
    await host.client.roles.assign(spaceId, maker.id, id)
    for (const { person } of [maker, jonas, lena]) {
      await person.page.goto(`/spaces/${spaceId}`)
      await person.composer('general').waitFor()
    }
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const dialog = () => mira.page.getByRole('dialog', { name: 'Create a room' })
  const choice = (name: string) => dialog().getByRole('checkbox', { name })
  const rooms = ({ page }: Person): Locator => page.getByRole('navigation', { name: 'Rooms' })

  async function idOf(name: string): Promise<string> {
    const found = (await maker.client.rooms.list(spaceId)).find((room) => room.name === name)
    return found?.id ?? ''
  }

  async function overwritesOf(name: string) {
    const overwrites = await maker.client.overwrites.list(spaceId, await idOf(name))
    return overwrites.map(({ room_id: _, ...overwrite }) => overwrite)
  }

  async function open(name: string): Promise<void> {
    await rooms(mira).getByRole('button', { name: 'Create a room in Text rooms' }).click()
    await mira.field('Name').fill(name)
  }

  test('is created with the keyboard for the chosen people, and nobody else learns of it', async () => {
    await open('surprise')
    const keys = new Keys(mira.page)
    await keys.goTo(dialog().getByRole('switch', { name: 'Private' }))
    await keys.press('Space')
    await choice('lena').waitFor()
    assert.equal(await choice('mira').count(), 0)
    await keys.goTo(dialog().getByRole('searchbox', { name: 'Find a role or member' }))
    await keys.press('j', 'Enter')
    await eventually(() => choice('lena').count(), 0)
    await keys.isAt(choice('jonas'))
    await keys.press('Space')
    await dialog().getByRole('button', { name: 'Remove jonas' }).waitFor()
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.picture('create-private-room')
    await keys.use(mira.button('Create room'))
    await mira.composer('surprise').waitFor()
    await rooms(jonas.person).getByText('surprise').waitFor()
    await rooms(mira).getByText('surprise').waitFor()
    await mira.page.locator('.list-top-icon .lucide-lock').waitFor()
    const later = await host.client.rooms.create(spaceId, { name: 'later', type: 1 })
    await lena.person.room('later').waitFor()
    assert.equal(await rooms(lena.person).getByText('surprise').count(), 0)
    await host.client.rooms.delete(spaceId, later.id)
  })

  test('has its lock in the switcher and when forwarding', async () => {
    const keys = new Keys(mira.page)
    await keys.press('Control+k')
    const places = mira.page.getByRole('dialog', { name: 'Go to' })
    await keys.isAt(places.getByRole('combobox'))
    await mira.page.keyboard.type('#')
    await places.getByRole('option', { name: 'private surprise' }).locator('.lucide-lock').waitFor()
    await places.getByRole('option', { name: 'general' }).locator('.lucide-hash').waitFor()
    await keys.press('Escape')
    await mira.composer('surprise').fill('A cake for lena')
    await mira.composer('surprise').press('Enter')
    await mira.message('A cake').waitFor()
    await eventually(() => mira.outgoing(), 0)
    await mira.message('A cake').focus()
    await mira.message('A cake').getByRole('button', { name: 'More', exact: true }).waitFor()
    await keys.press('f')
    const targets = mira.page.getByRole('dialog', { name: 'Forward to' })
    await targets.getByRole('checkbox', { name: 'private surprise' }).waitFor()
    assert.equal(await targets.locator('.lucide-lock').count(), 1)
    await mira.picture('private-targets')
    await keys.press('Escape')
    await targets.waitFor({ state: 'detached' })
  })

  test('is created for a role and without a deselected person, on a phone', async () => {
    await mira.page.setViewportSize({ width: 320, height: 640 })
    await mira.button('Open spaces and rooms').click()
    await open('guides only')
    await dialog().getByRole('switch', { name: 'Private' }).click()
    await choice('Guides').check({ force: true })
    await choice('lena').check({ force: true })
    await mira.picture('create-private-room-phone')
    assert.ok((await mira.page.evaluate(() => document.documentElement.scrollWidth)) <= 320)
    await dialog().getByRole('button', { name: 'Remove lena' }).click()
    assert.ok(await isFocused(dialog().getByRole('searchbox')))
    assert.equal(await choice('lena').isChecked(), false)
    await mira.button('Create room').click()
    await mira.composer('guides only').waitFor()
    assert.equal((await overwritesOf('guides only')).length, 3)
    assert.equal(await rooms(lena.person).getByText('guides only').count(), 0)
  })

  test('LIST-14: has only its viewers beside it, and requests nothing again for the same viewers', async () => {
    await mira.page.setViewportSize({ width: 1600, height: 900 })
    const plain = { name: 'annex', type: 1, overwrites: await overwritesOf('surprise') }
    await maker.client.rooms.create(spaceId, plain)
    const headings = () =>
      mira.page.getByRole('complementary', { name: 'Members' }).getByRole('heading').allInnerTexts()
    const asked: string[] = []
    mira.page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => {
        const { op, d } = JSON.parse(String(payload))
        if (op === 14) asked.push(d.room_id === null ? 'all' : 'room')
      }),
    )
    await mira.page.reload()
    await mira.room('general').click()
    await mira.composer('general').waitFor()
    await eventually(headings, ['3 online, 4 members', 'Online — 3', 'Offline — 1'])
    await mira.room('surprise').click()
    await eventually(headings, ['2 online, 3 members', 'Online — 2', 'Offline — 1'])
    await mira.picture('private-room-members')
    const before = asked.length
    await mira.room('annex').click()
    await mira.composer('annex').waitFor()
    assert.deepEqual(await headings(), ['2 online, 3 members', 'Online — 2', 'Offline — 1'])
    await host.client.overwrites.upsert(spaceId, await idOf('annex'), {
      target_id: lena.id,
      target_type: 1,
      allow_flags: 2,
      deny_flags: 0,
    })
    await eventually(headings, ['3 online, 4 members', 'Online — 3', 'Offline — 1'])
    await mira.room('surprise').click()
    await eventually(headings, ['2 online, 3 members', 'Online — 2', 'Offline — 1'])
    assert.equal(asked[before - 1], 'room')
    assert.ok(asked.length - before <= 2, asked.join())
    await host.client.rooms.delete(spaceId, await idOf('annex'))
  })

  test('is not created while it names a user who has left, and is once they are removed', async () => {
    await mira.page.setViewportSize({ width: 1280, height: 800 })
    await open('late')
    await dialog().getByRole('switch', { name: 'Private' }).click()
    await choice('lena').check({ force: true })
    await choice('jonas').check({ force: true })
    await host.client.members.kick(spaceId, lena.id)
    await mira.button('Create room').click()
    await dialog().getByRole('alert').filter({ hasText: 'A member you chose has left the space.' }).waitFor()
    await mira.takeRefusals(404)
    await dialog().getByRole('button', { name: 'Remove lena' }).click()
    await mira.button('Create room').click()
    await mira.composer('late').waitFor()
    await rooms(jonas.person).getByText('late').waitFor()
    assert.deepEqual(mira.complaints, [])
  })
})
