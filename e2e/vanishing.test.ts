import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { choose, holdUploads, stored, tray } from './attaching.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'
import { text } from './sample-files.ts'
import { gather, type Settled, settle, signIn } from './settled.ts'
import { Stage } from './stage.ts'

const DAY_MS = 86_400_000

/** The tests run in order: each continues where the previous one ended. */
describe('removed rooms and spaces', { skip: noBrowser }, () => {
  let stage: Stage
  let host: Settled
  let guest: Settled
  let mira: Person
  let jonas: Person
  let spaceId: string
  let generalId: string

  before(async () => {
    stage = await Stage.open()
    host = await settle(stage, 'mira')
    guest = await settle(stage, 'jonas')
    mira = host.person
    jonas = guest.person
    const { space, general } = await gather('Sunday hikers', [host, guest])
    spaceId = space.id
    generalId = general.id
    await host.client.buckets.createIncluded(spaceId)
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const choosing = (item: string) => () => mira.page.getByRole('menuitem', { name: item }).click()
  const path = (roomId: string) => `/spaces/${spaceId}/rooms/${roomId}`

  test('a room disappears while its settings are open, and while a file is uploading to it', async () => {
    const { id } = await host.client.rooms.create(spaceId, { name: 'trail', type: RoomType.Text })
    for (const { page } of [mira, jonas]) await page.goto(path(id))
    for (const person of [mira, jonas]) await person.composer('trail').waitFor()
    const release = await holdUploads(jonas)
    await choose(jonas, text('route.txt', 'up and down'))
    await eventually(() => tray(jonas).count(), 1)
    await jonas.composer('trail').fill('Here is the way')
    await jonas.composer('trail').press('Enter')
    await mira.button('Room settings').click()
    await mira.page.getByRole('dialog', { name: 'trail' }).waitFor()
    await host.client.rooms.delete(spaceId, id)
    for (const person of [mira, jonas]) await person.room('trail').waitFor({ state: 'detached' })
    await mira.page.getByRole('dialog').waitFor({ state: 'detached' })
    await release()
    for (const person of [mira, jonas]) {
      await person.picture(`room-gone-${person.name}`)
      await person.room('general').click()
      await person.say(`${person.name} is here`)
      await person.message(`${person.name} is here`).waitFor()
    }
    await eventually(() => mira.history(), ['mira is here', 'jonas is here'])
  })

  test('a user who may no longer write is told so, and finds the draft when they may again', async () => {
    await jonas.composer('general').pressSequentially('Half a sent')
    // The id of the @everyone role is the id of its space.
    const denied = { target_id: spaceId, target_type: 0, allow_flags: 0, deny_flags: Permission.SendMessages }
    await host.client.overwrites.upsert(spaceId, generalId, denied)
    await jonas.page.getByText('You don’t have permission to send messages in this room.').waitFor()
    await jonas.picture('composer-denied')
    await host.client.overwrites.delete(spaceId, generalId, spaceId)
    await eventually(() => jonas.composer('general').inputValue(), 'Half a sent')
    await jonas.composer('general').press('End')
    await jonas.page.keyboard.type('ence')
    await jonas.page.keyboard.press('Enter')
    await mira.message('Half a sentence').waitFor()
  })

  test('a draft in a hidden room is there when the room is back', async () => {
    await jonas.composer('general').fill('Not yet said')
    const hidden = { target_id: spaceId, target_type: 0, allow_flags: 0, deny_flags: Permission.ViewChannels }
    await host.client.overwrites.upsert(spaceId, generalId, hidden)
    await jonas.room('general').waitFor({ state: 'detached' })
    await jonas.page.reload()
    await jonas.room('lounge').waitFor()
    assert.equal(await jonas.room('general').count(), 0)
    await host.client.overwrites.delete(spaceId, generalId, spaceId)
    await jonas.room('general').click()
    await eventually(() => jonas.composer('general').inputValue(), 'Not yet said')
    await jonas.composer('general').fill('')
  })

  test('WEB-9, TROOM-11: drafts in a deleted room and its threads are not kept', async () => {
    const { id } = await host.client.rooms.create(spaceId, { name: 'ridge', type: RoomType.Text })
    await jonas.room('ridge').click()
    await jonas.composer('ridge').fill('Between us')
    const kept = async () => {
      const drafts = (await jonas.page.evaluate(() => localStorage.getItem('foyer.drafts'))) ?? ''
      return ['Between us', 'By the way'].filter((draft) => drafts.includes(draft))
    }
    await eventually(kept, ['Between us'])
    const thread = await host.client.api(ThreadRooms).create(id, { title: 'Way up' })
    await jonas.page.goto(`/spaces/${spaceId}/rooms/${thread.id}`)
    await jonas.field('Message Way up').fill('By the way')
    await eventually(kept, ['Between us', 'By the way'])
    await host.client.rooms.delete(spaceId, id)
    await eventually(kept, [])
    await jonas.room('general').click()
  })

  test('a dialog of a space closes with it', async () => {
    const dialog = mira.page.getByRole('dialog')
    const openers = [
      () => mira.button('Lost cause, space menu').click().then(choosing('Invite people')),
      () => mira.button('Lost cause, space menu').click().then(choosing('Create room')),
      () =>
        mira.page
          .getByRole('button', { name: /^Create a room in/ })
          .first()
          .click({ force: true }),
    ]
    for (const open of openers) {
      const { space } = await gather('Lost cause', [host])
      await mira.page.goto(`/spaces/${space.id}`)
      await mira.composer('general').waitFor()
      await open()
      await dialog.waitFor()
      await host.client.spaces.delete(space.id)
      await mira.page.getByText('This space doesn’t exist or you’re no longer a member.').waitFor()
      await eventually(() => dialog.count(), 0)
    }
    await mira.page.goto(path(generalId))
  })

  test('a dialog of a room closes with it, and does not reopen with it', async () => {
    const dialog = jonas.page.getByRole('dialog')
    const hidden = { target_id: spaceId, target_type: 0, allow_flags: 0, deny_flags: Permission.ViewChannels }
    await jonas.room('general').click({ button: 'right' })
    await jonas.page.getByRole('menuitem', { name: /^Notifications/ }).click()
    await dialog.waitFor()
    await host.client.overwrites.upsert(spaceId, generalId, hidden)
    await eventually(() => dialog.count(), 0)
    await host.client.overwrites.delete(spaceId, generalId, spaceId)
    await jonas.room('general').waitFor()
    assert.equal(await dialog.count(), 0)
  })

  test('a file chosen for a hidden room is there when the room is back', async () => {
    await choose(jonas, text('route.txt', 'up and down'))
    await eventually(() => stored(jonas), 1)
    const hidden = { target_id: spaceId, target_type: 0, allow_flags: 0, deny_flags: Permission.ViewChannels }
    await host.client.overwrites.upsert(spaceId, generalId, hidden)
    await jonas.room('general').waitFor({ state: 'detached' })
    await host.client.overwrites.delete(spaceId, generalId, spaceId)
    await jonas.room('general').click()
    await eventually(() => stored(jonas), 1)
    await jonas.composer('general').press('Enter')
    await mira.message('route.txt').waitFor()
  })

  for (const [words, days] of [
    ['fast', 1],
    ['slow', -1],
  ] as const)
    test(`a clock that is a day ${words} does not change what is shown`, async () => {
      const late = await stage.person(`jonas-${words}`)
      await late.page.addInitScript(moveClock, days * DAY_MS)
      await signIn(late, 'jonas')
      await late.page.goto(path(generalId))
      await late.composer('general').waitFor()
      const before = await mira.history()
      await eventually(() => late.history(), before)
      const dividers = () => late.page.locator('.day-divider').count()
      await late.say(`By a ${words} clock`)
      await mira.message(`By a ${words} clock`).waitFor()
      await mira.say(`After the ${words} one`)
      const all = [...before, `By a ${words} clock`, `After the ${words} one`]
      for (const person of [mira, late]) await eventually(() => person.history(), all)
      await eventually(dividers, await mira.page.locator('.day-divider').count())
      const isTyping = late.page.getByText('mira is typing…')
      const tell = () => host.client.messages.typing(generalId).then(() => isTyping.count())
      await eventually(tell, 1)
      await mira.say('Done')
      await isTyping.waitFor({ state: 'detached' })
      assert.deepEqual(late.complaints, [])
    })

  for (const what of ['setItem', 'getItem', 'localStorage'] as const)
    test(`messages can be sent where ${what} throws`, async () => {
      const odd = await stage.person(`odd-${what.toLowerCase()}`)
      await odd.page.addInitScript(breakStorage, what)
      await odd.page.goto('/')
      await odd.button('Create an account').or(odd.button('Create account')).first().waitFor()
      if ((await odd.field('Username').count()) === 0) await odd.button('Create an account').click()
      await odd.page.getByLabel('Password').fill(odd.password)
      await odd.field('Username').fill(`odd${what.toLowerCase()}`)
      await odd.field('Email').fill(`${odd.name}@example.org`)
      await odd.button('Create account').click()
      await odd.createSpace('Forgetful')
      await odd.say('Kept by the server')
      await odd.message('Kept by the server').waitFor()
      await eventually(() => odd.outgoing(), 0)
      await odd.room('lounge').waitFor()
      assert.deepEqual(odd.complaints, [])
    })

  test('the consoles have no errors', () => {
    for (const { complaints } of [mira, jonas])
      assert.deepEqual(
        complaints.filter((line) => !/status of 404/.test(line)),
        [],
      )
  })
})

function moveClock(by: number): void {
  const RealDate = Date
  const now = () => RealDate.now() + by
  window.Date = new Proxy(RealDate, {
    construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now()] : given),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  })
}

function breakStorage(what: 'setItem' | 'getItem' | 'localStorage'): void {
  const refuse = () => {
    throw new DOMException('The storage is not to be had', 'QuotaExceededError')
  }
  if (what === 'localStorage') Object.defineProperty(window, what, { configurable: true, get: refuse })
  else Storage.prototype[what] = refuse
}
