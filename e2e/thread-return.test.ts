import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import type { OwnThread } from '@foyer/protocol/thread-rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { noBrowser } from './chromium-files.ts'
import type { Person } from './person.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('threads that the client does not know yet', { skip: noBrowser }, () => {
  let stage: Stage
  let host: Settled
  let guest: Settled
  let jonas: Person
  let space: string
  let plans: string
  let thread: OwnThread

  before(async () => {
    stage = await Stage.open()
    guest = await settle(stage, 'jonas')
    jonas = guest.person
    host = await settle(stage, 'mira')
    const made = await gather('Sunday hikers', [host, guest])
    space = made.space.id
    const room = await host.client.rooms.create(space, { name: 'plans', type: RoomType.Text })
    plans = room.id
    thread = await host.client.api(ThreadRooms).create(plans, { title: 'Tents', content: 'Two are enough.' })
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const pathOf = (id: string) => `/spaces/${space}/rooms/${id}`
  const rooms = () => jonas.page.getByRole('navigation', { name: 'Rooms' })
  const listed = (name: string) =>
    jonas.page.getByRole('list', { name: 'Threads' }).getByRole('link', { name, exact: true })

  test('the room of an open thread shows its new messages, and only the thread is the current page', async () => {
    await jonas.page.goto(pathOf(thread.id))
    await jonas.message('Two are enough.').waitFor()
    await listed('Tents').waitFor()
    await host.client.messages.create(plans, { content: `<@${guest.id}> Which day?` })
    await rooms().getByRole('link', { name: 'plans, 1 mention, unread', exact: true }).waitFor()
    await jonas.picture('thread-open-room-unread')
    const current = rooms().locator('[aria-current]')
    assert.deepEqual(await current.evaluateAll((links) => links.map((link) => link.textContent)), ['Tents'])
  })
})
