import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import { sql } from '#src/kernel/sql/sql.ts'
import { answerOf, HostileSource } from '#test/scenes/hostile-source.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeDue, reachable, untilServed } from '#test/scenes/remote-follows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

/** Hosts of other servers: with two turns each, one more than are read at once. */
const HOSTS = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6']
/** Attempts, with the seconds until the next one. */
const EXPECTED_WAITS = [
  [1, 2],
  [3, 8],
  [12, 3600],
] as const

let server: TestServer
let reader: Person
let target: TestSpace
let source: HostileSource

before(async () => {
  server = await startOwnServer({ ...(await reachable()), allowedPrivateHosts: ['127.0.0.0/8'] })
  reader = await createPerson(server, 'reader')
})
after(() => server.close())
beforeEach(async (context) => {
  source = await HostileSource.start()
  target = await makeSpace(reader)
  await server.deps.database.execute(sql`delete from remote_follows`)
  if ('after' in context) context.after(() => source.close())
})

interface Row {
  attempts: number
  failing_since: string | null
  wait: number
  lease: number | null
  until_asked: number
}

async function readFollow(): Promise<Row> {
  const [row] = await server.deps.database.query<Row>(sql`
    select attempts, failing_since, extract(epoch from due_at - now())::float8 as wait,
      extract(epoch from lease_until - now())::float8 as lease,
      extract(epoch from subscribe_at - now())::float8 as until_asked
    from remote_follows`)
  if (row === undefined) throw new Error('there is no follow')
  return row
}

test('FOLLOW-48: a server that cannot be read is asked again after 2, 4, 8 seconds, and at last each hour', async () => {
  await reader.client.rooms.followRemote(target.general, source.page)
  await untilServed(server)
  source.respond = () => ({ status: 500, body: '' })
  for (const [attempts, seconds] of EXPECTED_WAITS) {
    await server.deps.database.execute(sql`
      update remote_follows set attempts = ${attempts - 1}, failing_since = now(), rest_until = now()`)
    await makeDue(server)
    await until(async () => (await readFollow()).attempts === attempts, 'it was never read')
    const { wait } = await readFollow()
    assert.ok(wait <= seconds && wait > seconds - 2, `after ${attempts} attempts it waits ${wait} s`)
  }
})

test('FOLLOW-48: a turn in which the other server was not asked does not end its failure', async () => {
  await reader.client.rooms.followRemote(target.general, source.page)
  await untilServed(server)
  await server.deps.database.execute(sql`update remote_follows set attempts = 7, failing_since = now()`)
  await reader.client.spaces.delete(target.id)
  await makeDue(server)
  await untilServed(server)
  const { attempts, failing_since } = await readFollow()
  assert.equal(attempts, 7)
  assert.notEqual(failing_since, null)
})

test('FOLLOW-42: a hub that refuses is asked again after about an hour', async () => {
  await reader.client.rooms.followRemote(target.general, source.page)
  await until(async () => source.askedOfHub === 1, 'the hub was never asked')
  await untilServed(server)
  const { until_asked } = await readFollow()
  assert.ok(until_asked > 3200 && until_asked < 3970, `it is asked again after ${until_asked} s`)
  await makeDue(server)
  await untilServed(server)
  assert.equal(source.askedOfHub, 1)
  await server.deps.database.execute(sql`update remote_follows set subscribe_at = now()`)
  await makeDue(server)
  await until(async () => source.askedOfHub === 2, 'the hub was never asked again')
})

test('FOLLOW-42: a subscription is renewed after seven tenths of its time', async () => {
  await reader.client.rooms.followRemote(target.general, source.page)
  await until(async () => source.askedOfHub === 1, 'the hub was never asked')
  await untilServed(server)
  const [row] = await server.deps.database.query<{ callback_id: string; feed_url: string }>(
    sql`select callback_id, feed_url from remote_follows`,
  )
  const query = new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.topic': row?.feed_url ?? '' })
  query.set('hub.challenge', 'challenge')
  query.set('hub.lease_seconds', '100000')
  assert.equal((await server.fetch(`/api/follow-callbacks/${row?.callback_id}?${query}`)).status, 200)
  const { lease, until_asked } = await readFollow()
  assert.ok(Math.abs((lease ?? 0) - 100_000) < 10)
  assert.ok(Math.abs(until_asked - 70_000) < 10)
  await server.deps.database.execute(sql`update remote_follows set subscribe_at = now()`)
  await makeDue(server)
  await until(async () => source.askedOfHub === 2, 'the subscription was never renewed')
})

test('FOLLOW-40: a space follows 100 rooms of other servers', async (context) => {
  await reader.client.rooms.followRemote(target.general, source.page)
  await untilServed(server)
  const { database } = server.deps
  await database.execute(sql`
    insert into webhooks
    select (jsonb_populate_record(webhooks, jsonb_build_object('id', gen_random_uuid(), 'source_room_id', gen_random_uuid()))).*
    from webhooks, generate_series(1, 98) where space_id = ${target.id}`)
  await database.execute(sql`
    insert into remote_follows
    select (jsonb_populate_record(remote_follows, jsonb_build_object('webhook_id', id, 'callback_id', id))).*
    from remote_follows join webhooks using (space_id) where id <> webhook_id`)
  const other = await HostileSource.start('127.0.0.7')
  context.after(() => other.close())
  const askInNewRoom = async () => {
    const { id } = await reader.client.rooms.create(target.id, { name: 'other', type: RoomType.Text })
    const { status, code } = await reader.call('POST', `/api/rooms/${id}/remote-follows`, { url: other.page })
    return code ?? status
  }
  assert.deepEqual([await askInNewRoom(), await askInNewRoom()], [201, 'too_many_remote_follows'])
})

test('FOLLOW-48: a process reads 8 feeds at a time, 2 of one host', async (context) => {
  const sources = await Promise.all(HOSTS.map((host) => HostileSource.start(host)))
  context.after(() => Promise.all(sources.map((each) => each.close())))
  const spaces = [target, await makeSpace(reader), await makeSpace(reader)]
  for (const { general } of spaces)
    for (const { page } of sources) await reader.client.rooms.followRemote(general, page)
  await untilServed(server)
  const reading = new Map<HostileSource, number>()
  const answers = Promise.withResolvers<void>()
  for (const each of sources)
    each.respond = async (position) => {
      reading.set(each, (reading.get(each) ?? 0) + 1)
      await answers.promise
      return answerOf(each.feedOf(), position)
    }
  const sum = () => [...reading.values()].reduce((total, count) => total + count, 0)
  // The follows of one host have waited longest.
  await server.deps.database.execute(sql`
    update remote_follows set calls = calls + 1, due_at = now() - case server when ${HOSTS[0]} then interval '1 minute' else '0' end`)
  await until(async () => sum() === 8, 'there were never 8')
  // Looks are made every two seconds.
  await new Promise((resolve) => setTimeout(resolve, 2500))
  assert.equal(sum(), 8)
  assert.equal(Math.max(...reading.values()), 2)
  answers.resolve()
  await until(async () => sum() === 15, 'not all were read')
})
