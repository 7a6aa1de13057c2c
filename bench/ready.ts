// Measures the time to READY for a user with 10,000 unread messages in 200 rooms of four spaces.
import { Opcode } from '@foyer/protocol/gateway'
import type { ReadState } from '@foyer/protocol/messages'
import { RoomType } from '@foyer/protocol/rooms'
import { type Account, signUp } from './load/accounts.ts'
import { GatewayConnection } from './load/gateway-connection.ts'
import { percentile } from './load/latencies.ts'
import { fillRoom, withDatabase } from './load/messages.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Foyer, withFoyer } from './server/foyer.ts'
import { cpuBetween, readCpuTimes } from './server/usage.ts'

const SPACES = 4
const MAX_MS = 100

const options = readOptions(
  { rooms: 200, unread: 10_000, rounds: 100, warmup: 10 },
  { rooms: 8, unread: 80, rounds: 3, warmup: 1 },
)
const { rooms, unread, rounds, warmup } = options.numbers
const { latencies, cpuMs, bytes, counted } = await withFoyer(options, measure)
const median = percentile(latencies, 0.5)
const isSlow = median > MAX_MS && !options.isSmoke
report({
  ...options,
  name: 'ready',
  problems: [
    ...(isSlow ? [`READY takes over ${MAX_MS} ms`] : []),
    ...(counted === unread ? [] : [`${counted} unread messages instead of ${unread}`]),
  ],
  figures: {
    connect_to_ready_p50_ms: median,
    connect_to_ready_p99_ms: percentile(latencies, 0.99),
    server_and_postgres_cpu_ms: cpuMs,
    ready_kib: bytes / 1024,
  },
})

async function measure(foyer: Foyer) {
  const [reader, ...hosts] = await signUp(foyer.port, SPACES + 1)
  if (reader === undefined) throw new Error('nobody reads')
  for (const host of hosts) await fillSpace(foyer, host, reader)
  for (let round = 0; round < warmup; round += 1) await join(foyer.port, reader)
  const before = readCpuTimes(foyer)
  const latencies: number[] = []
  for (let round = 0; round < rounds; round += 1) latencies.push(await join(foyer.port, reader))
  const cpu = cpuBetween(before, readCpuTimes(foyer))
  const text = await readReady(foyer.port, reader)
  const { d }: { d: { read_states: ReadState[] } } = JSON.parse(text)
  return {
    latencies,
    cpuMs: ((cpu.server + cpu.postgres) / rounds) * 1000,
    bytes: text.length,
    counted: d.read_states.reduce((sum, state) => sum + state.unread_count, 0),
  }
}

/** Lets the reader join, and then inserts messages, which are therefore unread. */
async function fillSpace(foyer: Foyer, host: Account, reader: Account): Promise<void> {
  const { spaceId, client } = host
  const { code } = await client.invites.create(spaceId, host.roomId)
  await reader.client.invites.join(code)
  const count = rooms / SPACES
  await withDatabase(foyer, async (database) => {
    for (let number = 1; number <= count; number += 1) {
      const { id: roomId } = await client.rooms.create(spaceId, {
        name: `room ${number}`,
        type: RoomType.Text,
      })
      await fillRoom(database, { spaceId, roomId, authorIds: [host.userId], count: unread / rooms })
    }
  })
}

/** Connects and returns the milliseconds until READY. */
async function join(port: number, account: Account): Promise<number> {
  const startedAt = performance.now()
  const connection = await GatewayConnection.open(port, account)
  const ms = performance.now() - startedAt
  connection.close()
  return ms
}

async function readReady(port: number, { accessToken, sessionToken }: Account): Promise<string> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/gateway?v=1`)
  const { promise, resolve } = Promise.withResolvers<string>()
  const identify = { op: Opcode.Identify, d: { token: accessToken, session_token: sessionToken } }
  socket.onopen = () => socket.send(JSON.stringify(identify))
  socket.onmessage = ({ data }) => {
    if (String(data).includes('"t":"READY"')) resolve(String(data))
  }
  const text = await promise
  socket.close()
  return text
}
