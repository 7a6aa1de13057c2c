import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { ALL_CAPABILITIES } from '@foyer/protocol/capabilities'
import { Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { giveRole } from '#test/scenes/roles.ts'
import { setConfirmed } from '#test/scenes/second-factors.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let mod: Person
let member: Person
let space: TestSpace
let count = 0

before(async () => {
  server = await startTestServer()
})
after(() => server.close())
beforeEach(async () => {
  count += 1
  owner = await createPerson(server, `owner${count}`)
  mod = await createPerson(server, `mod${count}`)
  member = await createPerson(server, `member${count}`)
  space = await makeSpace(owner, [mod, member])
})

const confirm = (person: Person, isConfirmed = true) => setConfirmed(server, person, isConfirmed)

/** Turns the rule on, by an owner who then has no second factor any more. */
async function turnOn(): Promise<void> {
  await confirm(owner)
  const saved = await owner.client.spaces.update(space.id, { needs_second_factor: true })
  assert.equal(saved.needs_second_factor, true)
  await confirm(owner, false)
}

type Act = readonly [method: string, path: string, body?: unknown]

/** Acts that need a right of moderation. Each is refused before anything changes. */
function moderation({ id, general }: TestSpace): Act[] {
  const inSpace = `/api/spaces/${id}`
  return [
    ['POST', `${inSpace}/rooms`, { name: 'new', type: RoomType.Text }],
    ['PATCH', `${inSpace}/rooms/${general}`, { name: 'mine' }],
    ['DELETE', `${inSpace}/rooms/${general}`],
    ['POST', `${inSpace}/roles`, { name: 'mine' }],
    ['PUT', `${inSpace}/members/${member.id}/timeout`, { until: new Date(Date.now() + 60_000) }],
    ['DELETE', `${inSpace}/members/${member.id}`],
    ['PATCH', `${inSpace}/members/${member.id}`, { nickname: 'silly' }],
    ['PUT', `${inSpace}/bans/${member.id}`, {}],
    ['GET', `${inSpace}/bans`],
    ['GET', `${inSpace}/automod/rules`],
    ['GET', `${inSpace}/reports`],
    ['PATCH', `${inSpace}/door`, { closed: true }],
    ['GET', `${inSpace}/invites`],
    ['GET', `${inSpace}/webhooks`],
    ['POST', `/api/rooms/${general}/webhooks`, { name: 'hook' }],
  ]
}

for (const role of ['every right', 'Administrator'] as const)
  test(`FACTOR-12: a moderator with ${role} needs a session with a second factor for each act`, async () => {
    const all = Object.values(Permission).reduce((sum, bit) => sum | bit, 0)
    const permissions = role === 'Administrator' ? Permission.Administrator : all & ~Permission.Administrator
    await giveRole(owner, space.id, [mod], { permissions, capabilities: ALL_CAPABILITIES })
    await turnOn()
    for (const [method, path, body] of moderation(space)) {
      const { status, code } = await mod.call(method, path, body)
      assert.deepEqual([status, code], [403, 'second_factor_needed'], `${method} ${path}`)
    }
    const { id } = await member.client.messages.create(space.general, { content: 'hello' })
    const path = `/api/rooms/${space.general}/messages/${id}`
    assert.equal((await mod.call('DELETE', path)).code, 'second_factor_needed')
    assert.equal((await member.client.members.get(space.id, member.id)).user_id, member.id)
    await confirm(mod)
    const answers = await Promise.all(
      moderation(space)
        .filter(([method]) => method === 'GET')
        .map(([method, where]) => mod.call(method, where)),
    )
    for (const { status } of answers) assert.equal(status, 200)
    await mod.client.rooms.create(space.id, { name: 'new', type: RoomType.Text })
    await mod.client.messages.delete(space.general, id)
  })

test('FACTOR-12: other rights, reading and one’s own messages stay, also for the owner', async () => {
  await giveRole(owner, space.id, [mod], { permissions: Permission.Administrator })
  await turnOn()
  for (const person of [owner, mod, member]) {
    const { id } = await person.client.messages.create(space.general, { content: 'hello' })
    await person.client.messages.update(space.general, id, { content: 'hello again' })
    await person.client.messages.delete(space.general, id)
    assert.equal((await person.client.rooms.list(space.id)).length > 0, true)
  }
  assert.equal((await mod.client.auditLog.list(space.id)).entries.length > 0, true)
  const hidden = await createHidden()
  assert.ok((await mod.client.rooms.list(space.id)).some(({ id }) => id === hidden))
})

/** Creates a room that only administrators see. */
async function createHidden(): Promise<string> {
  await confirm(owner)
  const { id } = await owner.client.rooms.create(space.id, { name: 'hidden', type: RoomType.Text })
  await owner.client.overwrites.upsert(space.id, id, {
    target_id: space.id,
    target_type: 0,
    allow_flags: 0,
    deny_flags: Permission.ViewChannels,
  })
  await confirm(owner, false)
  return id
}

test('FACTOR-12: the owner alone changes the rule, with a second factor, and needs one for what owners do', async () => {
  await giveRole(owner, space.id, [mod], { permissions: Permission.Administrator })
  const change = (person: Person, needs_second_factor: unknown) =>
    person.call('PATCH', `/api/spaces/${space.id}`, { needs_second_factor })
  assert.equal((await change(owner, true)).code, 'second_factor_needed')
  await confirm(mod)
  assert.equal((await change(mod, true)).code, 'owner_only')
  for (const wrong of ['yes', 1, null]) assert.equal((await change(mod, wrong)).code, 'invalid_request')
  assert.equal((await change(member, true)).code, 'cannot_manage_space')
  assert.equal((await owner.client.spaces.get(space.id)).needs_second_factor, false)
  await turnOn()
  assert.equal((await change(mod, false)).code, 'owner_only')
  for (const [method, path, body] of [
    ['PATCH', '', { needs_second_factor: false }],
    ['PATCH', '', { name: 'Mine' }],
    ['DELETE', ''],
    ['POST', '/transfer', { user_id: mod.id }],
  ] as const)
    assert.equal(
      (await owner.call(method, `/api/spaces/${space.id}${path}`, body)).code,
      'second_factor_needed',
    )
  await confirm(owner)
  assert.equal((await change(owner, false)).status, 200)
  const { entries } = await owner.client.auditLog.list(space.id, { action: 'space_update' })
  assert.deepEqual(entries[0]?.before, { needs_second_factor: true })
  await confirm(mod, false)
  await mod.client.rooms.create(space.id, { name: 'new', type: RoomType.Text })
})

test('FACTOR-12: bots need none', async () => {
  const bot = await createApplicationBot(server, owner, { name: `bot${count}` })
  await owner.client.members.addBot(space.id, bot.id)
  await giveRole(owner, space.id, [bot], { permissions: Permission.Administrator })
  await turnOn()
  await bot.client.rooms.create(space.id, { name: 'new', type: RoomType.Text })
})
