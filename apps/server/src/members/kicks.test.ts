import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { ALL_PERMISSIONS, Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import type { Person } from '#test/scenes/people.ts'
import { createRankedPeople, makeRankedSpace, type RankedPeople } from '#test/scenes/ranked-people.ts'
import { insertOverwrite, listJournal, setEveryone } from '#test/scenes/space-rows.ts'
import { join, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const { Administrator } = Permission

let server: TestServer
let people: RankedPeople
let space: TestSpace
let path: string

before(async () => {
  server = await startTestServer()
  people = await createRankedPeople(server)
})
after(() => server.close())

beforeEach(async () => {
  space = await makeRankedSpace(server, people, Administrator)
  path = `/api/spaces/${space.id}/members`
})

async function kick(caller: Person, target: string): Promise<[number, string | null]> {
  const { status, code } = await caller.call('DELETE', `${path}/${target}`)
  return [status, code]
}

async function memberIds(): Promise<string[]> {
  return (await people.owner.client.members.list(space.id)).map(({ id }) => id)
}

test('MEMBER-13: administrators kick members below them, and so does a bot that is one', async () => {
  const { owner, actor, bot, below } = people
  for (const caller of [actor, bot]) {
    assert.deepEqual(await kick(caller, below.id), [204, null])
    assert.ok(!(await memberIds()).includes(below.id))
    await join(below, owner, space)
  }
})

test('MEMBER-13: nobody can kick themselves, the owner, or a member who is not below them', async () => {
  const { owner, above, actor, equal, bot } = people
  const before = await memberIds()
  const refused = [
    [actor, [owner, above, equal, bot, actor]],
    [bot, [owner, above, equal, actor, bot]],
    [owner, [owner]],
  ] as const
  for (const [caller, targets] of refused)
    for (const { id } of targets) assert.deepEqual(await kick(caller, id), [403, 'member_not_below'])
  assert.deepEqual(await memberIds(), before)
  for (const { id } of [above, actor, equal, bot]) assert.deepEqual(await kick(owner, id), [204, null])
})

test('MEMBER-13: a member who is an administrator through @everyone alone is above nobody', async () => {
  const { above, below, equal } = people
  await setEveryone(server, space.id, ALL_PERMISSIONS)
  await join(people.outsider, people.owner, space)
  assert.deepEqual(await kick(below, people.outsider.id), [403, 'member_not_below'])
  assert.deepEqual(await kick(equal, people.outsider.id), [204, null])
  assert.deepEqual(await kick(above, equal.id), [204, null])
})

test('MEMBER-13: everyone else gets the same 403 for every id', async () => {
  const { owner, above, below, equal, outsider } = people
  // All permissions but Administrator.
  await setEveryone(server, space.id, ALL_PERMISSIONS & ~Administrator)
  for (const id of [owner.id, equal.id, below.id, outsider.id, newId(), space.id]) {
    assert.deepEqual(await kick(above, id), [403, 'missing_permission'])
    assert.deepEqual(await kick(outsider, id), [403, 'not_a_member'])
  }
})

test('MEMBER-13: a user who is not a member is 404 for administrators', async () => {
  const { owner, actor, below, outsider } = people
  for (const caller of [owner, actor])
    for (const id of [outsider.id, newId(), space.id, space.general])
      assert.deepEqual(await kick(caller, id), [404, 'unknown_member'])
  assert.equal((await kick(owner, 'x'))[0], 400)
  assert.deepEqual(await kick(actor, below.id), [204, null])
  assert.deepEqual(await kick(actor, below.id), [404, 'unknown_member'])
})

test('MEMBER-14: the space receives the kick, and the kicked user nothing after it', async () => {
  const { owner, actor, below } = people
  await insertOverwrite(server, space.id, {
    room_id: space.lounge,
    target_id: below.id,
    target_type: 1,
    allow_flags: 0,
    deny_flags: Permission.JoinVoice,
  })
  const [inside, kicked] = [await connect(server, owner), await connect(server, below)]
  await actor.client.members.kick(space.id, below.id)
  await owner.client.messages.create(space.general, { content: 'gone?' })
  await join(people.outsider, owner, space)
  // The gateway holds a space's events while it recomputes the audience: once the last one arrives, all were sent.
  await inside.findEvent('SPACE_MEMBER_CREATE')
  await Promise.all([inside.settle(), kicked.settle()])

  const heard = kicked.frames.flatMap(({ t }) => (t === undefined ? [] : [t]))
  assert.deepEqual(heard, ['READY', 'SPACE_MEMBER_DELETE', 'SPACE_DELETE'])
  assert.deepEqual(kicked.heard('SPACE_DELETE')[0]?.d, { space_id: space.id })
  const gone = { space_id: space.id, user_id: below.id, member_count: 5 }
  assert.deepEqual(inside.heard('SPACE_MEMBER_DELETE')[0]?.d, gone)
  const overwrite = { space_id: space.id, room_id: space.lounge, target_id: below.id }
  assert.deepEqual(inside.heard('ROOM_OVERWRITE_DELETE')[0]?.d, overwrite)
  assert.equal(inside.heard('MESSAGE_CREATE').length, 1)
  for (const client of [inside, kicked]) client.close()

  assert.equal((await below.call('GET', `/api/spaces/${space.id}`)).code, 'not_a_member')
  await join(below, owner, space)
  assert.ok((await memberIds()).includes(below.id))
})

test('MEMBER-14: a refused kick publishes nothing', async () => {
  const { actor, below, above, outsider } = people
  const before = await listJournal(server, topicOf.space(space.id))
  for (const [caller, { id }] of [
    [actor, above],
    [below, actor],
    [actor, outsider],
    [outsider, below],
  ] as const)
    await kick(caller, id)
  assert.deepEqual(await listJournal(server, topicOf.space(space.id)), before)
})

test('MEMBER-15: a member who is kicked while kicking kicks nobody', async () => {
  const { owner, actor, below } = people
  const lock = await holdLock(server, sql`select from spaces where id = ${space.id} for no key update`)
  const first = kick(owner, actor.id)
  await lock.waitForBlocked(1)
  const second = kick(actor, below.id)
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual(
    [await first, await second],
    [
      [204, null],
      [403, 'not_a_member'],
    ],
  )
  assert.ok((await memberIds()).includes(below.id))
})
