import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort, startValkey, type TestValkey } from './valkey.ts'

const SLOTS = 16_384
const WAIT_MS = 20_000

/** Valkey servers of one cluster, each with an equal share of the slots. */
export interface TestValkeyCluster {
  /** Addresses of all nodes, as in VALKEY_URL. */
  url: string
  nodes: readonly TestValkey[]
  close(): Promise<void>
}

export async function startValkeyCluster(count = 3): Promise<TestValkeyCluster> {
  const nodes = await Promise.all(Array.from({ length: count }, startNode))
  const clients = nodes.map(({ valkey }) => new Redis(valkey.url))
  const share = Math.ceil(SLOTS / count)
  await Promise.all(
    clients.map((client, index) =>
      client.cluster('ADDSLOTSRANGE', index * share, Math.min(SLOTS, (index + 1) * share) - 1),
    ),
  )
  const [first] = clients
  for (const { valkey, busPort } of nodes.slice(1)) {
    await first?.call('CLUSTER', 'MEET', '127.0.0.1', new URL(valkey.url).port, `${busPort}`)
  }
  for (const client of clients) await untilWhole(client)
  for (const client of clients) client.disconnect()
  return {
    url: nodes.map(({ valkey }) => valkey.url).join(','),
    nodes: nodes.map(({ valkey }) => valkey),
    close: async () => void (await Promise.all(nodes.map(({ valkey }) => valkey.close()))),
  }
}

async function startNode(): Promise<{ valkey: TestValkey; busPort: number }> {
  const busPort = await freePort()
  const mode = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '1000', '--cluster-port', `${busPort}`]
  return { valkey: await startValkey(mode), busPort }
}

async function untilWhole(client: Redis): Promise<void> {
  const deadline = Date.now() + WAIT_MS
  while (!(await isWhole(client))) {
    if (Date.now() > deadline) throw new Error('the servers have not become a cluster')
    await sleep(50)
  }
}

/** Returns true if the node knows the owners of all slots. `cluster_state` only covers the slots it needs itself. */
async function isWhole(client: Redis): Promise<boolean> {
  const info = String(await client.cluster('INFO'))
  return info.includes('cluster_state:ok') && info.includes(`cluster_slots_assigned:${SLOTS}`)
}
