import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import type { MessageAddress } from '@foyer/sdk/api/reactions'
import { newId } from '#src/kernel/ids.ts'
import { type Topic, topicOf } from '#src/kernel/journal/bus.ts'
import { codeOf } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { png } from '#test/scenes/pictures.ts'
import { giveRole } from '#test/scenes/roles.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { addStorage } from '#test/storages.ts'

let server: TestServer
let owner: Person
let mod: Person
let ada: Person
let eve: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  mod = await createPerson(server, 'mod')
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
})
after(() => server.close())
beforeEach(async () => {
  space = await makeSpace(owner, [mod, ada, eve])
  await giveRole(owner, space.id, [mod], { permissions: Permission.ManageMessages })
})

async function sayWith(
  channel: MessageAddress['channel'],
  emojis: readonly string[],
): Promise<MessageAddress> {
  const { id } = await ada.client.messages.create(channel, { content: 'tea?' })
  const message = { channel, id }
  for (const emoji of emojis)
    for (const person of [ada, eve]) await person.client.reactions.add(message, emoji)
  return message
}

async function countsOf({ channel, id }: MessageAddress): Promise<string> {
  const { reactions } = await ada.client.messages.get(channel, id)
  return reactions.map(({ emoji, count, me }) => `${emoji}${count}${me ? '!' : ''}`).join(' ')
}

async function published(topic: Topic = topicOf.room(space.id, space.general)): Promise<[string, unknown][]> {
  const journal = await listJournal(server, topic)
  return journal
    .filter(({ name }) => /REACTION_(REMOVE|CLEAR)/.test(name))
    .map(({ name, data }) => [name, data])
}

const removeOf = (person: Person, message: MessageAddress, emoji: string, userId: string) =>
  codeOf(
    person.call('DELETE', `/api/rooms/${space.general}/messages/${message.id}/reactions/${emoji}/${userId}`),
  )
const clear = (person: Person, message: MessageAddress) =>
  codeOf(person.call('DELETE', `/api/rooms/${space.general}/messages/${message.id}/reactions`))

test('REACTION-6: members with ManageMessages remove others’ reactions one by one, and the rest only their own', async () => {
  const message = await sayWith(space.general, ['🍵', '🎉'])
  assert.equal(await removeOf(eve, message, '🍵', ada.id), '403 missing_permission')
  assert.equal(await removeOf(eve, message, '🍵', newId()), '403 missing_permission')
  assert.equal(await countsOf(message), '🍵2! 🎉2!')
  assert.equal(await removeOf(mod, message, '🍵', ada.id), 204)
  assert.equal(await removeOf(mod, message, '🍵', ada.id), 204)
  assert.equal(await removeOf(mod, message, '🍵', newId()), 204)
  assert.equal(await removeOf(owner, message, '🎉', ada.id), 204)
  assert.equal(await removeOf(eve, message, '🍵', eve.id), 204)
  assert.equal(await removeOf(mod, message, 'x', ada.id), '400 invalid_emoji')
  assert.equal(await removeOf(mod, message, '🍵', 'me'), '400 invalid_request')
  assert.equal(await countsOf(message), '🎉1')
  const gone = (await published()).map(([name, data]) => [name, Object(data).user_id, Object(data).count])
  assert.deepEqual(gone, [
    ['MESSAGE_REACTION_REMOVE', ada.id, 1],
    ['MESSAGE_REACTION_REMOVE', ada.id, 1],
    ['MESSAGE_REACTION_REMOVE', eve.id, 0],
  ])
})

test('REACTION-6: members with ManageMessages remove all reactions, which is published once', async () => {
  const message = await sayWith(space.general, ['🍵', '🎉'])
  const other = await sayWith(space.general, ['🍵'])
  for (const person of [ada, eve]) assert.equal(await clear(person, message), '403 missing_permission')
  assert.equal(await countsOf(message), '🍵2! 🎉2!')
  assert.equal(await clear(mod, message), 204)
  assert.equal(await clear(owner, message), 204)
  assert.deepEqual([await countsOf(message), await countsOf(other)], ['', '🍵2!'])
  const place = { seq: 1, room_id: space.general, conversation_id: null, space_id: space.id }
  const cleared = { message_id: message.id, ...place, emoji: null }
  assert.deepEqual(await published(), [['MESSAGE_REACTION_CLEAR', cleared]])
  await eve.client.reactions.add(message, '🎉')
  assert.equal(await countsOf(message), '🎉1')
})

test('REACTION-7: users who reacted with an emoji are listed by id, in pages', async () => {
  const message = await sayWith(space.general, ['🍵', '🎉'])
  for (const person of [owner, mod]) await person.client.reactions.add(message, '🍵')
  const list = async (query: { after?: string; limit?: number } = {}) => {
    const users = await eve.client.reactions.list(message, '🍵', query)
    return users.map(({ id }) => id)
  }
  const ids = [owner, mod, ada, eve].map(({ id }) => id).toSorted()
  const [, second = '', , last = ''] = ids
  assert.deepEqual(await list(), ids)
  assert.deepEqual(await list({ limit: 3 }), ids.slice(0, 3))
  assert.deepEqual(await list({ limit: 1, after: second }), ids.slice(2, 3))
  assert.deepEqual(await list({ after: last }), [])
  const [user] = await eve.client.reactions.list(message, '🎉')
  assert.deepEqual(user, await eve.client.users.get(user?.id ?? ''))
  assert.deepEqual(await eve.client.reactions.list(message, '🐢'), [])
  const path = `/api/rooms/${space.general}/messages/${message.id}/reactions`
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'after=me'])
    assert.equal(await codeOf(eve.call('GET', `${path}/🍵?${query}`)), '400 invalid_request', query)
  assert.equal(await codeOf(eve.call('GET', `${path}/tea`)), '400 invalid_emoji')
})

test('REACTION-1: users in a conversation react and are notified; for strangers it is 404', async () => {
  const { id } = await ada.client.conversations.create({ recipient_ids: [eve.id] })
  const message = await sayWith({ conversation: id }, ['🍵'])
  assert.equal(await countsOf(message), '🍵2!')
  await eve.client.reactions.remove(message, '🍵')
  const place = { seq: 1, room_id: null, conversation_id: id, space_id: null }
  const change = { message_id: message.id, ...place, user_id: eve.id, emoji: '🍵', count: 1 }
  assert.deepEqual(await published(topicOf.conversation(id)), [['MESSAGE_REACTION_REMOVE', change]])
  const base = `/api/conversations/${id}/messages/${message.id}/reactions`
  for (const path of [`GET ${base}/🍵`, `PUT ${base}/🍵`, `DELETE ${base}/🍵`, `DELETE ${base}`]) {
    const [method = '', url = ''] = path.split(' ')
    assert.equal(await codeOf(mod.call(method, url)), '404 unknown_conversation')
  }
  for (const path of [base, `${base}/🍵/${ada.id}`])
    assert.equal(
      await codeOf(eve.call('DELETE', path)),
      '403 missing_permission',
      'nobody manages others there',
    )
  const asRoom = `/api/rooms/${id}/messages/${message.id}/reactions/🍵`
  assert.equal(await codeOf(eve.call('PUT', asRoom)), '404 unknown_room')
})

test('REACTION-1: a block in a direct conversation prevents reacting, but not removing reactions', async () => {
  const { id } = await ada.client.conversations.create({ recipient_ids: [mod.id] })
  const { id: messageId } = await ada.client.messages.create({ conversation: id }, { content: 'tea?' })
  const path = `/api/conversations/${id}/messages/${messageId}/reactions`
  assert.equal(await codeOf(mod.call('PUT', `${path}/🍵`)), 204)
  await mod.client.friends.block(ada.id)
  for (const person of [mod, ada])
    assert.equal(await codeOf(person.call('PUT', `${path}/🎉`)), '403 blocked_conversation')
  assert.equal(await codeOf(mod.call('DELETE', `${path}/🍵`)), 204)
  await mod.client.friends.unblock(ada.id)
})

test('REACTION-2: emojis in a conversation are of any space that the user is in', async () => {
  await addStorage(server, space.id)
  const { id: emoji } = await owner.client.emojis.create(space.id, { name: 'tea', image: await png() })
  const hidden = await makeSpace(owner, [ada])
  await addStorage(server, hidden.id)
  const { id: other } = await owner.client.emojis.create(hidden.id, { name: 'tea', image: await png() })
  const { id } = await ada.client.conversations.create({ recipient_ids: [eve.id] })
  const message = await sayWith({ conversation: id }, [emoji])
  await ada.client.reactions.add(message, other)
  await assert.rejects(eve.client.reactions.add(message, other), { code: 'unknown_emoji' })
  assert.equal(await countsOf(message), `${emoji}2! ${other}1!`)
  await owner.client.spaces.delete(hidden.id)
  await ada.client.reactions.remove(message, other)
  await assert.rejects(ada.client.reactions.add(message, other), { code: 'unknown_emoji' })
})
