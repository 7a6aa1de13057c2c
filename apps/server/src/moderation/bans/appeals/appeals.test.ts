import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Appeals } from '@foyer/sdk/api/appeals'
import { Client } from '@foyer/sdk/client'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { signIn } from '#test/scenes/accounts.ts'
import { newestEntry } from '#test/scenes/audit-log.ts'
import { type Answer, createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let member: Person
let banned: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  member = await createPerson(server, 'member')
  banned = await createPerson(server, 'banned')
})
after(() => server.close())
beforeEach(async () => {
  space = await makeSpace(owner, [member, banned])
  await owner.client.bans.create(space.id, banned.id, { reason: 'spam' })
})

const outcomeOf = ({ status, code }: Answer) => code ?? status
const ask = (person: Person, body: unknown = { text: 'I am sorry.' }) =>
  person.call('POST', `/api/spaces/${space.id}/appeal`, body).then(outcomeOf)
const decide = (id: string, accepted: boolean, answer?: string) =>
  owner.client.api(Appeals).decide(space.id, id, { accepted, ...(answer !== undefined && { answer }) })
const waiting = async () => (await owner.client.api(Appeals).list(space.id)).map(({ id }) => id)

test('APPEAL-1: a banned user asks once to be let in again, without being a member', async () => {
  for (const body of [{}, { text: '' }, { text: ' ' }, { text: null }, { text: 'x'.repeat(2001) }])
    assert.equal(await ask(banned, body), 'invalid_request')
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => ask(banned)))
  assert.deepEqual(outcomes.toSorted(), [201, 'already_appealed', 'already_appealed', 'already_appealed'])
  const own = await banned.client.api(Appeals).getOwn(space.id)
  assert.partialDeepStrictEqual(own, { text: 'I am sorry.', state: 'open', answer: null })
  assert.deepEqual(await waiting(), [own.id])
})

test('APPEAL-1: nobody else appeals, and it does not show that the space exists', async () => {
  for (const person of [owner, member, await createPerson(server, `outsider${space.id.slice(-6)}`)])
    assert.equal(await ask(person), 'unknown_ban')
  const { id } = await createPerson(server, `other${space.id.slice(-6)}`)
  const answer = await banned.call('POST', `/api/spaces/${id}/appeal`, { text: 'hello' })
  assert.equal(outcomeOf(answer), 'unknown_ban')
})

test('APPEAL-7: only a banned user is told that there is no appeal, and nothing shows that a space exists', async () => {
  const read = (person: Person, spaceId = space.id) =>
    person.call('GET', `/api/spaces/${spaceId}/appeal`).then(outcomeOf)
  assert.equal(await read(banned), 'unknown_appeal')
  for (const person of [owner, member]) assert.equal(await read(person), 'unknown_ban')
  assert.equal(await read(banned, banned.id), 'unknown_ban')
  await owner.client.spaces.delete(space.id)
  assert.equal(await read(banned), 'unknown_ban')
})

test('APPEAL-8: the answer to an accepted appeal stays until the user joins', async () => {
  const read = () => banned.call('GET', `/api/spaces/${space.id}/appeal`)
  await ask(banned)
  const [id = ''] = await waiting()
  await decide(id, true, 'Welcome back.')
  assert.partialDeepStrictEqual((await read()).body, { state: 'accepted', answer: 'Welcome back.' })
  await assert.rejects(decide(id, false), { code: 'already_decided' })
  await join(banned, owner, space)
  assert.equal(outcomeOf(await read()), 'unknown_ban')
})

test('APPEAL-9: users list their own appeals, newest first, and see no reason, no other user and no deleted space', async () => {
  const list = async (person: Person) => (await person.call('GET', '/api/users/@me/appeals')).body
  const second = await makeSpace(owner, [banned])
  await owner.client.bans.create(second.id, banned.id, { reason: 'spam' })
  const before = [second, space].map(({ id }) => id)
  for (const id of before.toReversed()) await banned.client.api(Appeals).create(id, { text: 'I am sorry.' })
  const listOwn = async () =>
    (await banned.client.api(Appeals).listOwn()).filter((one) => before.includes(one.space.id))
  const own = await listOwn()
  assert.deepEqual(
    own.map((one) => one.space.id),
    before,
  )
  assert.partialDeepStrictEqual(own[0], {
    text: 'I am sorry.',
    state: 'open',
    answer: null,
    decided_at: null,
  })
  assert.deepEqual(Object.keys(own[0]?.space ?? {}).toSorted(), ['icon', 'id', 'name'])
  assert.doesNotMatch(JSON.stringify(own), /spam|owner/)
  for (const person of [owner, member]) assert.deepEqual(await list(person), [])
  await owner.client.spaces.delete(second.id)
  await decide(own[1]?.id ?? '', true, 'Welcome back.')
  assert.partialDeepStrictEqual(await listOwn(), [
    { state: 'accepted', answer: 'Welcome back.', space: { id: space.id } },
  ])
  await join(banned, owner, space)
  assert.deepEqual(await listOwn(), [])
})

test('APPEAL-8: a later ban ends the accepted appeal, and can be appealed against', async () => {
  await ask(banned)
  const [id = ''] = await waiting()
  await decide(id, true)
  await owner.client.bans.create(space.id, banned.id)
  assert.equal(outcomeOf(await banned.call('GET', `/api/spaces/${space.id}/appeal`)), 'unknown_appeal')
  assert.equal(await ask(banned), 201)
  await owner.client.bans.create(space.id, banned.id, { reason: 'another reason' })
  assert.equal((await waiting()).length, 1)
})

test('APPEAL-2: members with BanMembers read and decide; others and the banned user do not', async () => {
  await ask(banned)
  const [id] = await waiting()
  const calls = (person: Person) =>
    Promise.all([
      person.call('GET', `/api/spaces/${space.id}/appeals`).then(outcomeOf),
      person
        .call('POST', `/api/spaces/${space.id}/appeals/${id}/decision`, { accepted: true })
        .then(outcomeOf),
    ])
  assert.deepEqual(await calls(member), ['missing_permission', 'missing_permission'])
  assert.deepEqual(await calls(banned), ['not_a_member', 'not_a_member'])
  const decision = `/api/spaces/${space.id}/appeals/${space.id}/decision`
  assert.equal(outcomeOf(await owner.call('POST', decision, { accepted: true })), 'unknown_appeal')
  assert.deepEqual(await waiting(), [id])
})

test('APPEAL-3: accepting ends the ban, and the user is told', async () => {
  const client = await connect(server, banned)
  await ask(banned)
  const [id = ''] = await waiting()
  const decided = await decide(id, true, 'Welcome back.')
  assert.partialDeepStrictEqual(decided, { state: 'accepted', answer: 'Welcome back.' })
  assert.deepEqual((await client.findEvent('APPEAL_UPDATE')).d, decided)
  assert.deepEqual(await owner.client.bans.list(space.id), [])
  assert.equal((await newestEntry(owner, space.id)).action, 'ban_delete')
  await join(banned, owner, space)
  client.close()
})

test('APPEAL-3: refusing lets the ban stay, once, and the user is told', async () => {
  const client = await connect(server, banned)
  await ask(banned)
  const [id = ''] = await waiting()
  const outcomes = await Promise.allSettled([decide(id, false, 'Not yet.'), decide(id, true)])
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  await client.findEvent('APPEAL_UPDATE')
  await client.settle()
  assert.equal(client.heard('APPEAL_UPDATE').length, 1)
  assert.deepEqual(await waiting(), [])
  client.close()
})

test('APPEAL-3: a refusal is in the audit log', async () => {
  await ask(banned)
  const [id = ''] = await waiting()
  await decide(id, false, 'Not yet.')
  assert.partialDeepStrictEqual(await newestEntry(owner, space.id), {
    action: 'appeal_refuse',
    target_id: banned.id,
    after: { answer: 'Not yet.' },
  })
  assert.equal(await ask(banned), 'already_appealed')
  assert.equal((await owner.client.bans.list(space.id)).length, 1)
})

test('APPEAL-4: an appeal ends with its ban, and a later ban can be appealed against', async () => {
  await ask(banned)
  await owner.client.bans.delete(space.id, banned.id)
  assert.deepEqual(await waiting(), [])
  const rows = await server.deps.database.query(sql`select from appeals where space_id = ${space.id}`)
  assert.equal(rows.length, 0)
  await owner.client.bans.create(space.id, banned.id)
  assert.equal(await ask(banned), 201)
})

test('APPEAL-4: when a ban is lifted without a decision, the user and the moderators are told', async () => {
  await ask(banned)
  const own = await banned.client.api(Appeals).getOwn(space.id)
  const [client, moderator] = [await connect(server, banned), await connect(server, owner)]
  await owner.client.bans.delete(space.id, banned.id)
  const { d } = await client.findEvent('APPEAL_UPDATE')
  assert.partialDeepStrictEqual(d, { id: own.id, state: 'accepted', answer: null })
  assert.deepEqual((await moderator.findEvent('APPEALS_UPDATE')).d, { space_id: space.id })
  for (const each of [client, moderator]) each.close()
})

test('APPEAL-4: moderators are told of appeals', async () => {
  const [client, other] = [await connect(server, owner), await connect(server, member)]
  await ask(banned)
  assert.deepEqual((await client.findEvent('APPEALS_UPDATE')).d, { space_id: space.id })
  await other.settle()
  assert.deepEqual(other.heard('APPEALS_UPDATE'), [])
  for (const each of [client, other]) each.close()
})

test('APPEAL-5: those who decide read the reason of the ban, and the banned user does not', async () => {
  const client = await connect(server, banned)
  await ask(banned)
  const reasons = async () =>
    (await owner.client.api(Appeals).list(space.id)).map(({ ban_reason }) => ban_reason)
  assert.deepEqual(await reasons(), ['spam'])
  await owner.client.bans.create(space.id, banned.id, { reason: 'advertising' })
  assert.deepEqual(await reasons(), ['advertising'])
  const own = await banned.call('GET', `/api/spaces/${space.id}/appeal`)
  await decide((await waiting())[0] ?? '', false)
  const { d } = await client.findEvent('APPEAL_UPDATE')
  const later = await banned.call('GET', `/api/spaces/${space.id}/appeal`)
  for (const told of [own.body, d, later.body]) {
    assert.partialDeepStrictEqual(told, { text: 'I am sorry.' })
    assert.doesNotMatch(JSON.stringify(told), /reason|spam|advertising/)
  }
  client.close()
})

test('APPEAL-5: the reason of a ban is not in what the banned user hears when it is lifted', async () => {
  const client = await connect(server, banned)
  await ask(banned)
  await decide((await waiting())[0] ?? '', true)
  const { d } = await client.findEvent('APPEAL_UPDATE')
  assert.partialDeepStrictEqual(d, { state: 'accepted' })
  await client.settle()
  assert.doesNotMatch(JSON.stringify(client.heard('APPEAL_UPDATE')), /reason|spam/)
  client.close()
})

/** Bans an account that has a password, with which it can be deleted. */
async function banLeaver(name: string) {
  const tokens = await signIn(server, name)
  const { id } = tokens.user
  await owner.client.bans.create(space.id, id, { reason: 'spam' })
  return { id, client: new Client({ baseUrl: server.url, tokens, retry: { maxAttempts: 1 } }) }
}

async function countAppealsOf(userId: string): Promise<number> {
  const rows = await server.deps.database.query(sql`select from appeals where user_id = ${userId}`)
  return rows.length
}

test('APPEAL-6: appeals are deleted with the account, and the moderators are told', async () => {
  const { id, client } = await banLeaver('leaver')
  await client.api(Appeals).create(space.id, { text: 'Please.' })
  await ask(banned)
  const left = (await waiting()).at(-1)
  const moderator = await connect(server, owner)
  await client.users.deleteMe({ password: TEST_PASSWORD })
  assert.deepEqual((await moderator.findEvent('APPEALS_UPDATE')).d, { space_id: space.id })
  assert.deepEqual(await waiting(), [left])
  assert.equal(await countAppealsOf(id), 0)
  assert.equal((await owner.client.bans.list(space.id)).length, 2)
  moderator.close()
})

test('APPEAL-6: a refused appeal is deleted with the account, too, and nobody needs to be told', async () => {
  const { id, client } = await banLeaver('refused')
  const { id: appealId } = await client.api(Appeals).create(space.id, { text: 'Please.' })
  await decide(appealId, false)
  const moderator = await connect(server, owner)
  await client.users.deleteMe({ password: TEST_PASSWORD })
  assert.equal(await countAppealsOf(id), 0)
  await moderator.settle()
  assert.deepEqual(moderator.heard('APPEALS_UPDATE'), [])
  moderator.close()
})

test('APPEAL-6: an appeal that waits while its account is deleted is not made', async () => {
  const { id, client } = await banLeaver('hurried')
  const lock = await holdLock(server, sql`select from spaces where id = ${space.id} for no key update`)
  const refusal = assert.rejects(client.api(Appeals).create(space.id, { text: 'Please.' }), { status: 401 })
  await lock.waitForBlocked(1)
  await client.users.deleteMe({ password: TEST_PASSWORD })
  await lock.release()
  await refusal
  assert.equal(await countAppealsOf(id), 0)
})
