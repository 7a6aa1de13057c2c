// Measures presence changes in a space with 10,000 connected members, ten of whom show the member list.
import { setTimeout as sleep } from 'node:timers/promises'
import { Opcode } from '@foyer/protocol/gateway'
import { MAX_PAGE } from '@foyer/protocol/limits'
import { MemberList } from '@foyer/sdk/member-list'
import { createCrowd, type Identity } from './load/crowd.ts'
import { inGroups } from './load/groups.ts'
import { StormClient } from './load/storm-client.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Foyer, withFoyer } from './server/foyer.ts'
import { cpuBetween, readCpuTimes } from './server/usage.ts'

const OPENING_AT_ONCE = 50
const MAX_WAIT_MS = 30_000
const STATUSES = ['idle', 'dnd', 'online']

const options = readOptions(
  { connected: 10_000, looking: 10, changing: 100, rounds: 20, pause: 0.2 },
  { connected: 20, looking: 2, changing: 4, rounds: 3, pause: 0.01 },
)
const { connected, looking, changing, rounds, pause } = options.numbers
const { cpu, wrong, received } = await withFoyer(options, measure)
const changes = changing * rounds
report({
  ...options,
  name: 'presence',
  problems: wrong,
  figures: {
    connected,
    looking,
    changes,
    server_cpu_us_per_change: (cpu.server / changes) * 1e6,
    postgres_cpu_us_per_change: (cpu.postgres / changes) * 1e6,
    events_per_change_and_looker: received / changes / looking,
  },
})

/** A client that subscribes to a space's member list. */
interface ListClient {
  readonly socket: WebSocket
  readonly list: MemberList
  received: number
}

async function measure(foyer: Foyer) {
  const size = { people: connected, spaces: 1, spacesEach: 1, rooms: 0 }
  const { hosts, identities } = await createCrowd(foyer, size)
  const spaceId = hosts[0]?.spaceId ?? ''
  const crowd = identities.slice(looking + changing).map((identity) => new StormClient(foyer.port, identity))
  const listClients = await Promise.all(
    identities.slice(0, looking).map((identity) => open(foyer.port, identity)),
  )
  const changers = await Promise.all(
    identities.slice(looking, looking + changing).map((identity) => open(foyer.port, identity)),
  )
  await inGroups(crowd, OPENING_AT_ONCE, (client) => client.join())
  for (const listClient of listClients)
    send(listClient, Opcode.Subscribe, { space_id: spaceId, member_ranges: [[0, MAX_PAGE - 1]] })
  await until(() => listClients.every(({ list }) => list.onlineCount === connected))
  for (const listClient of listClients) listClient.received = 0
  const before = readCpuTimes(foyer)
  for (let round = 0; round < rounds; round += 1) {
    for (const changer of changers) send(changer, Opcode.PresenceUpdate, { status: statusIn(round) })
    await sleep(pause * 1000)
  }
  const changerNames = new Set(
    identities.map((_, index) => `crowd_${index + 1}`).slice(looking, looking + changing),
  )
  await until(() => listClients.every(({ list }) => staleIn(list, changerNames).length === 0))
  const cpu = cpuBetween(before, readCpuTimes(foyer))
  const wrong = listClients.flatMap(({ list }) => staleIn(list, changerNames))
  const received = listClients.reduce((sum, listClient) => sum + listClient.received, 0)
  for (const client of crowd) client.close()
  for (const { socket } of [...listClients, ...changers]) socket.close()
  return { cpu, wrong: received === 0 ? [...wrong, 'no client received an update'] : wrong, received }
}

function statusIn(round: number): string {
  return STATUSES[round % STATUSES.length] ?? ''
}

/** Returns the users whose last presence the client did not receive. */
function staleIn(list: MemberList, changers: ReadonlySet<string>): string[] {
  const listed = Array.from({ length: MAX_PAGE }, (_, place) => list.at(place) ?? [])
  return listed.flat().flatMap(({ member, presence }) => {
    const { username } = member.user
    const expected = changers.has(username) ? statusIn(rounds - 1) : 'online'
    const isHost = !username.startsWith('crowd_')
    return isHost || presence?.status === expected ? [] : [`${username} is ${presence?.status}`]
  })
}

function open(port: number, { token, session_token }: Identity): Promise<ListClient> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/gateway?v=1`)
  const listClient = { socket, list: new MemberList(), received: 0 }
  const { promise, resolve, reject } = Promise.withResolvers<ListClient>()
  socket.onerror = () => reject(new Error('a connection failed'))
  socket.onmessage = ({ data }) => {
    const { op, t, d } = JSON.parse(String(data))
    if (op === Opcode.Hello) greet(listClient, d.heartbeat_interval, { token, session_token })
    if (t === 'READY') resolve(listClient)
    if (t === 'SPACE_MEMBER_LIST_UPDATE') listClient.list.update(d)
    if (t === 'PRESENCE_UPDATE') listClient.list.setPresence(d)
    if (t !== undefined) listClient.received += 1
  }
  return promise
}

function greet(listClient: ListClient, heartbeatMs: number, identity: Identity): void {
  send(listClient, Opcode.Identify, identity)
  setInterval(() => send(listClient, Opcode.Heartbeat, null), heartbeatMs).unref()
}

function send({ socket }: ListClient, op: number, d: object | null): void {
  socket.send(JSON.stringify({ op, d }))
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS
  while (!isSo() && performance.now() < deadline) await sleep(10)
}
