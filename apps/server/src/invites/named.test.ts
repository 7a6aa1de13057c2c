import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { MAX_INVITE_USES } from '@foyer/protocol/limits'
import { Permission } from '@foyer/protocol/permissions'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal, setEveryone } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let member: Person
let space: TestSpace
let guests: Person[]
let count = 0

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  member = await createPerson(server, 'member')
  guests = await Promise.all(['ann', 'ben', 'cat', 'dan', 'eli'].map((name) => createPerson(server, name)))
})
after(() => server.close())
beforeEach(async () => {
  count += 1
  space = await makeSpace(owner, [member])
})

const create = (body: unknown, caller = owner, at = space) =>
  caller.call('POST', `/api/spaces/${at.id}/rooms/${at.general}/invites`, body)
const outcomeOf = ({ status, code }: { status: number; code: string | null }) => code ?? status
const join = (person: Person, code: string) => person.call('POST', `/api/invites/${code}`).then(outcomeOf)

test('INVITE-19: an invite ends with its last use, whoever joins at once', async () => {
  const { code, id, max_uses } = await owner.client.invites.create(space.id, space.general, { max_uses: 2 })
  assert.equal(max_uses, 2)
  const outcomes = await Promise.all(guests.map((guest) => join(guest, code)))
  assert.deepEqual(outcomes.toSorted(), [200, 200, 'unknown_invite', 'unknown_invite', 'unknown_invite'])
  assert.equal((await owner.call('GET', `/api/invites/${code}`)).code, 'unknown_invite')
  assert.ok((await owner.client.invites.list(space.id)).every((invite) => invite.id !== id))
  const journal = await listJournal(server, topicOf.space(space.id))
  const ends = journal.filter(({ name }) => name === 'SPACE_INVITE_DELETE').map(({ data }) => data)
  assert.deepEqual(ends, [{ space_id: space.id, invite_id: id, code }])
})

test('INVITE-19: a member who uses it again takes no place', async () => {
  const { code } = await owner.client.invites.create(space.id, space.general, { max_uses: 1 })
  assert.equal(await join(member, code), 200)
  const [first, second] = guests
  assert.ok(first && second)
  assert.equal(await join(first, code), 200)
  assert.equal(await join(second, code), 'unknown_invite')
})

test('INVITE-19: max_uses is an integer from 0, for any number, to 1000', async () => {
  for (const max_uses of [0, 1, MAX_INVITE_USES]) assert.equal((await create({ max_uses })).status, 200)
  for (const max_uses of [-1, MAX_INVITE_USES + 1, '1', 1.5, null, 1e300])
    assert.equal((await create({ max_uses })).code, 'invalid_request')
})

test('INVITE-20: an invite can be named, and is found by its name in letters of any case', async () => {
  const name = `hikers-${count}`
  const { code } = await owner.client.invites.create(space.id, space.general, { name })
  assert.equal(code, name)
  const [first] = guests
  assert.ok(first)
  assert.equal(await join(first, `Hikers-${count}`), 200)
  assert.equal((await first.client.invites.get(name.toUpperCase())).code, name)
  const [invite] = await owner.client.invites.list(space.id)
  assert.deepEqual([invite?.code, invite?.uses], [name, 1])
})

test('INVITE-20: only members with ManageInvites name an invite', async () => {
  await setEveryone(server, space.id, Permission.CreateInvites | Permission.ViewChannels)
  assert.equal((await create({ name: `mine-${count}` }, member)).code, 'missing_permission')
  assert.equal((await create({}, member)).status, 200)
  await setEveryone(
    server,
    space.id,
    Permission.CreateInvites | Permission.ViewChannels | Permission.ManageInvites,
  )
  assert.equal((await create({ name: `mine-${count}` }, member)).status, 200)
})

test('INVITE-20: a name has 3 to 32 small letters, digits and hyphens, not at its ends', async () => {
  for (const name of [`a-${count}`, `${count}${'x'.repeat(29)}`, `a--b${count}`])
    assert.equal((await create({ name })).status, 200, name)
  const refused = [
    '',
    'ab',
    'x'.repeat(33),
    'Hikers',
    'a b c',
    '-abc',
    'abc-',
    'a/b',
    'ümlaut',
    'a_b',
    null,
    5,
  ]
  for (const name of refused) assert.equal((await create({ name })).code, 'invalid_request', String(name))
})

test('INVITE-20: a name belongs to one working invite of the whole server, however many take it at once', async () => {
  const other = await makeSpace(owner)
  const name = `taken-${count}`
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => create({ name }, owner, index % 2 === 0 ? space : other)),
  )
  assert.deepEqual(answers.map(outcomeOf).toSorted(), [200, ...Array(7).fill('name_taken')])
  const { id, space_id } = Object(answers.find(({ status }) => status === 200)?.body)
  await owner.client.invites.revoke(space_id, id)
  assert.equal((await create({ name })).status, 200)
})

test('INVITE-20: whoever takes a name waits for another who is taking it', async () => {
  const name = `slow-${count}`
  const { id } = await owner.client.invites.create(space.id, space.general)
  const lock = await holdLock(server, sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
  const later = create({ name })
  await lock.waitForBlocked(1)
  await server.deps.database.execute(
    sql`update invites set code = ${name} where space_id = ${space.id} and id = ${id}`,
  )
  await lock.release()
  assert.equal(outcomeOf(await later), 'name_taken')
})
