import { type RunningTestCluster, startTestCluster } from './cluster.ts'

let cluster: RunningTestCluster | undefined

/** One PostgreSQL for the whole run; the processes of the test files inherit its address. */
export async function globalSetup(): Promise<void> {
  cluster = await startTestCluster()
  process.env.FOYER_TEST_PG = JSON.stringify({ server: cluster.server, template: cluster.template })
}

export async function globalTeardown(): Promise<void> {
  await cluster?.stop()
}
