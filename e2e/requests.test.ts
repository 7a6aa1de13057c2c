import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { RequestLog } from './request-log.ts'
import { type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const CONNECTING = ['connect /gateway', 'send op 2', 'GET /api/announcements', 'GET /api/users/@me/threads']
/** Subscribes to members in view, or ends that subscription. */
const LISTENS = 'send op 14'
/** The first opening of a room. */
const ROOM = ['GET /api/rooms/:id/messages', 'GET /api/rooms/:id/threads']
const OPENING = [...ROOM, LISTENS, ...CONNECTING]
/** Ada owns the space, so she is told what waits for a decision. */
const WAITING = ['GET /api/spaces/:id/appeals', 'GET /api/spaces/:id/reports']

/** The tests run in order: each continues where the previous one ended. */
describe('requests of a page', { skip: noBrowser }, () => {
  let stage: Stage
  let ada: Settled
  let log: RequestLog
  let path: string
  let conversation: string
  before(async () => {
    stage = await Stage.open()
    ada = await settle(stage, 'ada')
    const bob = await settle(stage, 'bob')
    const { space, rooms } = await ada.client.spaces.create({ name: 'Hikers' })
    const spaceId = space.id
    const general = rooms.find(({ type }) => type === RoomType.Text)?.id ?? ''
    path = `/spaces/${spaceId}/rooms/${general}`
    const maps = await ada.client.rooms.create(spaceId, { name: 'maps', type: RoomType.Text })
    const { code } = await ada.client.invites.create(spaceId, general)
    await bob.client.invites.join(code)
    conversation = (await ada.client.conversations.create({ recipient_ids: [bob.id] })).id
    await ada.client.messages.create(general, { content: 'Who brings the map?' })
    await ada.client.messages.create(maps.id, { content: 'This one.' })
    await ada.client.messages.create({ conversation }, { content: 'Hello Bob.' })
    log = new RequestLog(ada.person.page)
  })
  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  test('opening a room requests its messages, and opens one connection for events', async () => {
    await ada.person.page.goto(path)
    await ada.person.message('Who brings the map?').waitFor()
    await said([...OPENING, ...WAITING])
  })

  test('returning to a room and pointing at messages request nothing', async () => {
    const { person } = ada
    await person.room('maps').click()
    await person.message('This one.').waitFor()
    await person.room('general').click()
    await person.pointAt(person.message('Who brings the map?'))
    await person.message('Who brings the map?').getByRole('button', { name: 'More', exact: true }).waitFor()
    await person.room('maps').click()
    await person.message('This one.').waitFor()
    // Requests of the steps so far would be in the log before those of the next one.
    await person.page.getByRole('link', { name: 'Home', exact: true }).first().click()
    await person.page.getByRole('link', { name: 'bob', exact: true }).click()
    await person.message('Hello Bob.').waitFor()
    await said([...ROOM, LISTENS, 'GET /api/conversations/:id/messages'])
  })

  test('opening the menu of the account requests how people sign in, the settings nothing, and a reload the same as at first', async () => {
    const { person } = ada
    await person.button(/^Account: /).click()
    await said(['GET /api/instance'])
    await person.button('User settings').click()
    await person.page.getByRole('dialog', { name: 'User settings' }).waitFor()
    assert.deepEqual(log.take(), [])
    await person.page.reload()
    await person.message('Hello Bob.').waitFor()
    await said(['GET /api/conversations/:id/messages', ...CONNECTING])
    assert.deepEqual(log.repeated, [], 'each file is asked for once')
  })

  test('an event arrives without a request, and the console has no errors', async () => {
    await ada.client.messages.create({ conversation }, { content: 'Until Sunday.' })
    await ada.person.message('Until Sunday.').waitFor()
    assert.deepEqual(log.take(), [])
    assert.deepEqual(ada.person.complaints, [])
  })

  async function said(expected: readonly string[]): Promise<void> {
    const heard: string[] = []
    const wanted = expected.toSorted()
    await eventually(() => {
      heard.push(...log.take())
      return heard.toSorted()
    }, wanted)
  }
})
