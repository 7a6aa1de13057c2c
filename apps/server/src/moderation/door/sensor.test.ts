import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { firstIdAt, newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect } from '#test/gateway-client.ts'
import { newestEntry } from '#test/scenes/audit-log.ts'
import { type Answer, createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

const LEAST = 5
const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS

let server: TestServer
let owner: Person
let crowd: Person[]
let space: TestSpace
let code: string

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  crowd = await Promise.all(Array.from({ length: 8 }, (_, index) => createPerson(server, `crowd${index}`)))
})
after(() => server.close())
beforeEach(async () => {
  space = await makeSpace(owner)
  code = (await owner.client.invites.create(space.id, space.general)).code
  await owner.client.door.update(space.id, { sensor: true, sensor_joins: LEAST })
})

const outcomeOf = ({ status, code }: Answer) => code ?? status
const join = (person: Person) => person.call('POST', `/api/invites/${code}`).then(outcomeOf)
const door = () => owner.client.door.get(space.id)
const isClosed = async () => (await door()).closed_at !== null

/** Adds joins of strangers to the history: so many in one minute, so long ago. */
async function insertJoins(count: number, agoMs: number): Promise<void> {
  const now = Date.now()
  const ids = Array.from({ length: count }, (_, index) => firstIdAt(now - agoMs - index))
  await server.deps.database.execute(sql`
    insert into audit_log (space_id, id, action, target_type, target_id)
    select ${space.id}, id, 'member_join', 'user', gen_random_uuid() from unnest(${ids}::uuid[]) as id`)
}

test('DOOR-20: as many joins in a minute as the sensor is set to close the door, and those who joined wait', async () => {
  const client = await connect(server, owner)
  const first = crowd.slice(0, LEAST - 1)
  for (const person of first) assert.equal(await join(person), 200)
  assert.equal(await isClosed(), false)
  const began = Date.now()
  assert.equal(await join(crowd[LEAST - 1] ?? owner), 'must_wait')
  const { d } = await client.findEvent('SPACE_DOOR_UPDATE')
  assert.ok(Date.now() - began < 2000)
  client.close()
  assert.partialDeepStrictEqual(await door(), { cause: 'joins', closed_by: null, newcomers: LEAST })
  assert.partialDeepStrictEqual(d, { cause: 'joins' })
  assert.equal(await join(crowd[LEAST] ?? owner), 'must_wait')
  assert.deepEqual(
    (await owner.client.members.list(space.id)).map(({ user_id }) => user_id),
    [owner.id],
  )
  const { entries } = await owner.client.auditLog.list(space.id, { action: 'door_update' })
  assert.partialDeepStrictEqual(entries[0], { actor_id: null, after: { closed: true, cause: 'joins' } })
})

test('DOOR-20: many joins at once let in fewer than the sensor is set to', async () => {
  const outcomes = await Promise.all(crowd.map(join))
  assert.equal(outcomes.filter((outcome) => outcome === 200).length, LEAST - 1)
  assert.equal((await door()).newcomers, crowd.length)
})

test('DOOR-20: joins of an earlier minute, and of one person again and again, do not count', async () => {
  await insertJoins(LEAST, MINUTE_MS + 1000)
  for (let time = 0; time < LEAST; time += 1) {
    assert.equal(await join(crowd[0] ?? owner), 200)
    await crowd[0]?.client.members.leave(space.id)
  }
  for (const person of crowd.slice(0, LEAST - 1)) assert.equal(await join(person), 200)
  assert.equal(await isClosed(), false)
})

test('DOOR-20: without its sensor, the door stays open', async () => {
  await owner.client.door.update(space.id, { sensor: false })
  for (const person of crowd) assert.equal(await join(person), 200)
})

test('DOOR-20: a door that is opened does not close for those who joined before', async () => {
  for (const person of crowd.slice(0, LEAST)) await join(person)
  assert.equal(await isClosed(), true)
  await owner.client.door.letIn(space.id)
  await until(async () => (await owner.client.members.list(space.id)).length === LEAST + 1, 'all are in')
  await owner.client.door.update(space.id, { closed: false })
  for (const person of crowd.slice(LEAST)) assert.equal(await join(person), 200)
})

test('DOOR-21: joins that are usual in the space are no raid', async () => {
  for (let day = 0; day < 4; day += 1) await insertJoins(2, day * DAY_MS + 20 * MINUTE_MS)
  for (const person of crowd.slice(0, 5)) assert.equal(await join(person), 200)
  assert.equal(await join(crowd[5] ?? owner), 'must_wait')
})

test('DOOR-21: a raid of some days ago is not usual', async () => {
  for (let day = 0; day < 3; day += 1) await insertJoins(100, day * DAY_MS + 20 * MINUTE_MS)
  for (const person of crowd.slice(0, LEAST - 1)) assert.equal(await join(person), 200)
  assert.equal(await join(crowd[LEAST] ?? owner), 'must_wait')
})

/** Has them join one by one over the last hour. */
async function joinSlowly(people: readonly Person[]): Promise<void> {
  for (const person of people) {
    await join(person)
    await server.deps.database.execute(sql`
      update audit_log set id = ${firstIdAt(Date.now() - 10 * MINUTE_MS + Math.floor(Math.random() * MINUTE_MS))}
      where space_id = ${space.id} and action = 'member_join' and target_id = ${person.id}`)
  }
}

async function say(person: Person, times: number): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let time = 0; time < times; time += 1)
    answers.push(await person.call('POST', `/api/rooms/${space.general}/messages`, { content: newId() }))
  return answers
}

test('DOOR-22: many messages of new members close the door, and those who joined within an hour wait', async () => {
  await joinSlowly(crowd)
  assert.equal(await isClosed(), false)
  await Promise.all(crowd.slice(0, 3).map((person) => say(person, 8)))
  await until(isClosed, 'the door is closed')
  assert.partialDeepStrictEqual(await door(), { cause: 'messages', closed_by: null, newcomers: crowd.length })
  assert.partialDeepStrictEqual(await newestEntry(owner, space.id), {
    after: { closed: true, cause: 'messages' },
  })
  const [answer] = await say(crowd[0] ?? owner, 1)
  assert.equal(answer?.code, 'not_a_member')
})

test('DOOR-22: a sensor that is set lower closes the door at the next message', async () => {
  await owner.client.door.update(space.id, { sensor_joins: 20 })
  await joinSlowly(crowd.slice(0, 4))
  await Promise.all(crowd.slice(0, 3).map((person) => say(person, 8)))
  assert.equal(await isClosed(), false)
  await owner.client.door.update(space.id, { sensor_joins: LEAST })
  await say(crowd[3] ?? owner, 1)
  await until(isClosed, 'the door is closed')
})

test('DOOR-22: messages of members with a role do not count', async () => {
  await joinSlowly(crowd.slice(0, 3))
  const role = await owner.client.roles.create(space.id, { name: 'Known' })
  for (const person of crowd.slice(0, 3)) await owner.client.roles.assign(space.id, person.id, role.id)
  await Promise.all(crowd.slice(0, 3).map((person) => say(person, 8)))
  await say(owner, 20)
  assert.equal(await isClosed(), false)
})

test('DOOR-22: many messages of one member, or of those who have been there longer, do not', async () => {
  const [one = owner, ...others] = crowd.slice(0, 4)
  await joinSlowly([one, ...others])
  await server.deps.database.execute(sql`
    update members set joined_at = now() - interval '61 minutes'
    where space_id = ${space.id} and user_id <> ${one.id}`)
  await say(one, 3 * LEAST + 5)
  await Promise.all(others.map((person) => say(person, 8)))
  await say(one, 1)
  assert.equal(await isClosed(), false)
})
