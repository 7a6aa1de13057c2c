// Measures the cost of hiding a room from half of many connected members, and of showing it again.
import { setTimeout as sleep } from 'node:timers/promises'
import { Permission } from '@foyer/protocol/permissions'
import { type Account, signUp } from './load/accounts.ts'
import { GatewayConnection } from './load/gateway-connection.ts'
import { inGroups } from './load/groups.ts'
import { percentile } from './load/latencies.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { EventLoopWatch } from './server/event-loop.ts'
import { type Foyer, withFoyer } from './server/foyer.ts'
import { readCpuTimes } from './server/usage.ts'

const OPENING_AT_ONCE = 25
const MAX_WAIT_MS = 20_000
const POLL_MS = 2
const HEARTBEAT_MS = 30_000

const options = readOptions(
  { connections: 10_000, members: 100, changes: 20 },
  { connections: 100, members: 4, changes: 2 },
)
const load = options.numbers
const { figures, problems } = await withFoyer(options, measure)
report({ ...options, name: `access-change-${load.connections}-connections`, figures, problems })

interface RoomEvents {
  ROOM_DELETE: number
  ROOM_CREATE: number
}

interface Piece {
  longestMs: number
  untilAllMs: number
  cpuMs: number
}

async function measure(foyer: Foyer) {
  const [owner, ...members] = await signUp(foyer.port, load.members + 1)
  if (owner === undefined) throw new Error('there is no owner')
  const roleId = await addMembers(owner, members)
  const received: RoomEvents = { ROOM_DELETE: 0, ROOM_CREATE: 0 }
  const connections = await connectAll(foyer.port, members, received)
  const heart = setInterval(() => beatAll(connections), HEARTBEAT_MS)
  const watch = await EventLoopWatch.open(foyer)
  const pieces: Piece[] = []
  for (let index = 0; index < load.changes; index += 1)
    pieces.push(await changeOnce({ foyer, owner, roleId, received, watch }, index))
  clearInterval(heart)
  const closed = connections.filter(({ isOpen }) => !isOpen).length
  for (const connection of connections) connection.close()
  const expected = (load.connections / 2) * load.changes
  const total = received.ROOM_DELETE + received.ROOM_CREATE
  return {
    problems: [
      ...(closed > 0 ? [`${closed} connections were cut off`] : []),
      ...(total === expected ? [] : [`${total} connections received a room event, not ${expected}`]),
    ],
    figures: {
      longest_piece_p50_ms: percentile(
        pieces.map(({ longestMs }) => longestMs),
        0.5,
      ),
      longest_piece_max_ms: Math.max(...pieces.map(({ longestMs }) => longestMs)),
      until_all_are_told_p50_ms: percentile(
        pieces.map(({ untilAllMs }) => untilAllMs),
        0.5,
      ),
      server_cpu_p50_ms: percentile(
        pieces.map(({ cpuMs }) => cpuMs),
        0.5,
      ),
    },
  }
}

/** Adds the members to the owner's space. Every second one gets the role. */
async function addMembers(owner: Account, members: readonly Account[]): Promise<string> {
  const { id } = await owner.client.roles.create(owner.spaceId, { name: 'Half' })
  const { code } = await owner.client.invites.create(owner.spaceId, owner.roomId)
  for (const [index, { client, userId }] of members.entries()) {
    await client.invites.join(code)
    if (index % 2 === 0) await owner.client.roles.assign(owner.spaceId, userId, id)
  }
  return id
}

function connectAll(
  port: number,
  members: readonly Account[],
  received: RoomEvents,
): Promise<GatewayConnection[]> {
  const owners = Array.from({ length: load.connections }, (_, index) => members[index % members.length])
  const given = owners.filter((owner) => owner !== undefined)
  const onEvent = (name: string) => {
    if (name === 'ROOM_DELETE' || name === 'ROOM_CREATE') received[name] += 1
  }
  return inGroups(given, OPENING_AT_ONCE, (member) => GatewayConnection.open(port, member, { onEvent }))
}

interface Stage {
  foyer: Foyer
  owner: Account
  roleId: string
  received: RoomEvents
  watch: EventLoopWatch
}

async function changeOnce({ foyer, owner, roleId, received, watch }: Stage, index: number): Promise<Piece> {
  const hides = index % 2 === 0
  const name = hides ? 'ROOM_DELETE' : 'ROOM_CREATE'
  const goal = received[name] + load.connections / 2
  const before = readCpuTimes(foyer)
  await watch.longestMs()
  const from = performance.now()
  await owner.client.overwrites.upsert(owner.spaceId, owner.roomId, {
    target_id: roleId,
    target_type: 0,
    allow_flags: 0,
    deny_flags: hides ? Permission.ViewChannels : 0,
  })
  while (received[name] < goal && performance.now() - from < MAX_WAIT_MS) await sleep(POLL_MS)
  const untilAllMs = performance.now() - from
  // Waits for the event of the change itself, which goes to members who still view the room.
  await sleep(200)
  const longestMs = await watch.longestMs()
  return { longestMs, untilAllMs, cpuMs: (readCpuTimes(foyer).server - before.server) * 1000 }
}

function beatAll(connections: readonly GatewayConnection[]): void {
  for (const connection of connections) connection.beat()
}
