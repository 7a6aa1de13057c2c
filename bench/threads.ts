// Measures READY, pages of threads, and opening a thread, in a room with 100,000 threads.
import { Opcode } from '@foyer/protocol/gateway'
import { RoomType } from '@foyer/protocol/rooms'
import { type ThreadPage, threadStates } from '@foyer/protocol/thread-rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { sql } from '../apps/server/src/kernel/sql/sql.ts'
import { type Account, signUp } from './load/accounts.ts'
import { getRequest, HttpConnection } from './load/http-connection.ts'
import { percentile } from './load/latencies.ts'
import { fillRoom, withDatabase } from './load/messages.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Foyer, withFoyer } from './server/foyer.ts'

const MAX_LIST_P99_MS = 50
/** Factor by which READY may be larger and slower with threads than without. */
const MAX_READY_FACTOR = 1.03
const THREADS_AT_ONCE = 20_000
const MESSAGES = 200

const options = readOptions(
  { threads: 100_000, rounds: 400, pages: 2000, warmup: 100 },
  { threads: 400, rounds: 3, pages: 20, warmup: 2 },
)
const { threads, rounds, pages, warmup } = options.numbers
const figures = await withFoyer(options, measure)
const slow = {
  'pages of threads': figures.list_page_p99_ms > MAX_LIST_P99_MS,
  'READY with threads': figures.ready_with_p50_ms > figures.ready_without_p50_ms * MAX_READY_FACTOR,
}
report({
  ...options,
  name: 'threads',
  problems: [
    ...(figures.ready_with_bytes > figures.ready_without_bytes * MAX_READY_FACTOR ? ['READY is larger'] : []),
    ...Object.entries(slow).flatMap(([what, is]) => (is && !options.isSmoke ? [`slow: ${what}`] : [])),
  ],
  figures: { threads, ...figures },
})

async function measure(foyer: Foyer) {
  const [host, reader, plainHost, plainReader] = await signUp(foyer.port, 4)
  if (!(host && reader && plainHost && plainReader)) throw new Error('four accounts are needed')
  const rooms = await openRooms(foyer, host, reader)
  await openRooms(foyer, plainHost, plainReader)
  await insertThreads(foyer, host)
  const ready = await measureReady(foyer, reader, plainReader)
  const lists = await measureLists(foyer, reader, host.roomId)
  return { ...ready, ...lists, ...(await measureOpening(foyer, reader, rooms)) }
}

interface Rooms {
  threadIds: readonly [string, string]
  roomIds: readonly [string, string]
}

/** Adds the reader to the host's space, and creates two rooms and two threads there with the same messages. */
async function openRooms(
  foyer: Foyer,
  { client, spaceId, roomId, userId }: Account,
  reader: Account,
): Promise<Rooms> {
  const { code } = await client.invites.create(spaceId, roomId)
  await reader.client.invites.join(code)
  const makeRoom = async () => (await client.rooms.create(spaceId, { name: 'room', type: RoomType.Text })).id
  const makeThread = async () => (await client.api(ThreadRooms).create(roomId, { title: 'thread' })).id
  const rooms: Rooms = {
    roomIds: [await makeRoom(), await makeRoom()],
    threadIds: [await makeThread(), await makeThread()],
  }
  await withDatabase(foyer, async (database) => {
    for (const id of [...rooms.roomIds, ...rooms.threadIds])
      await fillRoom(database, { spaceId, roomId: id, authorIds: [userId, reader.userId], count: MESSAGES })
    await database.execute(sql`
      update messages set parent_id = ${roomId}
      where tenant_id = ${spaceId} and channel_id = any(${rooms.threadIds}::uuid[])`)
  })
  return rooms
}

/** Inserts threads. Each was last active a minute before the previous one. Some are asleep, and a tenth of them is closed. */
async function insertThreads(foyer: Foyer, { spaceId, roomId, userId }: Account): Promise<void> {
  await withDatabase(foyer, async (database) => {
    for (let from = 1; from <= threads; from += THREADS_AT_ONCE)
      await database.execute(sql`
        with thread as (
          insert into thread_rooms (space_id, id, room_id, title, creator_id, quiet_minutes, is_closed, is_laid, active_at)
          select ${spaceId}, gen_random_uuid(), ${roomId}, 'Thread number ' || number, ${userId},
            (array[0, 60, 1440, 4320, 10080])[1 + number % 5], number % 10 = 0, number % 7 = 0,
            now() - make_interval(mins => number)
          from generate_series(${from}::integer, ${Math.min(threads, from + THREADS_AT_ONCE - 1)}::integer) as number
          returning id
        )
        insert into message_heads (tenant_id, channel_id) select ${spaceId}, id from thread`)
    await database.execute(sql`analyze thread_rooms, message_heads, messages, reactions, attachments`)
  })
}

/** Measures READY by turns for two users: one is in a space with threads, the other in an equal space without threads. */
async function measureReady({ port }: Foyer, reader: Account, plainReader: Account) {
  const [withThreads, without]: [number[], number[]] = [[], []]
  let [withBytes, withoutBytes] = [0, 0]
  for (let round = -warmup; round < rounds; round += 1) {
    // Each user goes first in every other round.
    const early = round % 2 === 0 ? await readReady(port, reader) : undefined
    const other = await readReady(port, plainReader)
    const one = early ?? (await readReady(port, reader))
    withBytes = one.bytes
    withoutBytes = other.bytes
    if (round < 0) continue
    withThreads.push(one.ms)
    without.push(other.ms)
  }
  return {
    ready_with_p50_ms: percentile(withThreads, 0.5),
    ready_without_p50_ms: percentile(without, 0.5),
    ready_with_p99_ms: percentile(withThreads, 0.99),
    ready_without_p99_ms: percentile(without, 0.99),
    ready_with_bytes: withBytes,
    ready_without_bytes: withoutBytes,
  }
}

/** Connects as a client that supports threads. */
async function readReady(
  port: number,
  { accessToken, sessionToken }: Account,
): Promise<{ ms: number; bytes: number }> {
  const startedAt = performance.now()
  const socket = new WebSocket(`ws://127.0.0.1:${port}/gateway?v=1`)
  const { promise, resolve } = Promise.withResolvers<string>()
  const d = { token: accessToken, session_token: sessionToken, capabilities: ['threads'] }
  socket.onopen = () => socket.send(JSON.stringify({ op: Opcode.Identify, d }))
  socket.onmessage = ({ data }) => {
    if (String(data).includes('"t":"READY"')) resolve(String(data))
  }
  const text = await promise
  const ms = performance.now() - startedAt
  socket.close()
  return { ms, bytes: text.length }
}

/** Reads pages of all states, from anywhere in the list. */
async function measureLists({ port }: Foyer, reader: Account, roomId: string) {
  const connection = new HttpConnection(port)
  const latencies: number[] = []
  let listed = 0
  for (let page = -warmup; page < pages; page += 1) {
    const minutes = Math.floor(Math.random() * threads)
    const state = threadStates[Math.abs(page) % threadStates.length] ?? 'all'
    const before = `${Date.now() - minutes * 60_000}_${roomId}`
    const startedAt = performance.now()
    const body = await connection.send(
      getRequest(reader, `/api/rooms/${roomId}/threads?state=${state}&before=${before}`),
    )
    if (page < 0) continue
    latencies.push(performance.now() - startedAt)
    const found: ThreadPage = JSON.parse(body)
    listed += found.threads.length
  }
  connection.close()
  if (listed === 0) throw new Error('no page has a thread')
  return { list_page_p50_ms: percentile(latencies, 0.5), list_page_p99_ms: percentile(latencies, 0.99) }
}

/** Opens threads and rooms with the same messages by turns. Reads a page of messages and, for a thread, the thread itself. */
async function measureOpening({ port }: Foyer, reader: Account, { threadIds, roomIds }: Rooms) {
  const connection = new HttpConnection(port)
  const [opened, switched]: [number[], number[]] = [[], []]
  const timed = async (...paths: string[]) => {
    const startedAt = performance.now()
    for (const path of paths) await connection.send(getRequest(reader, path))
    return performance.now() - startedAt
  }
  for (let round = -warmup; round < rounds; round += 1) {
    const at = Math.abs(round) % 2 === 0 ? 0 : 1
    const thread = await timed(
      `/api/threads/${threadIds[at]}`,
      `/api/rooms/${threadIds[at]}/messages?limit=50`,
    )
    const room = await timed(`/api/rooms/${roomIds[at]}/messages?limit=50`)
    if (round < 0) continue
    opened.push(thread)
    switched.push(room)
  }
  connection.close()
  return {
    open_thread_p50_ms: percentile(opened, 0.5),
    open_thread_p99_ms: percentile(opened, 0.99),
    switch_room_p50_ms: percentile(switched, 0.5),
    switch_room_p99_ms: percentile(switched, 0.99),
  }
}
