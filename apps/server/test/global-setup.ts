import { openS3Door, type S3Door } from './object-storage/s3-door.ts'
import { type RunningTestCluster, startTestCluster } from './valkey/cluster.ts'

let cluster: RunningTestCluster | undefined
let s3Door: S3Door | undefined

/**
 * Starts one PostgreSQL for the whole run, and an S3 server on first use. Environment variables pass their addresses
 * to the test files.
 */
export async function globalSetup(): Promise<void> {
  cluster = await startTestCluster()
  process.env.FOYER_TEST_PG = JSON.stringify({ server: cluster.server, template: cluster.template })
  s3Door = await openS3Door()
  process.env.FOYER_TEST_S3 = s3Door.url
}

export async function globalTeardown(): Promise<void> {
  await s3Door?.close()
  await cluster?.stop()
}
