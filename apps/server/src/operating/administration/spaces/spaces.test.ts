import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import { Administration } from '@foyer/sdk/api/administration'
import { connect } from '#test/gateway-client.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let owner: Person
let member: Person
let space: TestSpace
let count = 0

before(async () => {
  server = await startTestServer()
  ada = await createOperator(server, 'ada')
})
after(() => server.close())
beforeEach(async () => {
  count += 1
  owner = await createPerson(server, `owner${count}`)
  member = await createPerson(server, `member${count}`)
  space = await makeSpace(owner, [member])
})

async function namesOf(query: string, more: { frozen?: boolean } = {}) {
  const found = await ada.client.api(Administration).findSpaces({ query, ...more })
  return found.map(({ space }) => space.name)
}

test('OPERATOR-11: operators find spaces by the beginning of a name, or by an id, also that of the owner', async () => {
  const other = await owner.client.spaces.create({ name: `Garden ${count}%` })
  const marked = `garden ${count}%`
  assert.deepEqual(await namesOf(marked), [`Garden ${count}%`])
  assert.deepEqual(await namesOf('arden'), [])
  assert.deepEqual(await namesOf(other.space.id), [`Garden ${count}%`])
  assert.deepEqual(await namesOf(owner.id), [`Garden ${count}%`, 'Tea'])
  assert.deepEqual(await namesOf(member.id), [])
  const [found] = await ada.client.api(Administration).findSpaces({ query: space.id })
  assert.deepEqual([found?.owner.id, found?.member_count, found?.space.frozen_at], [owner.id, 2, null])
  const all = await ada.client.api(Administration).findSpaces({ query: owner.id, limit: 1 })
  const rest = await ada.client
    .api(Administration)
    .findSpaces({ query: owner.id, after: all[0]?.space.id ?? '' })
  assert.deepEqual(
    rest.map((each) => each.space.name),
    ['Tea'],
  )
})

test('OPERATOR-11: operators delete a space without being a member, and see nothing in it', async () => {
  const gateway = await connect(server, member)
  assert.equal((await ada.call('GET', `/api/rooms/${space.general}/messages`)).code, 'not_a_member')
  await ada.client.api(Administration).deleteSpace(space.id, { reason: 'spam' })
  await gateway.findEvent('SPACE_DELETE')
  gateway.close()
  assert.equal((await owner.call('GET', `/api/spaces/${space.id}`)).code, 'not_a_member')
  await assert.rejects(ada.client.api(Administration).deleteSpace(space.id), { code: 'unknown_space' })
  await assert.rejects(ada.client.api(Administration).freezeSpace(space.id), { code: 'unknown_space' })
  const [entry] = (await ada.client.api(Administration).log({ target_id: space.id })).entries
  assert.deepEqual([entry?.action, entry?.target_name, entry?.reason], ['space_delete', 'Tea', 'spam'])
})

test('OPERATOR-12: members see that their space is frozen, and can still read', async () => {
  const { id } = await member.client.messages.create(space.general, { content: 'hello' })
  const gateway = await connect(server, member)
  const frozen = await ada.client.api(Administration).freezeSpace(space.id, { reason: 'under review' })
  assert.equal(frozen.freeze_reason, 'under review')
  const update = await gateway.findEvent('SPACE_UPDATE')
  assert.match(update.text, /"frozen_at":"20/)
  assert.doesNotMatch(update.text, /under review/)
  await gateway.settle()
  assert.deepEqual(gateway.heard('ROOM_DELETE'), [])
  gateway.close()
  for (const person of [member, owner]) {
    assert.equal((await person.client.messages.get(space.general, id)).content, 'hello')
    assert.equal((await person.client.spaces.get(space.id)).frozen_at, frozen.space.frozen_at)
    await person.client.messages.ack(space.general, id)
  }
  assert.equal((await namesOf(space.id, { frozen: true })).length, 1)
  await ada.client.api(Administration).unfreezeSpace(space.id)
  assert.equal((await namesOf(space.id, { frozen: true })).length, 0)
  await member.client.messages.create(space.general, { content: 'again' })
  const { entries } = await ada.client.api(Administration).log({ target_id: space.id })
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['space_unfreeze', 'space_freeze'],
  )
})

test('OPERATOR-12: in a frozen space nobody can write, change anything, join or invite, its owner neither', async () => {
  const { id } = await owner.client.messages.create(space.general, { content: 'mine' })
  await owner.client.reactions.add({ channel: space.general, id }, '👍')
  const guest = await createPerson(server, `guest${count}`)
  const { code } = await owner.client.invites.create(space.id, space.general)
  const { id: webhookId, token } = await owner.client.webhooks.create(space.general, { name: 'Hook' })
  const bot = await createApplicationBot(server, owner, { name: `Bot ${count}` })
  await ada.client.api(Administration).freezeSpace(space.id)
  const base = `/api/spaces/${space.id}`
  const room = `/api/rooms/${space.general}`
  const calls: [string, string, unknown?][] = [
    ['POST', `${room}/messages`, { content: 'no' }],
    ['PATCH', `${room}/messages/${id}`, { content: 'no' }],
    ['DELETE', `${room}/messages/${id}`],
    ['PUT', `${room}/messages/${id}/reactions/👎`],
    ['DELETE', `${room}/messages/${id}/reactions/👍`],
    ['PUT', `${room}/pins/${id}`],
    ['POST', `${room}/attachments`, { filename: 'a.txt', size_bytes: 1, content_type: 'text/plain' }],
    ['POST', `${room}/webhooks`, { name: 'Hook' }],
    ['DELETE', `/api/webhooks/${webhookId}`],
    ['PATCH', base, { name: 'No' }],
    ['DELETE', base],
    ['POST', `${base}/transfer`, { user_id: member.id }],
    ['POST', `${base}/rooms`, { name: 'no', type: 0 }],
    ['PATCH', `${base}/rooms/${space.general}`, { name: 'no' }],
    ['DELETE', `${base}/rooms/${space.general}`],
    ['POST', `${base}/roles`, { name: 'no' }],
    ['POST', `${base}/rooms/${space.general}/invites`, {}],
    ['PATCH', `${base}/members/@me`, { nickname: 'no' }],
    ['DELETE', `${base}/members/${member.id}`],
    ['PUT', `${base}/bans/${member.id}`, {}],
    ['PUT', `${base}/bots/${bot.id}`],
  ]
  for (const [method, path, body] of calls) {
    const answer = await owner.call(method, path, body)
    assert.deepEqual([answer.status, answer.code], [403, 'space_frozen'], `${method} ${path}`)
  }
  assert.equal((await member.call('POST', `${room}/messages`, { content: 'no' })).code, 'space_frozen')
  assert.equal((await guest.call('POST', `/api/invites/${code}`)).code, 'space_frozen')
  const posted = await guest.call('POST', `/api/webhooks/${webhookId}/${token}`, { content: 'no' })
  assert.equal(posted.code, 'space_frozen')
  assert.equal((await owner.client.messages.list(space.general)).length, 1)
})

test('OPERATOR-12: nobody can join a voice room of a frozen space', async () => {
  await ada.client.api(Administration).freezeSpace(space.id)
  const gateway = await connect(server, member)
  gateway.send(Opcode.VoiceStateUpdate, { space_id: space.id, room_id: space.lounge })
  assert.match((await gateway.findCommand(Opcode.Error)).text, /space_frozen/)
  gateway.close()
})

test('OPERATOR-12: members may leave a frozen space', async () => {
  await ada.client.api(Administration).freezeSpace(space.id)
  await member.client.members.leave(space.id)
  assert.equal((await owner.client.members.list(space.id)).length, 1)
})
