// What the server holds in memory: by itself, and for each connection of the gateway that hears nothing.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, signUp } from './load/accounts.ts'
import { GatewayConnection } from './load/gateway-connection.ts'
import { inGroups } from './load/groups.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Foyer, withFoyer } from './server/foyer.ts'
import { collectGarbage } from './server/garbage.ts'
import { residentBytes } from './server/usage.ts'

const KIB = 2 ** 10
const MIB = 2 ** 20
const OPENING_AT_ONCE = 25
const HEARTBEAT_MS = 30_000

const options = readOptions(
  { first: 2000, second: 5000, people: 20, settle: 10 },
  { first: 50, second: 100, people: 2, settle: 0.1 },
)
const { first, second, people, settle } = options.numbers
const { figures, problems } = await withFoyer(options, measure)
report({ ...options, name: 'idle-memory', figures, problems })

async function measure(foyer: Foyer) {
  await sleep(settle * 1000)
  const atStart = residentBytes(foyer.pid)
  const accounts = await signUp(foyer.port, people)
  const connections = await open(foyer, accounts, first)
  const heart = setInterval(() => beatAll(connections), HEARTBEAT_MS)
  const atFirst = await memoryOf(foyer)
  connections.push(...(await open(foyer, accounts, second - first)))
  const atSecond = await memoryOf(foyer)
  clearInterval(heart)
  const closed = connections.filter(({ isOpen }) => !isOpen).length
  for (const connection of connections) connection.close()
  return {
    problems: closed > 0 ? [`${closed} connections were cut off`] : [],
    figures: {
      at_start_mib: atStart / MIB,
      [`at_${first}_connections_mib`]: atFirst.resident / MIB,
      [`at_${second}_connections_mib`]: atSecond.resident / MIB,
      resident_kib_per_connection: (atSecond.resident - atFirst.resident) / (second - first) / KIB,
      javascript_kib_per_connection: (atSecond.heap - atFirst.heap) / (second - first) / KIB,
    },
  }
}

function open(foyer: Foyer, accounts: readonly Account[], count: number): Promise<GatewayConnection[]> {
  const owners = Array.from({ length: count }, (_, index) => accounts[index % accounts.length])
  const given = owners.filter((owner) => owner !== undefined)
  return inGroups(given, OPENING_AT_ONCE, (owner) => GatewayConnection.open(foyer.port, owner))
}

/** V8 returns memory to the machine some time after it has collected it. */
async function memoryOf(foyer: Foyer): Promise<{ resident: number; heap: number }> {
  await collectGarbage(foyer)
  await sleep(settle * 1000)
  const heap = await collectGarbage(foyer)
  return { resident: residentBytes(foyer.pid), heap }
}

function beatAll(connections: readonly GatewayConnection[]): void {
  for (const connection of connections) connection.beat()
}
