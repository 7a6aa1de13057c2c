import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Capability } from '@foyer/protocol/capabilities'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { Automod } from '@foyer/sdk/api/automod'
import { idTime, newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { CAUGHT, contentsIn, outcomeOf, trySending, wordRule } from '#test/scenes/automod.ts'
import type { Person } from '#test/scenes/people.ts'
import { createRankedPeople, makeRankedSpace, type RankedPeople } from '#test/scenes/ranked-people.ts'
import { assignRole, insertRole, listWholeJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

let server: TestServer
let people: RankedPeople
let space: TestSpace

before(async () => {
  server = await startTestServer()
  people = await createRankedPeople(server)
})
after(() => server.close())
beforeEach(async () => {
  space = await makeRankedSpace(server, people, 0, Capability.ManageAutomod)
})

const words = { type: 'words', words: [CAUGHT] }
const rulesPath = () => `/api/spaces/${space.id}/automod/rules`
const create = (person: Person, body: unknown) => person.call('POST', rulesPath(), body).then(outcomeOf)

test('AUTOMOD-1: only members with ManageAutomod, including bots, see, try, create, change and delete rules', async () => {
  const { owner, actor, bot, below, outsider } = people
  const { id } = await wordRule(owner, space)
  const calls = [
    ['GET', rulesPath()],
    ['POST', rulesPath(), { name: 'x', trigger: words }],
    ['PATCH', `${rulesPath()}/${id}`, { name: 'y' }],
    ['POST', `${rulesPath()}/try`, { trigger: words }],
    ['GET', `/api/spaces/${space.id}/automod/hits`],
    ['GET', `/api/spaces/${space.id}/automod/held`],
  ] as const
  for (const [method, path, body] of calls) {
    const as = (person: Person) => person.call(method, path, body).then(outcomeOf)
    assert.equal(await as(below), 'missing_permission', `${method} ${path}`)
    assert.equal(await as(outsider), 'not_a_member', `${method} ${path}`)
    for (const person of [actor, bot, owner]) assert.equal(await as(person), 200, `${method} ${path}`)
  }
  const remove = (person: Person) => person.call('DELETE', `${rulesPath()}/${id}`).then(outcomeOf)
  assert.deepEqual([await remove(below), await remove(outsider)], ['missing_permission', 'not_a_member'])
  assert.deepEqual([await remove(actor), await remove(actor)], [204, 'unknown_automod_rule'])
  const other = await makeSpace(people.owner)
  const foreign = await wordRule(owner, other)
  const changed = await actor.call('PATCH', `${rulesPath()}/${foreign.id}`, { name: 'mine' })
  assert.equal(changed.code, 'unknown_automod_rule')
})

test('AUTOMOD-1: a new rule is in test mode, refuses, and tells nobody', async () => {
  const { id } = await people.owner.client.api(Automod).createRule(space.id, {
    name: ' Animals ',
    trigger: { type: 'words', words: [CAUGHT] },
  })
  const [rule] = await people.owner.client.api(Automod).listRules(space.id)
  assert.ok(rule)
  const { created_at, updated_at, ...rest } = rule
  assert.deepEqual(rest, {
    id,
    space_id: space.id,
    name: 'Animals',
    mode: 'test',
    trigger: { type: 'words', words: [CAUGHT] },
    action: 'refuse',
    message: null,
    alert_room_id: null,
    timeout_minutes: null,
    exempt_role_ids: [],
    exempt_room_ids: [],
  })
  assert.equal(created_at, updated_at)
})

test('AUTOMOD-1: a rule without sense is refused and changes nothing', async () => {
  const { owner } = people
  const { id } = await wordRule(owner, space)
  const refused = [
    { name: '' },
    { name: null },
    { mode: 'loud' },
    { action: 'explode' },
    { message: 'x'.repeat(201) },
    { alert_room_id: 'x' },
    { timeout_minutes: 0 },
    { timeout_minutes: 28 * 1440 + 1 },
    { exempt_role_ids: ['x'] },
    { exempt_room_ids: Array.from({ length: 101 }, newId) },
    { trigger: {} },
    { trigger: { type: 'mood' } },
    { trigger: { type: 'words' } },
    { trigger: { type: 'words', words: [] } },
    { trigger: { type: 'words', words: [' '] } },
    { trigger: { type: 'words', words: ['x'.repeat(101)] } },
    { trigger: { type: 'words', words: ['*'.repeat(10_000)] } },
    { trigger: { type: 'words', words: Array.from({ length: 1001 }, (_, number) => `word${number}`) } },
    { trigger: { type: 'mentions', max: 0 } },
    { trigger: { type: 'repeats', count: 1, seconds: 10 } },
    { trigger: { type: 'capitals', percent: 10, min_letters: 10 } },
    { trigger: { type: 'new_accounts', hours: -1 } },
    { trigger: { type: 'attachments', sha256: ['x'] } },
    { trigger: { type: 'attachments', content_types: ['image'] } },
  ]
  const before = await owner.client.api(Automod).listRules(space.id)
  for (const changes of refused) {
    const body = { name: 'x', trigger: words, ...changes }
    assert.equal(await create(owner, body), 'invalid_request', JSON.stringify(changes).slice(0, 80))
    const changed = await owner.call('PATCH', `${rulesPath()}/${id}`, changes)
    assert.equal(changed.code, 'invalid_request', JSON.stringify(changes).slice(0, 80))
  }
  assert.deepEqual(await owner.client.api(Automod).listRules(space.id), before)
})

test('AUTOMOD-1: alerts go only to rooms in which whoever makes the rule may write', async () => {
  const { owner, actor } = people
  const hidden = await owner.client.rooms.create(space.id, { name: 'hidden', type: RoomType.Text })
  await owner.client.overwrites.upsert(space.id, hidden.id, {
    target_id: space.id,
    target_type: OverwriteTarget.Role,
    allow_flags: 0,
    deny_flags: Permission.ViewChannels,
  })
  const elsewhere = await makeSpace(owner)
  const make = (alert_room_id: string, person = actor) =>
    create(person, { name: 'x', trigger: words, alert_room_id })
  assert.equal(await make(hidden.id), 'missing_permission')
  assert.deepEqual([await make(elsewhere.general), await make(newId())], ['unknown_room', 'unknown_room'])
  const category = await owner.client.rooms.create(space.id, { name: 'c', type: RoomType.Category })
  assert.equal(await make(category.id, owner), 'invalid_request')
  assert.equal(await make(hidden.id, owner), 200)
  const [rule] = await owner.client.api(Automod).listRules(space.id)
  const renamed = await actor.call('PATCH', `${rulesPath()}/${rule?.id}`, { name: 'y' })
  assert.equal(renamed.status, 200)
})

test('AUTOMOD-1: the rules of a space have at most 2,000,000 characters', async () => {
  const { owner } = people
  await server.deps.database.execute(sql`
    insert into automod_rules (space_id, id, name, mode, trigger, action, exempt_role_ids, exempt_room_ids)
    select ${space.id}::uuid, gen_random_uuid(), 'x', 'off',
      json_build_object('type', 'words', 'words', json_build_array(repeat('x', 20000))), 'refuse', '{}', '{}'
    from generate_series(1, 99)
    returning id`)
  assert.equal(await create(owner, { name: 'fits', trigger: words }), 200)
  const long = Array.from({ length: 300 }, (_, number) => `${'long'.repeat(20)}${number}`)
  assert.equal(
    await create(owner, { name: 'x', trigger: { type: 'words', words: long } }),
    'too_large_automod_rules',
  )
})

test('AUTOMOD-1: a space has at most 200 rules', async () => {
  const { owner } = people
  await server.deps.database.execute(sql`
    insert into automod_rules (space_id, id, name, mode, trigger, action, exempt_role_ids, exempt_room_ids)
    select ${space.id}::uuid, gen_random_uuid(), 'x', 'off', '{"type":"invites"}', 'refuse', '{}', '{}'
    from generate_series(1, 199)
    returning id`)
  assert.equal(await create(owner, { name: 'last', trigger: words }), 200)
  assert.equal(await create(owner, { name: 'more', trigger: words }), 'too_many_automod_rules')
})

test('AUTOMOD-2: what a rule catches is refused with its sentence, and nobody sees it', async () => {
  const { owner, below } = people
  const before = await listWholeJournal(server, topicOf.room(space.id, space.general))
  const rule = await wordRule(owner, space, { message: 'No animals here.' })
  const answer = await below.call('POST', `/api/rooms/${space.general}/messages`, { content: `a ${CAUGHT}!` })
  assert.deepEqual(
    [answer.status, answer.code, answer.body],
    [403, 'automod_refused', { error: 'No animals here.' }],
  )
  assert.deepEqual(await contentsIn(owner, space.general), [])
  assert.deepEqual(await listWholeJournal(server, topicOf.room(space.id, space.general)), before)
  assert.equal(await trySending(below, space.general, 'a horse'), 200)
  await owner.client.api(Automod).updateRule(space.id, rule.id, { message: null })
  const plain = await below.call('POST', `/api/rooms/${space.general}/messages`, { content: CAUGHT })
  assert.deepEqual(plain.body, { error: 'a rule of this space does not allow this' })
})

test('AUTOMOD-2: a changed or deleted rule applies to whatever arrives after the answer', async () => {
  const { owner, below } = people
  const rule = await wordRule(owner, space)
  const send = () => trySending(below, space.general, CAUGHT)
  assert.equal(await send(), 'automod_refused')
  await owner.client
    .api(Automod)
    .updateRule(space.id, rule.id, { trigger: { type: 'words', words: ['horse'] } })
  assert.equal(await send(), 200)
  await owner.client
    .api(Automod)
    .updateRule(space.id, rule.id, { trigger: { type: 'words', words: [CAUGHT] } })
  assert.equal(await send(), 'automod_refused')
  await owner.client.api(Automod).deleteRule(space.id, rule.id)
  assert.equal(await send(), 200)
})

test('AUTOMOD-2: a retry of a message from before the rule returns that message', async () => {
  const { owner, below } = people
  const sent = await below.client.messages.create(space.general, { content: CAUGHT, nonce: 'n' })
  await wordRule(owner, space)
  const again = await below.client.messages.create(space.general, { content: CAUGHT, nonce: 'n' })
  assert.equal(again.id, sent.id)
  assert.deepEqual((await owner.client.api(Automod).listHits(space.id)).hits, [])
})

test('AUTOMOD-3: a rule in test mode only notes what it would have caught, and one that is off notes nothing', async () => {
  const { owner, below } = people
  const rule = await wordRule(owner, space, { mode: 'test', timeout_minutes: 5 })
  await wordRule(owner, space, { mode: 'off' })
  await below.client.messages.create(space.general, { content: `a ${CAUGHT}` })
  const find = () => owner.client.api(Automod).listHits(space.id)
  await until(async () => (await find()).hits.length > 0, 'the hit is written')
  const { hits, users } = await find()
  const [hit] = hits
  assert.ok(hit)
  const { id, created_at, ...rest } = hit
  assert.deepEqual(rest, {
    space_id: space.id,
    rule_id: rule.id,
    user_id: below.id,
    room_id: space.general,
    source: 'message',
    mode: 'test',
    text: `a ${CAUGHT}`,
    excerpt: CAUGHT,
  })
  assert.deepEqual([hits.length, users.map((user) => user.id)], [1, [below.id]])
  assert.equal(Date.parse(created_at), idTime(id))
  assert.equal((await owner.client.members.get(space.id, below.id)).timeout_until, null)
})

test('AUTOMOD-5: nobody who manages the rules is checked, nor those in exempt roles and rooms', async () => {
  const { owner, above, actor, bot, below } = people
  const role = await insertRole(server, space.id, { permissions: 0, position: 3 })
  await assignRole(server, { spaceId: space.id, userId: above.id, roleId: role })
  const { id: free } = await owner.client.rooms.create(space.id, { name: 'free', type: RoomType.Text })
  await wordRule(owner, space, { exempt_role_ids: [role], exempt_room_ids: [free] })
  const send = (person: Person, room = space.general) => trySending(person, room, CAUGHT)
  for (const person of [owner, actor, bot, above]) assert.equal(await send(person), 200)
  assert.deepEqual([await send(below), await send(below, free)], ['automod_refused', 200])
  await owner.client.roles.remove(space.id, above.id, role)
  assert.equal(await send(above), 'automod_refused')
})
