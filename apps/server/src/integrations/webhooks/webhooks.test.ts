import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { MAX_WEBHOOKS } from '@foyer/protocol/limits'
import { Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import type { Webhook } from '@foyer/protocol/webhooks'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { png } from '#test/scenes/pictures.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { deliver } from '#test/scenes/webhooks.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let manager: Person
let member: Person
let outsider: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  manager = await createPerson(server, 'manager')
  member = await createPerson(server, 'member')
  outsider = await createPerson(server, 'outsider')
  space = await makeSpace(owner, [manager, member])
  const role = await owner.client.roles.create(space.id, {
    name: 'hooks',
    permissions: Permission.ManageSpaceWebhooks,
  })
  await owner.client.roles.assign(space.id, manager.id, role.id)
})
after(() => server.close())

const codesOf = (answers: readonly { status: number; code: string | null }[]) =>
  answers.map(({ status, code }) => code ?? status)

/** Makes a room that the manager may not view. */
async function makeHiddenRoom(): Promise<string> {
  const room = await owner.client.rooms.create(space.id, { name: 'hidden', type: RoomType.Text })
  await owner.client.overwrites.upsert(space.id, room.id, {
    target_id: space.id,
    target_type: 0,
    allow_flags: 0,
    deny_flags: Permission.ViewChannels,
  })
  return room.id
}

test('WEBHOOK-1: members with ManageSpaceWebhooks create, list, change and delete them, and the address works', async () => {
  const { client } = manager
  const webhook = await client.webhooks.create(space.general, { name: '  News  ' })
  assert.deepEqual(
    { ...webhook, id: '', token: '', url: '', created_at: '' },
    {
      id: '',
      space_id: space.id,
      room_id: space.general,
      name: 'News',
      avatar: null,
      creator_id: manager.id,
      url: '',
      token: '',
      has_secret: false,
      created_at: '',
    },
  )
  assert.equal(webhook.url, `${server.url}/api/webhooks/${webhook.id}/${webhook.token}`)
  assert.deepEqual(await client.webhooks.get(webhook.id), webhook)
  assert.deepEqual(await client.webhooks.listOfRoom(space.general), [webhook])
  assert.deepEqual(await client.webhooks.listOfSpace(space.id), [webhook])
  assert.deepEqual(await client.webhooks.listOfRoom(space.lounge), [])

  const painted = await client.webhooks.update(webhook.id, { name: 'Old news', avatar: await png() })
  assert.equal(painted.name, 'Old news')
  const picture = await server.fetch(`/attachments/${painted.avatar}?stream=1`)
  assert.equal(picture.headers.get('content-type'), 'image/png')
  await picture.body?.cancel()
  const { status } = await manager.call('PUT', `/api/webhooks/${webhook.id}`, { avatar: null })
  assert.equal(status, 200)
  assert.equal((await client.webhooks.get(webhook.id)).avatar, null)

  await client.webhooks.delete(webhook.id)
  assert.deepEqual(codesOf([await manager.call('GET', `/api/webhooks/${webhook.id}`)]), ['unknown_webhook'])
  assert.deepEqual(codesOf([await deliver(server, webhook, { content: 'late' })]), ['unknown_webhook'])
})

test('WEBHOOK-1: everyone else gets 403, whatever they send, and so do managers in hidden rooms', async () => {
  const webhook = await owner.client.webhooks.create(space.general, { name: 'Guarded' })
  const hiddenRoom = await makeHiddenRoom()
  const hidden = await owner.client.webhooks.create(hiddenRoom, { name: 'Hidden' })
  const callsOf = (who: Person, id: string, roomId: string) =>
    Promise.all([
      who.call('POST', `/api/rooms/${roomId}/webhooks`, '{"name": 7'),
      who.call('GET', `/api/rooms/${roomId}/webhooks`),
      who.call('GET', `/api/webhooks/${id}`),
      who.call('PATCH', `/api/webhooks/${id}`, '{"name": 7'),
      who.call('DELETE', `/api/webhooks/${id}`),
    ])
  const refused = (code: string) => Array.from({ length: 5 }, () => code)
  assert.deepEqual(codesOf(await callsOf(member, webhook.id, space.general)), refused('missing_permission'))
  assert.deepEqual(codesOf(await callsOf(outsider, webhook.id, space.general)), refused('not_a_member'))
  assert.deepEqual(codesOf(await callsOf(manager, hidden.id, hiddenRoom)), refused('missing_permission'))
  assert.deepEqual(codesOf([await member.call('GET', `/api/spaces/${space.id}/webhooks`)]), [
    'missing_permission',
  ])
  const ids = (await manager.client.webhooks.listOfSpace(space.id)).map(({ id }) => id)
  assert.deepEqual([ids.includes(webhook.id), ids.includes(hidden.id)], [true, false])
  const unknown = await Promise.all(
    ['GET', 'PATCH', 'DELETE'].map((method) => owner.call(method, `/api/webhooks/${newId()}`)),
  )
  assert.deepEqual(codesOf(unknown), ['unknown_webhook', 'unknown_webhook', 'unknown_webhook'])
  for (const id of [webhook.id, hidden.id]) await owner.client.webhooks.delete(id)
})

test('WEBHOOK-1: the permission is checked again when the change is made', async () => {
  const former = await createPerson(server, 'former')
  await join(former, owner, space)
  const role = await owner.client.roles.create(space.id, {
    name: 'short',
    permissions: Permission.ManageSpaceWebhooks,
  })
  await owner.client.roles.assign(space.id, former.id, role.id)
  const lock = await holdLock(server, sql`select id from spaces where id = ${space.id} for update`)
  const losing = owner.client.roles.remove(space.id, former.id, role.id)
  await lock.waitForBlocked(1)
  const made = former.call('POST', `/api/rooms/${space.general}/webhooks`, { name: 'Late' })
  await lock.waitForBlocked(2)
  await lock.release()
  await losing
  assert.deepEqual(codesOf([await made]), ['missing_permission'])
})

test('WEBHOOK-2: a room has at most 15, however many are created at once; a category has none', async () => {
  const room = await owner.client.rooms.create(space.id, { name: 'busy', type: RoomType.Voice })
  const path = `/api/rooms/${room.id}/webhooks`
  for (let made = 0; made < MAX_WEBHOOKS - 1; made += 1) await owner.call('POST', path, { name: `${made}` })
  const lock = await holdLock(server, sql`select id from spaces where id = ${space.id} for update`)
  const last = [1, 2, 3].map(() => owner.call('POST', path, { name: 'last' }))
  await lock.waitForBlocked(3)
  await lock.release()
  assert.deepEqual(codesOf(await Promise.all(last)).toSorted(), [
    200,
    'too_many_webhooks',
    'too_many_webhooks',
  ])
  const other = await owner.client.webhooks.create(space.general, { name: 'mover' })
  const moved = await owner.call('PATCH', `/api/webhooks/${other.id}`, { room_id: room.id })
  assert.deepEqual(codesOf([moved]), ['too_many_webhooks'])
  const category = space.rooms.find(({ type }) => type === RoomType.Category)?.id
  const inCategory = [
    await owner.call('POST', `/api/rooms/${category}/webhooks`, { name: 'none' }),
    await owner.call('PATCH', `/api/webhooks/${other.id}`, { room_id: category }),
  ]
  assert.deepEqual(codesOf(inCategory), ['not_a_message_room', 'not_a_message_room'])
  await owner.client.webhooks.delete(other.id)
})

test('WEBHOOK-2: it can be moved within its space only', async () => {
  const elsewhere = await makeSpace(owner)
  const webhook = await owner.client.webhooks.create(space.general, { name: 'Mover' })
  const path = `/api/webhooks/${webhook.id}`
  const refused = [elsewhere.general, newId(), 'no id', null, 7].map((room_id) =>
    owner.call('PATCH', path, { room_id }),
  )
  assert.deepEqual(codesOf(await Promise.all(refused)), [
    'unknown_room',
    'unknown_room',
    ...Array.from({ length: 3 }, () => 'invalid_request'),
  ])
  assert.equal(
    (await owner.client.webhooks.update(webhook.id, { room_id: space.lounge })).room_id,
    space.lounge,
  )
  await deliver(server, webhook, { content: 'hello from there' })
  const [message] = await owner.client.messages.list(space.lounge)
  assert.equal(message?.content, 'hello from there')
  await owner.client.webhooks.delete(webhook.id)
})

test('WEBHOOK-3: it is deleted with its room, and keeps working after its creator has left', async () => {
  const maker = await createPerson(server, 'maker')
  await join(maker, owner, space)
  const role = await owner.client.roles.create(space.id, {
    name: 'maker',
    permissions: Permission.ManageSpaceWebhooks,
  })
  await owner.client.roles.assign(space.id, maker.id, role.id)
  const room = await owner.client.rooms.create(space.id, { name: 'short-lived', type: RoomType.Text })
  const webhook = await maker.client.webhooks.create(room.id, { name: 'Left behind' })
  await maker.client.members.leave(space.id)
  assert.equal((await deliver(server, webhook, { content: 'still here' })).status, 204)
  await owner.client.rooms.delete(space.id, room.id)
  assert.deepEqual(codesOf([await deliver(server, webhook, { content: 'gone' })]), ['unknown_webhook'])
  assert.deepEqual(codesOf([await owner.call('GET', `/api/webhooks/${webhook.id}`)]), ['unknown_webhook'])
  const brief = await makeSpace(owner)
  const orphan = await owner.client.webhooks.create(brief.general, { name: 'Orphan' })
  await owner.client.spaces.delete(brief.id)
  assert.deepEqual(codesOf([await deliver(server, orphan, { content: 'gone' })]), ['unknown_webhook'])
})

test('WEBHOOK-4: members who may manage them receive changes, with nothing but the room', async () => {
  const own = await makeSpace(owner)
  const told = async () => {
    const journal = await listJournal(server, topicOf.space(own.id))
    return journal.filter(({ name }) => name === 'SPACE_WEBHOOKS_UPDATE')
  }
  const webhook = await owner.client.webhooks.create(own.general, { name: 'Told' })
  await owner.call('PATCH', `/api/webhooks/${webhook.id}`, { name: '' })
  await owner.client.webhooks.update(webhook.id, { room_id: own.lounge })
  await owner.client.webhooks.delete(webhook.id)
  const entry = (roomId: string) => ({
    name: 'SPACE_WEBHOOKS_UPDATE',
    audience: Permission.ManageSpaceWebhooks,
    data: { space_id: own.id, room_id: roomId },
  })
  assert.deepEqual(await told(), [own.general, own.lounge, own.general, own.lounge].map(entry))
})

test('WEBHOOK-5: the token is only in the answers, and no other is accepted', async () => {
  const webhook = await owner.client.webhooks.create(space.general, { name: 'Secret' })
  const { token } = webhook
  assert.ok(token !== null)
  await deliver(server, webhook, { content: 'by token' })
  for (const table of ['webhooks', 'events', 'messages', 'graphile_worker._private_jobs']) {
    const rows = await server.deps.database.query({
      name: `dump ${table}`,
      text: `select row_to_json(dumped)::text as row from ${table} as dumped`,
      values: [],
    })
    assert.equal(rows.filter(({ row }) => String(row).includes(token)).length, 0, table)
  }
  const other = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
  const wrong: Webhook[] = [
    ...[other, '', `${token}x`, token.toUpperCase(), 'null'].map((text) => ({ ...webhook, token: text })),
    { ...webhook, id: newId() },
  ]
  for (const one of wrong.filter((one) => one.token !== '')) {
    const answer = await deliver(server, one, '{"content": 7')
    assert.deepEqual([answer.status, answer.code], [404, 'unknown_webhook'])
  }
  await owner.client.webhooks.delete(webhook.id)
})

test('WEBHOOK-5: a token sealed under another key is lost, and its webhook can be deleted', async () => {
  const webhook = await owner.client.webhooks.create(space.general, { name: 'Lost' })
  await server.deps.database.execute(sql`
    update webhooks set token = ${server.deps.sealer.seal(webhook.token ?? '', 'another')} where id = ${webhook.id}`)
  const { token, url } = await owner.client.webhooks.get(webhook.id)
  assert.deepEqual([token, url], [null, null])
  assert.equal((await deliver(server, webhook, { content: 'x' })).code, 'unknown_webhook')
  await owner.client.webhooks.delete(webhook.id)
})
