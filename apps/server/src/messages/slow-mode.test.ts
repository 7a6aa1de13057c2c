import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Capability } from '@foyer/protocol/capabilities'
import { Permission } from '@foyer/protocol/permissions'
import { ApiError } from '@foyer/sdk/rest'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { note, postForm } from '#test/scenes/messages.ts'
import { type Answer, createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { formOf } from '#test/scenes/pictures.ts'
import { giveRole } from '#test/scenes/roles.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const { ManageMessages, ManageChannels } = Permission

let server: TestServer
let owner: Person
let ada: Person
let eve: Person
let bot: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  bot = await createApplicationBot(server, owner, { name: 'helper' })
})
after(() => server.close())
beforeEach(async () => {
  space = await makeSpace(owner, [ada, eve])
  await owner.client.members.addBot(space.id, bot.id)
})

const outcomeOf = ({ status, code }: Answer) => code ?? status
const slow = (seconds: unknown, person = owner) =>
  person
    .call('PATCH', `/api/spaces/${space.id}/rooms/${space.general}`, { slow_mode_seconds: seconds })
    .then(outcomeOf)
const send = (person: Person, body: object = { content: 'hi' }, roomId = space.general) =>
  person.call('POST', `/api/rooms/${roomId}/messages`, body).then(outcomeOf)

test('SLOW-1: slow mode is 0 to 21600 seconds, set with ManageChannels and sent with the room', async () => {
  assert.equal(await slow(5, ada), 'missing_permission')
  for (const seconds of [-1, 21_601, 1e9, 0.5, null, '5', true])
    assert.equal(await slow(seconds), 'invalid_request')
  const of = async () => (await ada.client.rooms.list(space.id)).find(({ id }) => id === space.general)
  assert.equal((await of())?.slow_mode_seconds, 0)
  assert.equal(await slow(21_600), 200)
  assert.equal((await of())?.slow_mode_seconds, 21_600)
  await owner.client.rooms.update(space.id, space.general, { name: 'renamed' })
  assert.equal((await of())?.slow_mode_seconds, 21_600)
  const journal = await listJournal(server, topicOf.room(space.id, space.general))
  assert.deepEqual(
    journal.map(({ name, data }) => [name, Object(data).slow_mode_seconds]),
    [
      ['ROOM_UPDATE', 21_600],
      ['ROOM_UPDATE', 21_600],
    ],
  )
})

test('SLOW-2: a second message is 429 slow_mode with the wait, in this room and of this user alone', async () => {
  await slow(60)
  for (const person of [ada, eve, bot]) assert.equal(await send(person), 200)
  // With this option, the client does not wait and try again.
  const once = { onRateLimit: () => undefined }
  const again = ada.client.messages.create(space.general, { content: 'again' }, once)
  const refused: unknown = await again.catch((error: unknown) => error)
  assert.ok(refused instanceof ApiError)
  assert.deepEqual([refused.status, refused.code], [429, 'slow_mode'])
  const wait = (refused.retryAfterMs ?? 0) / 1000
  assert.ok(wait > 50 && wait <= 60, `${wait}`)
  for (const person of [ada, eve, bot]) assert.equal(await send(person), 'slow_mode')
  assert.equal(outcomeOf(await postForm(ada, space.general, formOf(['files', note('1')]))), 'slow_mode')
  assert.equal(await send(ada, {}, space.general), 'empty_message')
  const { id } = await owner.client.rooms.create(space.id, { name: 'fast', type: 1 })
  assert.deepEqual([await send(ada, undefined, id), await send(ada, undefined, id)], [200, 200])
})

test('SLOW-3: ManageMessages, ManageChannels and BypassSlowMode exempt, in the room', async () => {
  await slow(60)
  const grants = [
    { permissions: ManageMessages },
    { permissions: ManageChannels },
    { capabilities: Capability.BypassSlowMode },
  ]
  for (const grant of grants) {
    const role = await giveRole(owner, space.id, [ada], grant)
    assert.deepEqual([await send(ada), await send(ada)], [200, 200])
    await owner.client.roles.delete(space.id, role.id)
  }
  assert.deepEqual([await send(owner), await send(owner)], [200, 200])
  assert.deepEqual([await send(eve), await send(eve)], [200, 'slow_mode'])
})

test('SLOW-4: of many messages at once one passes, and the next passes when it is due', async () => {
  await slow(1)
  const burst = async () => (await Promise.all(Array.from({ length: 20 }, () => send(ada)))).sort()
  assert.deepEqual(await burst(), [200, ...Array(19).fill('slow_mode')])
  await sleep(1010)
  assert.deepEqual(await burst(), [200, ...Array(19).fill('slow_mode')])
})

test('SLOW-5: a retry with the same nonce returns its message, and one that is refused takes no turn', async () => {
  await slow(60)
  const { body } = await ada.call('POST', `/api/rooms/${space.general}/messages`, {
    content: 'x',
    nonce: 'n',
  })
  const again = await ada.call('POST', `/api/rooms/${space.general}/messages`, { content: 'x', nonce: 'n' })
  assert.deepEqual([again.status, Object(again.body).id], [200, Object(body).id])
  const missing = { content: 'x', attachment_ids: [space.id] }
  assert.equal(await send(eve, missing), 'unknown_attachment')
  assert.equal(await send(eve, { content: '' }), 'empty_message')
  assert.equal(await send(eve), 200)
  assert.equal(await send(eve), 'slow_mode')
})

test('SLOW-6: a shorter slow mode counts at once, from the last message', async () => {
  await slow(21_600)
  assert.equal(await send(ada), 200)
  await sleep(1100)
  assert.equal(await send(ada), 'slow_mode')
  await slow(1)
  assert.equal(await send(ada), 200)
  await slow(0)
  assert.deepEqual([await send(ada), await send(ada)], [200, 200])
})
