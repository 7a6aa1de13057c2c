import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Capability } from '@foyer/protocol/capabilities'
import { ALL_PERMISSIONS, Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect } from '#test/gateway-client.ts'
import { type Answer, createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { createRankedPeople, makeRankedSpace, type RankedPeople } from '#test/scenes/ranked-people.ts'
import { listJournal, setEveryone } from '#test/scenes/space-rows.ts'
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
  path = `/api/spaces/${space.id}/bans`
})

function ban(caller: Person, id: string, body?: unknown): Promise<Answer> {
  return caller.call('PUT', `${path}/${id}`, body)
}

function outcomeOf({ status, code }: Answer): [number, string | null] {
  return [status, code]
}

async function bannedIds(): Promise<string[]> {
  return (await people.owner.client.bans.list(space.id)).map(({ user_id }) => user_id)
}

async function published(): Promise<[string, number][]> {
  const journal = await listJournal(server, topicOf.space(space.id))
  const bans = journal.filter(({ name }) => name.startsWith('SPACE_BAN_'))
  return bans.map(({ name, audience }) => [name, audience])
}

test('BAN-1: administrators, bots included, ban members below them and users who are not members', async () => {
  const { owner, actor, bot, below, outsider } = people
  const stray = await createBot(server, 'stray')
  for (const caller of [actor, bot, owner])
    for (const { id } of [below, outsider, stray]) {
      const answer = await ban(caller, id)
      assert.equal(answer.status, 200)
      assert.equal(Object(answer.body).user_id, id)
      assert.equal(Object(answer.body).banned_by, caller.id)
    }
  const ids = (await owner.client.members.list(space.id)).map(({ id }) => id)
  assert.ok(!ids.includes(below.id))
})

test('BAN-1: nobody can ban themselves, the owner, or a member who is not below them', async () => {
  const { owner, above, actor, equal, bot } = people
  const refused = [
    [actor, [owner, above, equal, bot, actor]],
    [bot, [owner, above, equal, actor, bot]],
    [owner, [owner]],
  ] as const
  for (const [caller, targets] of refused)
    for (const { id } of targets)
      assert.deepEqual(outcomeOf(await ban(caller, id)), [403, 'member_not_below'])
  assert.deepEqual([await bannedIds(), await published()], [[], []])
  assert.equal((await owner.client.members.list(space.id)).length, 6)
  for (const { id } of [above, actor, equal, bot]) assert.equal((await ban(owner, id)).status, 200)
})

test('BAN-1: everyone else gets the same 403 for every id and body', async () => {
  const { owner, above, actor, below, outsider } = people
  await setEveryone(server, space.id, ALL_PERMISSIONS & ~Administrator)
  await actor.client.bans.create(space.id, below.id)
  const refused = [
    [above, 'missing_permission'],
    [outsider, 'not_a_member'],
    [below, 'not_a_member'],
  ] as const
  for (const [caller, code] of refused) {
    const expected = [403, code]
    for (const { method, id, body } of attempts([owner.id, below.id, outsider.id, newId()]))
      assert.deepEqual(outcomeOf(await caller.call(method, `${path}/${id}`, body)), expected)
    assert.deepEqual(outcomeOf(await caller.call('GET', path)), expected)
  }
})

/** Requests that ban, with various bodies, and that lift bans. */
function attempts(ids: readonly string[]): { method: string; id: string; body?: unknown }[] {
  return ids.flatMap((id) => [
    ...[undefined, {}, { reason: 1 }, '{'].map((body) => ({ method: 'PUT', id, body })),
    { method: 'DELETE', id },
  ])
}

test('BAN-1: a user who does not exist, or whose account is deleted, is 404, whatever the body', async () => {
  const gone = await createPerson(server, 'gone')
  await server.deps.database.execute(sql`update users set deleted_at = now() where id = ${gone.id}`)
  for (const id of [gone.id, newId(), space.id])
    for (const body of [undefined, { reason: 1 }])
      assert.deepEqual(outcomeOf(await ban(people.actor, id, body)), [404, 'unknown_user'])
  assert.equal((await ban(people.actor, 'x')).status, 400)
  assert.deepEqual([await bannedIds(), await published()], [[], []])
})

test('BAN-2: the body may be omitted; a reason has at most 512 characters, trimmed', async () => {
  const { actor, below } = people
  const reasons = [
    [undefined, null],
    [{}, null],
    [{ reason: null }, null],
    [{ reason: '  ' }, null],
    [{ reason: ' spam ' }, 'spam'],
    [{ reason: '😀'.repeat(512), delete_seconds: 0 }, '😀'.repeat(512)],
    [{ reason: 'long ago', delete_seconds: 604_800 }, 'long ago'],
  ] as const
  for (const [body, reason] of reasons)
    for (const method of ['PUT', 'POST']) {
      const answer = await actor.call(method, `${path}/${below.id}`, body)
      assert.deepEqual([answer.status, Object(answer.body).reason], [200, reason])
    }
})

test('BAN-2: an error names the wrong field of the body, and bans nobody', async () => {
  const { actor, below } = people
  const refused: [object, string][] = [
    [{ reason: 'x'.repeat(513) }, 'reason'],
    [{ reason: 1 }, 'reason'],
    [{ reason: 'a\0b' }, 'reason'],
    ...[-1, 604_801, 1.5, '1', null, true, 2 ** 53].map((seconds): [object, string] => [
      { delete_seconds: seconds },
      'delete_seconds',
    ]),
  ]
  for (const [body, named] of refused) {
    const answer = await ban(actor, below.id, body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(JSON.stringify(answer.body), new RegExp(named))
  }
  for (const body of ['null', '[]', '{']) assert.equal((await ban(actor, below.id, body)).status, 400)
  assert.deepEqual([await bannedIds(), await published()], [[], []])
  assert.equal((await below.call('GET', `/api/spaces/${space.id}`)).status, 200)
})

test('BAN-3: the space receives the end of the membership; the banned user receives it and nothing after it', async () => {
  const { owner, actor, below } = people
  const [inside, banned] = [await connect(server, owner), await connect(server, below)]
  await actor.client.bans.create(space.id, below.id, { reason: 'spam' })
  await owner.client.messages.create(space.general, { content: 'gone?' })
  await Promise.all([inside.settle(), banned.settle()])
  assert.deepEqual(
    banned.frames.flatMap(({ t }) => (t === undefined ? [] : [t])),
    ['READY', 'SPACE_MEMBER_DELETE', 'SPACE_DELETE'],
  )
  assert.deepEqual(
    inside.frames.flatMap(({ t }) => (t === undefined ? [] : [t])),
    ['READY', 'SPACE_MEMBER_DELETE', 'SPACE_BAN_CREATE', 'AUDIT_LOG_ENTRY_CREATE', 'MESSAGE_CREATE'],
  )
  for (const client of [inside, banned]) client.close()
  assert.equal((await below.call('GET', `/api/spaces/${space.id}`)).code, 'not_a_member')
})

test('BAN-4: banning again replaces the reason and banned_by; without effect it publishes nothing', async () => {
  const { owner, actor, below } = people
  const first = await actor.client.bans.create(space.id, below.id, { reason: 'spam' })
  assert.deepEqual(await actor.client.bans.create(space.id, below.id, { reason: 'spam' }), first)
  assert.equal((await published()).length, 1)
  const again = await owner.client.bans.create(space.id, below.id)
  assert.deepEqual(again, { ...first, reason: null, banned_by: owner.id })
  assert.deepEqual(await owner.client.bans.list(space.id), [again])
  assert.equal((await published()).length, 2)
})

test('BAN-5: a banned user cannot join by any invite until the ban is lifted', async () => {
  const { owner, actor, below, outsider } = people
  const { code } = await owner.client.invites.create(space.id, space.general)
  for (const { id } of [below, outsider]) await actor.client.bans.create(space.id, id)
  const other = await owner.client.invites.create(space.id, space.lounge)
  for (const person of [below, outsider])
    for (const invite of [code, other.code])
      assert.deepEqual(outcomeOf(await person.call('POST', `/api/invites/${invite}`)), [403, 'banned'])
  const [{ uses } = { uses: -1 }] = await owner.client.invites.list(space.id)
  assert.equal(uses, 0)
  await actor.client.bans.delete(space.id, below.id)
  await below.client.invites.join(code)
  assert.equal((await owner.client.members.list(space.id)).length, 6)
  assert.equal((await outsider.call('POST', `/api/invites/${code}`)).status, 403)
})

test('BAN-7: bans are listed by user id, in pages, including those of deleted accounts', async () => {
  const { owner, actor } = people
  const banned = await Promise.all(['one', 'two', 'three'].map((name) => createPerson(server, name)))
  for (const { id } of banned) await actor.client.bans.create(space.id, id, { reason: id })
  await server.deps.database.execute(sql`update users set deleted_at = now() where id = ${banned[0]?.id}`)
  const all = await actor.client.bans.list(space.id)
  assert.deepEqual(
    all.map(({ user_id, user, reason }) => [user_id, user.id, reason]),
    banned.map(({ id }) => [id, id, id]).toSorted(),
  )
  assert.deepEqual(
    Object.keys(all[0]?.user ?? {}).filter((key) => /email$|password|birthdate|phone/.test(key)),
    [],
  )
  const pages = [await owner.client.bans.list(space.id, { limit: 2 })]
  pages.push(await owner.client.bans.list(space.id, { limit: 2, after: pages[0]?.at(-1)?.user_id ?? '' }))
  assert.deepEqual([pages.map((page) => page.length), pages.flat()], [[2, 1], all])
  for (const query of ['limit=0', 'limit=1001', 'limit=x', 'limit=1.5', 'after=x', 'limit=1&limit=2'])
    assert.equal((await actor.call('GET', `${path}?${query}`)).status, 400, query)
  for (const query of ['limit=1', 'limit=1000'])
    assert.equal((await actor.call('GET', `${path}?${query}`)).status, 200)
})

test('BAN-8: a ban can be lifted once, and only in its own space', async () => {
  const { owner, actor, bot, below } = people
  const other = await makeRankedSpace(server, people, Administrator)
  await owner.client.bans.create(other.id, below.id)
  for (const id of [below.id, newId()])
    assert.deepEqual(outcomeOf(await actor.call('DELETE', `${path}/${id}`)), [404, 'unknown_ban'])
  assert.deepEqual(await published(), [])
  await owner.client.bans.create(space.id, below.id)
  assert.deepEqual(outcomeOf(await bot.call('DELETE', `${path}/${below.id}`)), [204, null])
  assert.deepEqual(outcomeOf(await bot.call('DELETE', `${path}/${below.id}`)), [404, 'unknown_ban'])
  assert.equal((await owner.client.bans.list(other.id)).length, 1)
  await owner.client.bans.create(other.id, actor.id)
  assert.equal((await actor.call('DELETE', `/api/spaces/${other.id}/bans/${actor.id}`)).code, 'not_a_member')
})

test('BAN-9: only the owner and administrators receive the events of bans', async () => {
  const { owner, above, actor, below, outsider } = people
  await join(outsider, owner, space)
  const clients = await Promise.all([owner, actor, above, outsider].map((person) => connect(server, person)))
  const made = await owner.client.bans.create(space.id, below.id, { reason: 'spam' })
  await owner.client.bans.delete(space.id, below.id)
  await Promise.all(clients.map((client) => client.settle()))
  const heard = clients.map((client) => [
    ...client.heard('SPACE_BAN_CREATE'),
    ...client.heard('SPACE_BAN_DELETE'),
  ])
  for (const client of clients) client.close()
  assert.deepEqual(
    heard.map((frames) => frames.length),
    [2, 2, 0, 0],
  )
  assert.deepEqual(
    heard[1]?.map(({ d }) => d),
    [made, { space_id: space.id, user_id: below.id }],
  )
  assert.deepEqual(await published(), [
    ['SPACE_BAN_CREATE', -Capability.BanMembers],
    ['SPACE_BAN_DELETE', -Capability.BanMembers],
  ])
})
