// Measures the server's memory without connections, and per gateway connection that receives nothing. Each connection belongs to
// a different user, who is in a few of the spaces, so the memory of cached users counts, too.
import { setTimeout as sleep } from 'node:timers/promises'
import { createCrowd, type Identity } from './load/crowd.ts'
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
const HEARTBEAT_MS = 20_000
const MAX_KIB = 15

const options = readOptions(
  { connections: 10_000, warmup: 500, spaces: 20, spacesEach: 5, rooms: 20, settle: 10, compressed: 0 },
  { connections: 100, warmup: 20, spaces: 2, spacesEach: 1, rooms: 1, settle: 0.1 },
)
const { connections: people, warmup, settle } = options.numbers
const isCompressed = options.numbers.compressed > 0
const { figures, problems } = await withFoyer(options, measure)
report({ ...options, name: isCompressed ? 'idle-memory-compressed' : 'idle-memory', figures, problems })

async function measure(foyer: Foyer) {
  await sleep(settle * 1000)
  const atStart = residentBytes(foyer.pid)
  const { identities } = await createCrowd(foyer, { ...options.numbers, people })
  const begun = await warmUp(foyer, identities.slice(0, warmup))
  const open: GatewayConnection[] = []
  const heart = setInterval(() => beatAll(open), HEARTBEAT_MS)
  await inGroups(identities, OPENING_AT_ONCE, async (identity) => open.push(await connect(foyer, identity)))
  const full = await memoryOf(foyer)
  clearInterval(heart)
  const closed = open.filter(({ isOpen }) => !isOpen).length
  for (const connection of open) connection.close()
  const kib = (bytes: number) => bytes / people / KIB
  const residentKib = kib(full.resident - begun.resident)
  return {
    problems: [
      ...(closed > 0 ? [`${closed} connections were cut off`] : []),
      ...(residentKib > MAX_KIB && !options.isSmoke ? [`a connection takes over ${MAX_KIB} KiB`] : []),
    ],
    figures: {
      at_start_mib: atStart / MIB,
      after_warmup_mib: begun.resident / MIB,
      with_connections_mib: full.resident / MIB,
      resident_kib_per_connection: residentKib,
      javascript_kib_per_connection: kib(full.heap - begun.heap),
    },
  }
}

/** Loads code, caches of spaces and V8's reserves before the measurement, so that the connections do not pay for them. */
async function warmUp(foyer: Foyer, identities: readonly Identity[]) {
  const first = await inGroups(identities, OPENING_AT_ONCE, (identity) => connect(foyer, identity))
  for (const connection of first) connection.close()
  return memoryOf(foyer)
}

function connect({ port }: Foyer, { token, session_token }: Identity): Promise<GatewayConnection> {
  return GatewayConnection.open(port, { accessToken: token, sessionToken: session_token }, { isCompressed })
}

/** Returns the server's memory. Waits after the collection, because V8 returns freed memory to the system some time later. */
async function memoryOf(foyer: Foyer): Promise<{ resident: number; heap: number }> {
  await collectGarbage(foyer)
  await sleep(settle * 1000)
  const heap = await collectGarbage(foyer)
  return { resident: residentBytes(foyer.pid), heap }
}

function beatAll(connections: readonly GatewayConnection[]): void {
  for (const connection of connections) connection.beat()
}
