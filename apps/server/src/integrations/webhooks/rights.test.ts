import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Message } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import type { Webhook } from '@foyer/protocol/webhooks'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { giveRole } from '#test/scenes/roles.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { deliver } from '#test/scenes/webhooks.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let manager: Person
let space: TestSpace
let webhook: Webhook

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  manager = await createPerson(server, 'manager')
  space = await makeSpace(owner, [manager])
  await giveRole(owner, space.id, [manager], { permissions: Permission.ManageSpaceWebhooks })
  webhook = await owner.client.webhooks.create(space.general, { name: 'News' })
})
after(() => server.close())

const codesOf = (answers: readonly { status: number; code: string | null }[]) =>
  answers.map(({ status, code }) => code ?? status)

async function newest(): Promise<Message> {
  const [message] = await owner.client.messages.list(space.general, { limit: 1 })
  assert.ok(message !== undefined)
  return message
}

test('WEBHOOK-1: a member manages no webhooks in a room that denies them webhooks or sending; the owner and bots by their permissions', async () => {
  const { ManageSpaceWebhooks, SendMessages } = Permission
  const room = await owner.client.rooms.create(space.id, { name: 'announcements', type: RoomType.Text })
  const webhook = await owner.client.webhooks.create(room.id, { name: 'Owned' })
  const movable = await manager.client.webhooks.create(space.general, { name: 'Movable' })
  const bot = await createApplicationBot(server, owner, { name: 'Deployer', bot_public: true })
  await owner.client.members.addBot(space.id, bot.id)
  await giveRole(owner, space.id, [bot], { permissions: ManageSpaceWebhooks })
  const deny = (target: Person, deny_flags: number) =>
    owner.client.overwrites.upsert(space.id, room.id, {
      target_id: target.id,
      target_type: 1,
      allow_flags: 0,
      deny_flags,
    })
  const attempts = (by: Person) =>
    Promise.all([
      by.call('POST', `/api/rooms/${room.id}/webhooks`, { name: 'Mine' }),
      by.call('GET', `/api/rooms/${room.id}/webhooks`),
      by.call('GET', `/api/webhooks/${webhook.id}`),
      by.call('PATCH', `/api/webhooks/${webhook.id}`, { name: 'Mine' }),
      by.call('PATCH', `/api/webhooks/${movable.id}`, { room_id: room.id }),
    ])
  const moveBack = () => owner.client.webhooks.update(movable.id, { room_id: space.general })
  const listed = async (by: Person) => {
    const webhooks = await by.client.webhooks.listOfSpace(space.id)
    return webhooks.some(({ room_id }) => room_id === room.id)
  }
  for (const by of [manager, bot])
    for (const denied of [SendMessages, ManageSpaceWebhooks]) {
      await deny(by, denied)
      const refused = await attempts(by)
      assert.deepEqual(
        codesOf(refused),
        Array.from({ length: 5 }, () => 'missing_permission'),
      )
      assert.deepEqual(codesOf([await by.call('DELETE', `/api/webhooks/${webhook.id}`)]), [
        'missing_permission',
      ])
      assert.equal(await listed(by), false)
      await deny(by, 0)
      assert.deepEqual(codesOf(await attempts(by)), [200, 200, 200, 200, 200])
      assert.equal(await listed(by), true)
      await moveBack()
    }
  await deny(owner, SendMessages | ManageSpaceWebhooks)
  assert.deepEqual(codesOf(await attempts(owner)), [200, 200, 200, 200, 200])
  await owner.client.rooms.delete(space.id, room.id)
})

test('WEBHOOK-8: it mentions @everyone if its creator may do so at that moment', async () => {
  const maker = await createPerson(server, 'maker')
  await join(maker, owner, space)
  const { ManageMessages, ManageSpaceWebhooks } = Permission
  await giveRole(owner, space.id, [maker], { permissions: ManageSpaceWebhooks })
  const alarm = await maker.client.webhooks.create(space.general, { name: 'Alarm' })
  const mentionsAll = async () => {
    await deliver(server, alarm, { content: '@everyone' })
    const { content, mention_everyone } = await newest()
    assert.equal(content, '@everyone')
    return mention_everyone
  }
  assert.equal(await mentionsAll(), false)
  const role = await giveRole(owner, space.id, [maker], { permissions: ManageMessages })
  assert.equal(await mentionsAll(), true)
  const target = { target_id: maker.id, target_type: 1, allow_flags: 0 }
  await owner.client.overwrites.upsert(space.id, space.general, { ...target, deny_flags: ManageMessages })
  assert.equal(await mentionsAll(), false)
  await owner.client.overwrites.upsert(space.id, space.general, {
    ...target,
    deny_flags: Permission.ViewChannels,
  })
  assert.equal(await mentionsAll(), false)
  await owner.client.overwrites.delete(space.id, space.general, maker.id)
  assert.equal(await mentionsAll(), true)
  await maker.client.members.leave(space.id)
  assert.equal(await mentionsAll(), false)
  await owner.client.roles.delete(space.id, role.id)
})

test('WEBHOOK-15: a message under a member’s name is marked, however the name is written', async () => {
  const nick = await createPerson(server, 'nicholas')
  await join(nick, owner, space)
  await nick.client.members.updateMe(space.id, { nickname: 'Süper Nick' })
  await nick.client.users.updateMe({ alias: 'Saint Nicholas' })
  const spellings = [
    'owner',
    'OWNER',
    ' öwner ',
    'ow\u200bner',
    '\u043ewner',
    '0wner',
    'ｏｗｎｅｒ',
    'nicholas',
    'super  nick',
    'SAINT NICHOLAS',
  ]
  for (const username of spellings) {
    await deliver(server, webhook, { content: 'hi', username })
    const { author, webhook_id } = await newest()
    assert.deepEqual([author.username, webhook_id], [`${username.trim()} (webhook)`, webhook.id])
  }
  for (const username of ['owners', 'GitHub', 'nick', 'stranger']) {
    await deliver(server, webhook, { content: 'hi', username })
    assert.equal((await newest()).author.username, username)
  }
  const named = await owner.client.webhooks.create(space.general, { name: 'Owner' })
  await deliver(server, named, { content: 'hi' })
  assert.equal((await newest()).author.username, 'Owner (webhook)')
})
