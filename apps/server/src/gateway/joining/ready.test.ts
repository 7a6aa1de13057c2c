import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { inflateRawSync } from 'node:zlib'
import { encodeEvent } from '#src/kernel/database/events.ts'
import { newId } from '#src/kernel/ids.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { listMemberships } from '#src/spaces/queries.ts'
import { loadSnapshot } from '#src/spaces/snapshots.ts'
import type { KnownSpace } from '#src/spaces/state.ts'
import { openSession } from '#test/gateway-client.ts'
import { makeDirect, say } from '#test/scenes/conversations.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { deflatedPieces, plainPieces } from '../connections/long-frames.ts'
import { makeLargeReady } from './large-ready.ts'
import { loadReady } from './ready.ts'

/** Names that look like the text the encoding replaces. */
const HOSTILE = ['"spaces":[]', String.raw`\"read_states\":[`, '"read_states":[', 'plain']
const OVERWRITES = 2000

let server: TestServer
let ada: Person
before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  for (const name of HOSTILE) {
    const { id, general } = await makeSpace(ada)
    await ada.client.spaces.update(id, { name })
    await ada.client.messages.create(general, { content: 'hello' })
  }
  const { id } = await makeDirect(server, ada, await createPerson(server, 'bob'))
  await say(ada, id)
  await server.deps.database.execute(sql`
    insert into room_overwrites (space_id, room_id, target_id, target_type, allow_flags, deny_flags)
    select space_id, (array_agg(id))[1], target, 1, 0, 1
    from rooms, lateral (select uuidv7() as target from generate_series(1, ${OVERWRITES}::integer)) as targets
    group by space_id, target`)
})
after(() => server.close())

async function loadAll() {
  const { token, session_token: sessionToken } = await openSession(server, ada.id)
  const credential = { authorization: `Bearer ${token}`, sessionToken }
  const caller = await server.deps.credentials.authenticate(credential, '127.0.0.1')
  assert.ok(caller)
  const connectionId = newId()
  const load = async (known: readonly KnownSpace[]) => ({
    ...(await loadReady({ ...server.deps, version: 'test' }, caller, {
      connection: { id: connectionId, hasForums: true },
      known,
    })),
    presences: [],
    status: 'online' as const,
    status_until: null,
    server_time: new Date(0).toISOString(),
  })
  return { whole: await load(await knownSpaces()), rest: await load([]) }
}

async function knownSpaces(): Promise<KnownSpace[]> {
  const { database } = server.deps
  const memberships = await listMemberships(database, ada.id)
  const known = memberships.map(async (member) => {
    const snapshot = await loadSnapshot(database, member.space_id)
    assert.ok(snapshot)
    return { member, snapshot }
  })
  return Promise.all(known)
}

/** The server's database, counting the rows of its longest result. */
function counting(database: Queryable) {
  const counted = { longest: 0 }
  const bulk: Queryable = {
    async query(query) {
      const rows = await database.query<never>(query)
      counted.longest = Math.max(counted.longest, rows.length)
      return rows
    },
  }
  return { bulk, counted }
}

test('GATEWAY-22: a large READY is loaded and encoded a few spaces at a time, with a turn of the event loop for each', async () => {
  const { whole, rest } = await loadAll()
  const { bulk, counted } = counting(server.deps.database.bulk)
  let turns = 0
  let isOver = false
  const spaces = whole.spaces.map(({ id }) => ({ id, weight: OVERWRITES }))
  const making = makeLargeReady({ bulk }, rest, { spaces: spaces.toReversed(), forums: true }).finally(() => {
    isOver = true
  })
  while (!isOver) {
    await nextTurn()
    turns += 1
  }
  assert.ok(turns >= whole.spaces.length && whole.spaces.length === HOSTILE.length, `${turns} turns`)
  const expected = JSON.parse(encodeEvent('READY', whole))
  const made = JSON.parse(String(Buffer.concat(await making)))
  assert.ok(rest.read_states.length > 0 && whole.read_states.length > HOSTILE.length)
  assert.deepEqual(made, { ...expected, read_states: made.read_states })
  assert.deepEqual(new Set(made.read_states), new Set(expected.read_states))
  assert.equal(counted.longest, 2 * OVERWRITES)
})

test('GATEWAY-22: the pieces of a large READY are sent unjoined or compressed, as one frame', async () => {
  const data = Array.from({ length: 40 }, (_, index) => Buffer.alloc(10_000 + index, `${index},`))
  const event = { id: newId(), name: 'READY', data }
  const [header = Buffer.of(), ...payload] = plainPieces(event)
  assert.ok(data.every((piece) => payload.includes(piece)))
  const text = Buffer.concat(payload)
  assert.deepEqual([header[1], header.readBigUInt64BE(2)], [127, BigInt(text.length)])
  const [compressed = Buffer.of(), ...flushed] = await deflatedPieces(event)
  const bytes = Buffer.concat(flushed)
  assert.equal(bytes.length, compressed[1] === 126 ? compressed.readUInt16BE(2) : compressed[1])
  const inflated = inflateRawSync(Buffer.concat([bytes, Buffer.of(0, 0, 0xff, 0xff)]), { finishFlush: 2 })
  assert.equal(String(inflated), String(text))
})
