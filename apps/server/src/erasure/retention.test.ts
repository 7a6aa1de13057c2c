import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { Administration } from '@foyer/sdk/api/administration'
import { firstIdAt } from '#src/kernel/ids.ts'
import { enqueueInLine } from '#src/kernel/jobs.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { Fragment, sql } from '#src/kernel/sql/sql.ts'
import { passTime } from '#test/file-consistency.ts'
import { connect } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { makeOlder } from '#test/scenes/aged-messages.ts'
import { note } from '#test/scenes/messages.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { formOf } from '#test/scenes/pictures.ts'
import { assignRole, insertRole, listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { listTablesWith } from '#test/table-scan.ts'
import { until } from '#test/until.ts'
import { erasureJobs } from './jobs.ts'
import { Retention, type RetentionProgress } from './retention.ts'

let server: TestServer
let ada: Person
let owner: Person
let member: Person
let space: TestSpace
let count = 0

before(async () => {
  server = await startOwnServer()
  ada = await createOperator(server, 'ada')
})
after(() => server.close())
beforeEach(async () => {
  count += 1
  owner = await createPerson(server, `owner${count}`)
  member = await createPerson(server, `member${count}`)
  space = await makeSpace(owner, [member])
})

const say = async (content: string, daysAgo: number, roomId = space.general) => {
  const { id } = await member.client.messages.create(roomId, { content })
  return makeOlder(server, { id: space.id, general: roomId }, id, daysAgo)
}
/** Runs until nothing is left: a run ends after two seconds. */
const run = async () => {
  let progress: RetentionProgress | undefined
  do progress = await new Retention(server.deps, progress).run()
  while (progress !== undefined)
}
const textsIn = async (roomId: string) =>
  // A message that something was pinned has no text.
  (await owner.client.messages.list(roomId)).map(({ content }) => content).filter((text) => text !== '')
const setOf = (id: string) => ({
  space: `/api/spaces/${id}`,
  room: `/api/spaces/${id}/rooms/${space.general}`,
})

/** Inserts many messages of two days ago. */
async function insertOld(messages: number, roomId = space.general): Promise<void> {
  const start = Date.now() - 2 * 86_400_000
  const ids = Array.from({ length: messages }, (_, index) => firstIdAt(start + index))
  await server.deps.database.execute(sql`
    with head as (
      update message_heads set last_seq = ${messages} where tenant_id = ${space.id} and channel_id = ${roomId})
    insert into messages (tenant_id, channel_id, id, seq, author_id, content, created_at)
    select ${space.id}, ${roomId}, id, place, ${owner.id}, 'old', now() - interval '2 days'
    from unnest(${ids}::uuid[]) with ordinality as old (id, place)`)
}

test('RETAIN-1: messages older than the days of the space are deleted, with all that belongs to them', async () => {
  const sent = await member.client.messages.createWithFiles(space.general, { content: 'kettle' }, [
    note('leaves'),
  ])
  await owner.client.reactions.add({ channel: space.general, id: sent.id }, '👍')
  await owner.client.pins.add(space.general, sent.id)
  await until(
    async () => (await listTablesWith(server, [sent.id])).includes('message_words'),
    'it is indexed',
  )
  const old = await makeOlder(server, space, sent.id, 8)
  await say('new enough', 6)
  await run()
  assert.deepEqual(await textsIn(space.general), ['kettle', 'new enough'].toReversed())
  assert.equal((await owner.client.spaces.update(space.id, { retention_days: 7 })).retention_days, 7)
  await run()
  assert.deepEqual(await textsIn(space.general), ['new enough'])
  assert.deepEqual(await owner.client.pins.list(space.general), [])
  assert.equal((await server.fetch(sent.attachments[0]?.url ?? '')).status, 404)
  await passTime(server)
  await server.deps.database.execute(sql`update attachments set sweep_at = now() where state = 'removed'`)
  await passTime(server)
  await server.deps.database.execute(sql`delete from events`)
  assert.deepEqual(await listTablesWith(server, [old]), [])
})

test('RETAIN-1: members receive MESSAGE_DELETE_BULK, as when a moderator deletes in bulk', async () => {
  const old = await say('old', 2)
  await owner.client.spaces.update(space.id, { retention_days: 1 })
  const gateway = await connect(server, owner)
  await erasureJobs(server.deps).handlers.retain?.({})
  const heard = await gateway.findEvent('MESSAGE_DELETE_BULK')
  assert.ok(heard.text.includes(old))
  gateway.close()
  const room = (await owner.client.rooms.list(space.id)).find(({ id }) => id === space.general)
  assert.deepEqual([room?.last_message_id, room?.last_seq], [null, 1])
})

test('RETAIN-2: the days of a room come before those of its space', async () => {
  await owner.client.spaces.update(space.id, { retention_days: 2 })
  await owner.client.rooms.update(space.id, space.general, { retention_days: 30 })
  await say('kept here', 3)
  await say('not here', 3, space.lounge)
  await run()
  assert.deepEqual(await textsIn(space.general), ['kept here'])
  assert.deepEqual(await textsIn(space.lounge), [])
  await owner.client.rooms.update(space.id, space.general, { retention_days: null })
  await run()
  assert.deepEqual(await textsIn(space.general), [])
})

test('RETAIN-3: a number of days that makes no sense is refused and changes nothing', async () => {
  const { space: ofSpace, room } = setOf(space.id)
  const before = await listJournal(server, topicOf.space(space.id))
  for (const days of [0, -1, 10_000, 1.5, '', 'seven', true, [1], {}, Number.MAX_SAFE_INTEGER])
    for (const path of [ofSpace, room]) {
      const answer = await owner.call('PATCH', path, { retention_days: days })
      assert.deepEqual([answer.status, answer.code], [400, 'invalid_request'], `${path} ${days}`)
    }
  assert.deepEqual(await listJournal(server, topicOf.space(space.id)), before)
  for (const path of [ofSpace, room])
    assert.equal((await owner.call('PATCH', path, { retention_days: null })).status, 200)
  const byForm = async (days: string) => {
    const { code, body } = await owner.call('PATCH', ofSpace, formOf(['retention_days', days]))
    return code ?? Object(body).retention_days
  }
  assert.deepEqual(
    [await byForm('5'), await byForm('0'), await byForm('x'), await byForm('')],
    [5, 'invalid_request', 'invalid_request', null],
  )
  const category = space.rooms.find(({ type }) => type === 3)
  const { retention_days } = await owner.client.rooms.update(space.id, category?.id ?? '', {
    retention_days: 3,
  })
  assert.equal(retention_days, null)
})

test('RETAIN-3: it needs Manage Space in a space and Manage Rooms in a room', async () => {
  const { space: ofSpace, room } = setOf(space.id)
  const stranger = await createPerson(server, `stranger${count}`)
  const set = (person: Person, path: string) => person.call('PATCH', path, { retention_days: 5 })
  assert.equal((await set(member, ofSpace)).code, 'cannot_manage_space')
  assert.equal((await set(member, room)).code, 'missing_permission')
  assert.equal((await set(stranger, ofSpace)).status, 403)
  assert.equal((await set(stranger, room)).code, 'not_a_member')
  const permissions = Permission.ManageChannels
  const roleId = await insertRole(server, space.id, { permissions, position: 1 })
  await assignRole(server, { spaceId: space.id, userId: member.id, roleId })
  await owner.client.spaces.update(space.id, { name: 'Tea again' })
  assert.equal((await set(member, room)).status, 200)
  assert.equal((await set(member, ofSpace)).code, 'cannot_manage_space')
})

test('RETAIN-4: while a space is held or frozen, nothing is deleted for its age', async () => {
  await say('evidence', 9)
  await owner.client.spaces.update(space.id, { retention_days: 1 })
  const administration = ada.client.api(Administration)
  await administration.holdSpace(space.id)
  await run()
  assert.deepEqual(await textsIn(space.general), ['evidence'])
  await administration.freezeSpace(space.id)
  await administration.releaseSpace(space.id)
  await run()
  assert.deepEqual(await textsIn(space.general), ['evidence'])
  assert.equal((await owner.call('PATCH', setOf(space.id).space, { retention_days: 9 })).code, 'space_frozen')
  await administration.unfreezeSpace(space.id)
  await run()
  assert.deepEqual(await textsIn(space.general), [])
})

test('RETAIN-4: once a hold has been answered, a batch under way deletes nothing more', async () => {
  await insertOld(250)
  await owner.client.spaces.update(space.id, { retention_days: 1 })
  const lock = await holdLock(server, sql`select from spaces where id = ${space.id} for no key update`)
  const held = ada.client.api(Administration).holdSpace(space.id)
  await lock.waitForBlocked(1)
  const running = run()
  await lock.waitForBlocked(2)
  await lock.release()
  await held
  await running
  const [left] = await server.deps.database.query<{ count: number }>(sql`
    select count(*) from messages where tenant_id = ${space.id}`)
  assert.equal(left?.count, 250)
})

test('RETAIN-4: while a deleted space can be brought back, nothing in it is deleted for its age', async () => {
  await say('comes back', 9)
  await owner.client.spaces.update(space.id, { retention_days: 1 })
  await owner.client.spaces.delete(space.id)
  await run()
  await ada.client.api(Administration).restoreSpace(space.id)
  assert.deepEqual(await textsIn(space.general), ['comes back'])
})

test('RETAIN-5: messages are deleted in batches of a hundred, and a run that was interrupted continues', async () => {
  await insertOld(250)
  await owner.client.spaces.update(space.id, { retention_days: 1 })
  assert.notEqual(await new Retention(server.deps).run(AbortSignal.abort()), undefined)
  await say('new', 0)
  await run()
  assert.deepEqual(await textsIn(space.general), ['new'])
  const journal = await listJournal(server, topicOf.room(space.id, space.general))
  const sizes = journal.flatMap(({ name, data }) =>
    name === 'MESSAGE_DELETE_BULK' ? [Object(data).ids.length] : [],
  )
  assert.deepEqual(sizes, [100, 100, 50])
})

/** Makes each deletion in the room fail until the returned function is called. */
async function breakRoom(roomId: string): Promise<() => Promise<void>> {
  const { database } = server.deps
  await database.execute(sql`
    create function refuse() returns trigger language plpgsql as 'begin raise exception ''broken room''; end'`)
  // A definition takes no parameters.
  const when = new Fragment(`when (old.channel_id = '${roomId}')`)
  await database.execute(sql`
    create trigger broken before delete or update on messages for each row ${when} execute function refuse()`)
  return async () => {
    await database.execute(sql`drop function refuse() cascade`)
  }
}

test('RETAIN-5: a room that fails does not keep messages in others, and is tried again the next time', async () => {
  const [first = '', second = ''] = [space.general, space.lounge].toSorted()
  await say('stays', 2, first)
  await say('goes', 2, second)
  await owner.client.spaces.update(space.id, { retention_days: 1 })
  const mend = await breakRoom(first)
  await assert.rejects(run(), /rooms whose messages could not be deleted for their age: 1$/)
  assert.deepEqual([await textsIn(first), await textsIn(second)], [['stays'], []])
  await mend()
  await run()
  assert.deepEqual(await textsIn(first), [])
})

test('RETAIN-5: rooms take turns, so that a large one does not hold up the others', async () => {
  const [first = '', second = ''] = [space.general, space.lounge].toSorted()
  await insertOld(20_000, first)
  await say('goes', 2, second)
  await owner.client.spaces.update(space.id, { retention_days: 1 })
  const progress = await new Retention(server.deps).run()
  assert.deepEqual(await textsIn(second), [])
  assert.ok((await textsIn(first)).length > 0)
  // The next run begins behind them.
  assert.equal(progress?.last?.channelId, second)
  await server.deps.database.execute(sql`delete from messages where channel_id = ${first}`)
  await run()
})

test('RETAIN-5: the schedule does not begin anew while a run is to be continued', async () => {
  const { database } = server.deps
  const key = 'delete_aged_messages'
  const queueing = { queue: 'erasure', key, delaySeconds: 3600 }
  const progress = { skipped: [space.general], failures: 1 }
  await enqueueInLine(database, key, { progress }, queueing)
  for (const attempts of [0, 3]) {
    await database.execute(
      sql`update graphile_worker._private_jobs set attempts = ${attempts} where key = ${key}`,
    )
    await erasureJobs(server.deps).handlers.retain?.({})
    const waiting = await database.query(sql`
      select payload from graphile_worker._private_jobs where key = ${key}`)
    assert.deepEqual(waiting, [{ payload: { progress } }])
  }
  await database.execute(sql`select graphile_worker.remove_job(${key})`)
})

test('RETAIN-3: undoing the change in the audit log sets the days back', async () => {
  await owner.client.spaces.update(space.id, { retention_days: 30 })
  await owner.client.rooms.update(space.id, space.general, { retention_days: 5 })
  for (const action of ['room_update', 'space_update'] as const) {
    const { entries } = await owner.client.auditLog.list(space.id, { action })
    const [entry] = entries
    assert.deepEqual(Object.keys(entry?.after ?? {}), ['retention_days'])
    await owner.client.auditLog.undo(space.id, entry?.id ?? '')
  }
  assert.equal((await owner.client.spaces.get(space.id)).retention_days, null)
  const room = (await owner.client.rooms.list(space.id)).find(({ id }) => id === space.general)
  assert.equal(room?.retention_days, null)
})
