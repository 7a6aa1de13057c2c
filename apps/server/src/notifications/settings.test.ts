import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Ready } from '@foyer/protocol/events'
import { MUTED_FOR_EVER, type NotificationScope } from '@foyer/protocol/notifications'
import { Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect } from '#test/gateway-client.ts'
import { makeDirect, makeGroup } from '#test/scenes/conversations.ts'
import { createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { insertOverwrite } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

let server: TestServer
let ada: Person
let eve: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  space = await makeSpace(ada, [eve])
})
after(() => server.close())

const pathOf = (scope: string, id: string) => `/api/users/@me/notification-settings/${scope}/${id}`
const choose = (scope: NotificationScope, id: string) =>
  eve.client.notifications.updateSetting(scope, id, { level: 'all' })

async function chosen(person: Person): Promise<string[]> {
  const settings = await person.client.notifications.listSettings()
  return settings.map(({ scope, id }) => `${scope} ${id}`).toSorted()
}

test('NOTIFY-1: omitted fields stay, null clears, a past time mutes nothing, and two nulls are no setting', async () => {
  const { notifications } = eve.client
  const { id: direct } = await makeDirect(server, ada, eve)
  const category = space.rooms.find(({ type }) => type === 3)?.id ?? ''
  const places = [
    ['space', space.id],
    ['room', space.general],
    ['room', category],
    ['conversation', direct],
  ] as const
  for (const [scope, id] of places) {
    const change = (body: object) => eve.call('PUT', pathOf(scope, id), body)
    const answers = [
      [{ level: 'none' }, 'none', null],
      [{ muted_until: '2190-05-01T12:00:00Z' }, 'none', '2190-05-01T12:00:00.000Z'],
      [{ level: null }, null, '2190-05-01T12:00:00.000Z'],
      [{ muted_until: MUTED_FOR_EVER, level: 'mentions' }, 'mentions', MUTED_FOR_EVER],
      [{}, 'mentions', MUTED_FOR_EVER],
      [{ muted_until: '0000-01-01T00:00:00Z' }, 'mentions', null],
    ] as const
    for (const [body, level, muted_until] of answers) {
      const setting = { scope, id, level, muted_until }
      assert.deepEqual((await change(body)).body, setting)
      assert.deepEqual(await notifications.listSettings(), [setting])
    }
    assert.equal((await change({ level: null })).status, 200)
    assert.deepEqual(await notifications.listSettings(), [])
  }
})

test('NOTIFY-1: changes of two fields by two devices both count, and deletion restores the default', async () => {
  const { notifications } = eve.client
  await Promise.all([
    notifications.updateSetting('room', space.general, { level: 'all' }),
    notifications.updateSetting('room', space.general, { muted_until: MUTED_FOR_EVER }),
  ])
  const [setting] = await notifications.listSettings()
  assert.deepEqual([setting?.level, setting?.muted_until], ['all', MUTED_FOR_EVER])
  for (const _ of [1, 2]) await notifications.deleteSetting('room', space.general)
  assert.deepEqual(await notifications.listSettings(), [])
})

test('NOTIFY-1: an invalid setting is refused', async () => {
  const wrong = [
    { level: 'loud' },
    { level: 1 },
    { muted_until: 'tomorrow' },
    { muted_until: 1 },
    { muted_until: '2190-01-01' },
    null,
    [],
  ]
  for (const body of wrong)
    assert.equal((await eve.call('PUT', pathOf('space', space.id), body)).code, 'invalid_request')
  for (const path of [pathOf('user', eve.id), pathOf('space', 'x')])
    assert.equal((await eve.call('PUT', path, { level: 'all' })).status, 400)
})

test('NOTIFY-2: people set notifications for what they may see, and bots cannot', async () => {
  const kim = await createPerson(server, 'kim')
  const { id: direct } = await makeDirect(server, ada, eve)
  const { id: hidden } = await ada.client.rooms.create(space.id, { name: 'hidden', type: 1 })
  const overwrite = { room_id: hidden, target_id: space.id, target_type: 0, allow_flags: 0 }
  await insertOverwrite(server, space.id, { ...overwrite, deny_flags: Permission.ViewChannels })
  const refused: [Person, string, string, string][] = [
    [kim, 'space', space.id, 'not_a_member'],
    [kim, 'room', space.general, 'not_a_member'],
    [kim, 'conversation', direct, 'unknown_conversation'],
    [eve, 'room', hidden, 'missing_permission'],
    [eve, 'space', space.general, 'not_a_member'],
    [eve, 'room', space.id, 'unknown_room'],
    [eve, 'conversation', space.id, 'unknown_conversation'],
    [eve, 'room', newId(), 'unknown_room'],
  ]
  const bot = await createBot(server, 'robot')
  for (const [person, scope, id, code] of [
    ...refused,
    [bot, 'space', space.id, 'bots_not_allowed'] as const,
  ]) {
    assert.equal((await person.call('PUT', pathOf(scope, id), { level: 7 })).code, code)
    assert.equal((await person.call('DELETE', pathOf(scope, id))).code, code)
  }
  assert.equal((await bot.call('GET', '/api/users/@me/notification-settings')).code, 'bots_not_allowed')
})

test('NOTIFY-3: only the user’s own devices receive each change, and READY has all settings', async () => {
  const [phone, desk, other] = [
    await connect(server, eve),
    await connect(server, eve),
    await connect(server, ada),
  ]
  const setting = await eve.client.notifications.updateSetting('space', space.id, { level: 'all' })
  const ready: Ready = (await connect(server, eve)).heard('READY').map(({ text }) => JSON.parse(text).d)[0]
  assert.deepEqual(ready.notification_settings, [setting])
  await eve.client.notifications.deleteSetting('space', space.id)
  await eve.client.notifications.deleteSetting('space', space.id)
  await Promise.all([phone, desk, other].map((client) => client.settle()))
  for (const client of [phone, desk]) {
    const told = client.heard('NOTIFICATION_SETTING_UPDATE')
    assert.deepEqual(
      told.map(({ d }) => d),
      [setting, { ...setting, level: null }],
    )
    assert.ok(told.every(({ s }) => s !== undefined))
  }
  assert.deepEqual(other.heard('NOTIFICATION_SETTING_UPDATE'), [])
})

test('NOTIFY-4: settings end with the membership, the room, the space and the conversation', async () => {
  const ben = await createPerson(server, 'ben')
  const [tea, milk] = [await makeSpace(ada, [eve]), await makeSpace(ada, [eve])]
  const [{ id: group }, { id: ended }] = [
    await makeGroup(server, ada, [eve, ben]),
    await makeGroup(server, ada, [eve, ben]),
  ]
  for (const { id, general, lounge } of [tea, milk]) {
    await choose('space', id)
    await choose('room', general)
    await choose('room', lounge)
  }
  for (const id of [group, ended]) await choose('conversation', id)
  await ada.client.notifications.updateSetting('space', tea.id, { level: 'none' })
  const isLeft = (kept: string[]) => async () => (await chosen(eve)).join() === kept.toSorted().join()
  await ada.client.rooms.delete(tea.id, tea.lounge)
  const ofMilk = [`space ${milk.id}`, `room ${milk.general}`, `room ${milk.lounge}`]
  const ofGroups = [`conversation ${group}`, `conversation ${ended}`]
  await until(isLeft([`space ${tea.id}`, `room ${tea.general}`, ...ofMilk, ...ofGroups]), 'the room ended')
  await eve.client.members.leave(tea.id)
  assert.deepEqual(await chosen(eve), [...ofMilk, ...ofGroups].toSorted())
  assert.deepEqual(await chosen(ada), [`space ${tea.id}`])
  await ada.client.spaces.delete(milk.id)
  assert.deepEqual(await chosen(eve), ofGroups.toSorted())
  await eve.client.conversations.close(group)
  assert.deepEqual(await chosen(eve), [`conversation ${ended}`])
  await eve.client.conversations.close(ended)
  const left = await server.deps.database.query(sql`
    select from notification_settings where user_id = ${eve.id}`)
  assert.equal(left.length, 0)
})
