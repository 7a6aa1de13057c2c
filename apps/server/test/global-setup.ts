import { openS3Door, type S3Door } from './object-storage/s3-door.ts'
import { type RunningTestCluster, startTestCluster } from './valkey/cluster.ts'

let cluster: RunningTestCluster | undefined
let s3Door: S3Door | undefined

/** One PostgreSQL for the whole run, and one S3 server once it is asked for; the test files inherit where they are. */
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
