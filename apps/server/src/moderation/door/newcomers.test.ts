import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Capability } from '@foyer/protocol/capabilities'
import { MAX_SPACES } from '@foyer/protocol/limits'
import { Permission } from '@foyer/protocol/permissions'
import { Automod } from '@foyer/sdk/api/automod'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect } from '#test/gateway-client.ts'
import { newestEntry } from '#test/scenes/audit-log.ts'
import { type Answer, createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

let server: TestServer
let owner: Person
let friend: Person
let bad: Person
let worse: Person
let space: TestSpace
let code: string

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  friend = await createPerson(server, 'friend')
  bad = await createPerson(server, 'bad')
  worse = await createPerson(server, 'worse')
})
after(() => server.close())
beforeEach(async () => {
  space = await makeSpace(owner, [friend])
  code = (await owner.client.invites.create(space.id, space.general)).code
  await server.deps.database.execute(sql`delete from audit_log where space_id = ${space.id}`)
})

const outcomeOf = ({ status, code }: Answer) => code ?? status
const join = (person: Person) => person.call('POST', `/api/invites/${code}`).then(outcomeOf)
const close = (minutes = 0) => owner.client.door.update(space.id, { closed: true, joined_minutes: minutes })
const open = () => owner.client.door.update(space.id, { closed: false })
const say = async (person: Person, content: string, room = space.general) =>
  (await person.client.messages.create(room, { content })).id
const contentsIn = async (room: string) =>
  (await owner.client.messages.list(room)).map(({ content }) => content).toSorted()
const memberIds = async () =>
  (await owner.client.members.list(space.id)).map(({ user_id }) => user_id).toSorted()
const newcomers = async () =>
  (await owner.client.door.listNewcomers(space.id)).map(({ user, has_left }) => [user.id, has_left])
const ids = (...persons: Person[]) => persons.map(({ id }) => id).toSorted()

test('DOOR-10: newcomers who are let in become members, and the others go on waiting', async () => {
  await close()
  await join(bad)
  await join(worse)
  const client = await connect(server, bad)
  const { user_ids } = await owner.client.door.letIn(space.id, { user_ids: [bad.id] })
  assert.deepEqual(user_ids, [bad.id])
  await client.findEvent('WAITING_SPACE_DELETE')
  const { d } = await client.findEvent('SPACE_CREATE')
  assert.partialDeepStrictEqual(d, { id: space.id, member_count: 3 })
  await say(bad, 'thank you')
  assert.deepEqual(await memberIds(), ids(owner, friend, bad))
  assert.deepEqual(await newcomers(), [[worse.id, false]])
  assert.equal((await owner.client.door.get(space.id)).closed_at !== null, true)
  client.close()
})

test('DOOR-10: all are let in at once, who were members as they were', async () => {
  await owner.client.spaces.update(space.id, { system_room_id: space.general })
  const { code: brief } = await owner.client.invites.create(space.id, space.general, { temporary: true })
  await bad.client.invites.join(brief)
  await until(async () => (await contentsIn(space.general)).length === 1, 'the join message')
  await close(5)
  await join(worse)
  await owner.client.door.letIn(space.id)
  await until(async () => (await memberIds()).length === 4, 'they are members')
  assert.deepEqual(await newcomers(), [])
  await until(async () => (await contentsIn(space.general)).length === 2, 'one join message each')
  const rows = await server.deps.database.query<{ user_id: string }>(sql`
    select user_id from members where space_id = ${space.id} and is_temporary`)
  assert.deepEqual(rows, [{ user_id: bad.id }])
})

test('DOOR-10: a newcomer who is in too many spaces waits until they are not', async () => {
  const busy = await createPerson(server, 'busy')
  await close()
  await join(busy)
  await server.deps.database.execute(sql`
    with made as (
      insert into spaces (id, name, owner_id, member_count)
      select gen_random_uuid(), 'Full', ${owner.id}, 1 from generate_series(1, ${MAX_SPACES}::integer) returning id
    )
    insert into members (space_id, user_id, username_key) select id, ${busy.id}, 'busy' from made`)
  await owner.client.door.letIn(space.id)
  await until(async () => (await newcomers()).length === 1, 'they wait again')
  assert.deepEqual(await memberIds(), ids(owner, friend))
})

test('DOOR-11: removing the newcomers deletes what they wrote since they joined, and nothing else', async () => {
  const { id: second } = await owner.client.rooms.create(space.id, { name: 'second', type: 1 })
  const elsewhere = await makeSpace(owner, [bad])
  await join(bad)
  await say(bad, 'long ago')
  await bad.client.members.leave(space.id)
  // As if this were hours ago.
  await server.deps.database.execute(sql`delete from audit_log where space_id = ${space.id}`)
  await server.deps.database.execute(sql`
    update messages set id = overlay(id::text placing '00000000' from 1 for 8)::uuid where tenant_id = ${space.id}`)
  await join(bad)
  await join(worse)
  await say(friend, 'what is this?')
  for (const room of [space.general, second])
    for (const person of [bad, worse]) await say(person, 'spam', room)
  await say(bad, 'hello', elsewhere.general)
  await bad.client.invites.create(space.id, space.general)
  await close(5)
  await say(friend, 'a raid')
  const client = await connect(server, worse)
  const { user_ids } = await owner.client.door.remove(space.id)
  assert.deepEqual(user_ids, ids(bad, worse))
  await client.findEvent('WAITING_SPACE_DELETE')
  client.close()
  await until(async () => (await contentsIn(second)).length === 0, 'the spam is gone')
  await until(async () => !(await contentsIn(space.general)).includes('spam'), 'the spam is gone')
  assert.deepEqual(await contentsIn(space.general), ['a raid', 'long ago', 'what is this?'])
  assert.deepEqual(await contentsIn(elsewhere.general), ['hello'])
  assert.deepEqual(await memberIds(), ids(owner, friend))
  assert.deepEqual(
    (await owner.client.invites.list(space.id)).map(({ inviter_id }) => inviter_id),
    [owner.id, owner.id],
  )
  assert.deepEqual(await newcomers(), [])
  await open()
  assert.equal(await join(bad), 200)
})

test('DOOR-11: newcomers who have left are removed with the others, and not let in', async () => {
  await join(bad)
  await say(bad, 'spam')
  await bad.client.members.leave(space.id)
  await join(worse)
  await owner.client.members.kick(space.id, worse.id)
  await close(5)
  assert.deepEqual((await newcomers()).toSorted(), [bad, worse].map(({ id }) => [id, true]).toSorted())
  assert.equal((await owner.client.door.get(space.id)).newcomers, 0)
  assert.deepEqual(await bad.client.door.listWaitingSpaces(), [])
  await owner.client.door.letIn(space.id, { user_ids: [worse.id] })
  assert.deepEqual(await newcomers(), [[bad.id, true]])
  await owner.client.door.remove(space.id)
  await until(async () => (await contentsIn(space.general)).length === 0, 'the spam is gone')
  assert.deepEqual(await memberIds(), ids(owner, friend))
})

test('DOOR-12: removing needs ManageMessages, and banning BanMembers', async () => {
  const role = await owner.client.roles.create(space.id, {
    name: 'Guard',
    permissions: 0,
    capabilities: Capability.KickMembers,
  })
  await owner.client.roles.assign(space.id, friend.id, role.id)
  await close()
  await join(bad)
  const remove = (ban: boolean) =>
    friend.call('POST', `/api/spaces/${space.id}/door/newcomers/remove`, { ban }).then(outcomeOf)
  assert.deepEqual([await remove(false), await remove(true)], ['missing_permission', 'missing_permission'])
  await owner.client.roles.update(space.id, role.id, { permissions: Permission.ManageMessages })
  assert.equal(await remove(true), 'missing_permission')
  assert.deepEqual(await newcomers(), [[bad.id, false]])
  await owner.client.roles.update(space.id, role.id, {
    capabilities: Capability.KickMembers | Capability.BanMembers,
  })
  const client = await connect(server, owner)
  assert.equal(await remove(true), 200)
  const { d } = await client.findEvent('SPACE_BAN_CREATE')
  assert.partialDeepStrictEqual(d, { user_id: bad.id, banned_by: friend.id })
  client.close()
  assert.equal(await join(bad), 'banned')
  await open()
  assert.equal(await join(bad), 'banned')
})

test('DOOR-13: a decision has one entry in the audit log, which lists whom it concerned', async () => {
  await close()
  for (const person of [bad, worse]) await join(person)
  await owner.client.door.letIn(space.id, { user_ids: [bad.id] })
  assert.partialDeepStrictEqual(await newestEntry(owner, space.id), {
    action: 'newcomers_let_in',
    target_id: space.id,
    after: { user_ids: [bad.id] },
  })
  await until(async () => (await memberIds()).length === 3, 'the newcomer is a member')
  await owner.client.door.remove(space.id, { ban: true })
  assert.partialDeepStrictEqual(await newestEntry(owner, space.id), {
    action: 'newcomers_remove',
    actor_id: owner.id,
    after: { user_ids: [worse.id], banned: true },
  })
  const { entries } = await owner.client.auditLog.list(space.id)
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['newcomers_remove', 'newcomers_let_in', 'door_update'],
  )
})

test('DOOR-13: of two removals at once, the second finds nobody', async () => {
  await close()
  await join(bad)
  const remove = () => owner.call('POST', `/api/spaces/${space.id}/door/newcomers/remove`).then(outcomeOf)
  const outcomes = await Promise.all([remove(), remove()])
  assert.deepEqual(outcomes.toSorted(), [200, 'unknown_newcomer'])
  const { entries } = await owner.client.auditLog.list(space.id, { action: 'newcomers_remove' })
  assert.equal(entries.length, 1)
})

test('DOOR-10: hundreds are let in', async () => {
  await close()
  await server.deps.database.execute(sql`
    with person as (
      insert into users (id, username)
      select gen_random_uuid(), 'many_' || n from generate_series(1, 130) as n returning id
    )
    insert into newcomers (space_id, user_id, joined_at, was_member) select ${space.id}, id, now(), false from person`)
  const { user_ids } = await owner.client.door.letIn(space.id)
  assert.equal(user_ids.length, 130)
  const count = async () => {
    const [row] = await server.deps.database.query<{ count: number }>(sql`
      select count(*) from members where space_id = ${space.id}`)
    return row?.count
  }
  await until(async () => (await count()) === 132, 'all are members')
})

const refusing = (action: 'refuse' | 'hold') => ({
  name: 'Animals',
  mode: 'on' as const,
  action,
  trigger: { type: 'words' as const, words: ['wombat'], exceptions: [] },
})

test('DOOR-10: a newcomer whose name a rule refuses by then goes on waiting', async () => {
  await owner.client.api(Automod).createRule(space.id, refusing('refuse'))
  const ann = await createPerson(server, 'ann')
  await close()
  await join(ann)
  await ann.client.users.updateMe({ alias: 'wombat' })
  await owner.client.door.letIn(space.id)
  await until(async () => (await newcomers()).length === 1, 'she waits again')
  assert.deepEqual(await memberIds(), ids(owner, friend))
  await ann.client.users.updateMe({ alias: 'Ann' })
  await owner.client.door.letIn(space.id)
  await until(async () => (await memberIds()).includes(ann.id), 'she is in')
})

test('DOOR-11: messages of the removed that wait for review are gone, too', async () => {
  await owner.client.api(Automod).createRule(space.id, refusing('hold'))
  await join(bad)
  const path = `/api/rooms/${space.general}/messages`
  assert.equal((await bad.call('POST', path, { content: 'wombat' })).code, 'held_for_review')
  await close(5)
  assert.equal((await owner.client.api(Automod).listHeld(space.id)).length, 1)
  await owner.client.door.remove(space.id)
  assert.deepEqual(await owner.client.api(Automod).listHeld(space.id), [])
})

test('DOOR-14: whom a moderator has let in, a closing door does not hold', async () => {
  await join(bad)
  await close(5)
  await join(worse)
  await owner.client.door.letIn(space.id)
  await until(async () => (await memberIds()).length === 4, 'they are members')
  await close(60)
  await open()
  await close(60)
  assert.equal((await memberIds()).length, 4)
  await bad.client.members.leave(space.id)
  await open()
  await join(bad)
  await close(5)
  assert.deepEqual(await newcomers(), [[bad.id, false]])
})

test('DOOR-14: those whom a moderator has removed do not become newcomers again', async () => {
  await join(bad)
  await close(5)
  await owner.client.door.remove(space.id)
  await close(60)
  assert.deepEqual(await newcomers(), [])
  await open()
  await close(60)
  assert.deepEqual(await newcomers(), [])
})
